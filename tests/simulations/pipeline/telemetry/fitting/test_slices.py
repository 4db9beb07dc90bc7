"""What a span of time shows, on arrays that can be counted by hand."""

import numpy as np
import pyarrow as pa

from simulations.pipeline.telemetry.fitting.slices import SCHEMA, in_slice, intervals, occupied, started

ARRIVAL = np.array([0.0, 0.0, 0.0, 0.0, 10.0])
START = np.array([0.0, 0.0, 1.0, 2.0, 10.0])
END = np.array([1.0, 2.0, 4.0, 5.0, 11.0])
"""Two threads; two of four messages wait, later one comes alone."""


def test_threads_are_seen_where_somebody_waits() -> None:
    assert [part.tolist() for part in started(ARRIVAL, START, END, 0.0, 20.0)["busy"]] == [[2], [3]]
    assert [part.tolist() for part in started(ARRIVAL, START, END, 5.0, 20.0)["busy"]] == [[], []]


def test_deliveries_and_their_time_by_the_number_in_process_and_the_intervals() -> None:
    served = started(ARRIVAL, START, END, 0.0, 20.0)
    assert [part.tolist() for part in served["started"]] == [[1, 2], [1, 4]]
    assert [part.tolist() for part in served["micros"]] == [[1, 2], [1_000_000, 9_000_000]]
    assert [len(part) for part in started(ARRIVAL, START, END, 12.0, 20.0)["started"]] == [0, 0]
    assert len(intervals(ARRIVAL, 0.0, 20.0)) == 4


def test_ends_and_the_time_by_the_number_in_process() -> None:
    found = occupied(START, END, 0.5, 20.0)
    assert [part.tolist() for part in found["left"]] == [[1, 2], [2, 3]]
    assert [part.tolist() for part in found["held"]] == [[0, 1, 2], [5_000_000, 2_000_000, 3_500_000]]


def test_a_slice_answers_in_the_declared_shape() -> None:
    size = len(ARRIVAL)
    columns = {
        "queue": ["orders"] * size,
        "slice": pa.array([3] * size, pa.int32()),
        "arrival": ARRIVAL,
        "start": START,
        "end": END,
        "begin": [0.0] * size,
        "until": [20.0] * size,
    }
    answer = in_slice(pa.table(columns))
    assert answer.schema == SCHEMA
    rows = {(row["kind"], row["value"]): row["count"] for row in answer.to_pylist()}
    assert rows["busy", 2] == 3
    assert {number: rows["started", number] for number in (1, 2)} == {1: 1, 2: 4}
    assert {number: rows["micros", number] for number in (1, 2)} == {1: 1_000_000, 2: 9_000_000}
