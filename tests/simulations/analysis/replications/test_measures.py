"""Columns and the numbers that are made of them, on samples that are written down."""

import numpy as np
import pytest

from simulations.analysis.replications import measures
from simulations.analysis.replications.measures import Columns, Observed, over_queues
from simulations.analysis.replications.rows import Histogram, ratio
from simulations.engine.network.results import Count, Extreme, PoolSum, Sum


def columns() -> Columns:
    """Three samples of one replication each; sample k has k times the events of the first."""
    each = np.arange(1, 4)
    counts, sums = np.zeros((3, len(Count)), np.int64), np.zeros((3, len(Sum)))
    pool_sums = np.zeros((3, len(PoolSum)))
    for count, size in {Count.ARRIVED: 10, Count.COMPLETED: 8, Count.DROPPED: 1, Count.QUEUE_TIMEOUTS: 5}.items():
        counts[:, count] = size * each
    for total, value in {
        Sum.LATENCY: 4.0,
        Sum.PREPARED: 3.0,
        Sum.RUNNING: 5.0,
        Sum.WASTED: 1.0,
        Sum.CPU: 2.0,
        Sum.WAIT_CPU: 1.0,
    }.items():
        sums[:, total] = value * each
    sums[:, Sum.COMMIT], sums[:, Sum.WAIT_BATCH] = 3.0 * each, 1.0 * each
    sums[:, Sum.RESTING], sums[:, Sum.BLOCKED], pool_sums[:, PoolSum.CPU] = 3.0 * each, 4.0, 6.0
    histogram = Histogram.counted(100, np.outer(each, [4, 4]))
    kept_back = np.outer(each, [1.0, 0.5])
    return Columns(
        np.ones(3), np.full(3, 20.0), counts, sums, pool_sums, kept_back, histogram, np.array([1.0, 9.0, 4.0]), 2, 3
    )


def test_a_column_is_found_by_its_name_as_floats() -> None:
    data = columns()
    assert data[Count.ARRIVED].tolist() == [10.0, 20.0, 30.0]
    assert data[Count.ARRIVED].dtype == np.float64
    assert data[Sum.LATENCY].tolist() == [4.0, 8.0, 12.0]
    assert data[PoolSum.CPU].tolist() == [6.0, 6.0, 6.0]


def test_merging_adds_everything_up_but_the_longest() -> None:
    merged = columns().merged()
    assert (merged.runs.tolist(), merged.seconds.tolist(), merged.longest.tolist()) == ([3.0], [60.0], [9.0])
    assert (merged[Count.COMPLETED].tolist(), merged.histogram.sizes.tolist()) == ([48.0], [48])
    assert (merged.gates, merged.cpus) == (2, 3)


def test_leaving_out_is_the_whole_without_each() -> None:
    jackknifed = columns().jackknifed
    assert jackknifed[Count.COMPLETED].tolist() == [48.0, 40.0, 32.0, 24.0]
    assert jackknifed.histogram.sizes.tolist() == [48, 40, 32, 24]
    assert jackknifed.longest.tolist() == [9.0] * 4


def test_chosen_rows_keep_their_order_and_all_of_them_are_the_same_object() -> None:
    data = columns()
    assert data.rows(np.array([2, 0]))[Count.ARRIVED].tolist() == [30.0, 10.0]
    assert data.rows(np.arange(3)) is data


def test_a_measure_is_computed_once() -> None:
    calls = []

    def measure(data: Columns) -> measures.Floats:
        calls.append(data)
        return data.seconds

    data = columns()
    assert data.measured(measure) is data.measured(measure)
    assert len(calls) == 1


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        (measures.over_time(Count.COMPLETED), [0.4, 0.8, 1.2]),
        (measures.over_time(PoolSum.CPU), [0.3, 0.3, 0.3]),
        (measures.per_run(Count.DROPPED), [1.0, 2.0, 3.0]),
        (measures.quotient(Sum.LATENCY, Count.COMPLETED), [0.5, 0.5, 0.5]),
        (measures.over_time(PoolSum.CPU, of="cpus"), [0.1, 0.1, 0.1]),
        (measures.over_time(Sum.BLOCKED, of="gates"), [0.1, 0.1, 0.1]),
        (measures.kept_back(0), [0.125, 0.125, 0.125]),
        (measures.kept_back(1), [0.0625, 0.0625, 0.0625]),
        (measures.thread_wait, [0.0, 0.0, 0.0]),
        (measures.quotient(Sum.COMMIT, Count.COMPLETED, less=Sum.WAIT_BATCH), [0.25, 0.25, 0.25]),
        (measures.quotient(Sum.CPU, Count.COMPLETED, Sum.WAITING, less=Sum.WAIT_CPU), [0.125, 0.125, 0.125]),
        (measures.over_time(Sum.PREPARED, Sum.RUNNING), [0.4, 0.8, 1.2]),
        (measures.wasted, [0.5, 0.5, 0.5]),
        (
            measures.quotient(Count.QUEUE_TIMEOUTS, Count.ARRIVED, Count.DISPATCH_TIMEOUTS, Count.TRANSACTION_TIMEOUTS),
            [0.5, 0.5, 0.5],
        ),
        (measures.unfinished, [1.0, 2.0, 3.0]),
    ],
)
def test_measures_are_quotients_of_columns(measure: measures.Measure, expected: list[float]) -> None:
    assert measure(columns()).tolist() == pytest.approx(expected)


def test_nothing_divided_by_nothing_is_no_number() -> None:
    assert np.isnan(measures.quotient(Count.GRANTED, Count.TOPUPS)(columns())).all()
    assert ratio(np.array([1.0, 1.0]), np.array([2.0, 0.0])).tolist() == pytest.approx([0.5, np.nan], nan_ok=True)


def test_a_percentile_is_never_above_the_longest_latency() -> None:
    data = columns()
    assert measures.percentile(0.5)(data).max() < 1e-3
    capped = Columns(
        data.runs,
        data.seconds,
        data.counts,
        data.sums,
        data.pool_sums,
        data.kept_back,
        data.histogram,
        np.full(3, 1e-9),
    )
    assert measures.percentile(0.99)(capped).tolist() == [1e-9] * 3


def observed() -> Observed:
    extremes = np.zeros((2, 2, len(Extreme)))
    extremes[:, :, Extreme.BACKLOG_MAX] = [[3.0, 5.0], [7.0, np.inf]]
    return Observed(extremes, np.array([[[3, 1], [2, 2]], [[0, 4], [0, 0]]]), np.array([[1.0, 2.0], [3.0, -1.0]]))


def test_observations_combine_the_queues_of_each_replication() -> None:
    assert over_queues(np.max, Extreme.BACKLOG_MAX)(observed()).tolist() == pytest.approx([5.0, np.nan], nan_ok=True)
    assert over_queues(np.min, Extreme.BACKLOG_MAX)(observed()).tolist() == [3.0, 7.0]
    assert over_queues(np.sum, Extreme.BACKLOG_MAX)(observed())[0] == 8.0
    assert measures.growth(observed()).tolist() == [3.0, 2.0]
    assert measures.busiest_share(observed().at([0])).tolist() == [0.75, 1.0]


def test_observations_can_be_cut_by_queue_and_by_replication() -> None:
    one = observed().at([1]).rows(np.array([1]))
    assert one.growth.tolist() == [[-1.0]]
    assert one.per_instance.tolist() == [[[0, 0]]]
