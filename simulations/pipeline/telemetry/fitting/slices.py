"""What a short span of time shows message by message: the body of a Spark task, a plain function on arrays.

Kinds of its answer: ``busy``, messages in process just after one began while another waited, which is the number of
threads where nothing else holds messages back; ``most``, the most that were ever in process; ``interval``, bins of
the times between arrivals (as in ``questions``); ``started``, deliveries by the number in process just after they
began, and ``micros``, their time in all, in microseconds.
"""

import math

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from simulations.analysis.replications.measures import Floats

Ints = NDArray[np.int64]
SHORTEST = 1e-6
"""Seconds; shorter times count as this long."""
BIN = 0.004
"""Relative width of the bins of times."""
ANSWER = "queue string, slice int, kind string, value int, count long"
SCHEMA = pa.schema(
    [("queue", pa.string()), ("slice", pa.int32()), ("kind", pa.string()), ("value", pa.int32()), ("count", pa.int64())]
)


def in_slice(rows: pa.Table) -> pa.Table:
    """Return the answers of one slice from all messages that were in the system at some time of it."""
    arrival, start, end = (np.sort(rows[name].to_numpy()) for name in ("arrival", "start", "end"))
    begin, until = rows["begin"][0].as_py(), rows["until"][0].as_py()
    served = started(rows["start"].to_numpy(), rows["end"].to_numpy(), begin, until)
    values = {
        "busy": crowded(arrival, start, end, begin, until),
        "most": served["started"][0][-1:],
        "interval": intervals(arrival, begin, until),
    }
    counted = {**served, **{kind: np.unique(found, return_counts=True) for kind, found in values.items()}}
    place = {"queue": rows["queue"][0].as_py(), "slice": rows["slice"][0].as_py()}
    found = [
        {**place, "kind": kind, "value": int(value), "count": int(count)}
        for kind, (numbers, counts) in counted.items()
        for value, count in zip(numbers, counts, strict=True)
    ]
    return pa.Table.from_pylist(found, schema=SCHEMA)


def crowded(arrival: Floats, start: Floats, end: Floats, begin: float, until: float) -> Ints:
    """Return the number in process just after each start in [begin, until) that left another message waiting."""
    at = start[(start >= begin) & (start < until)]
    waiting = _upto(arrival, at) - _upto(start, at)
    at = at[waiting > 0]
    return _upto(start, at) - _upto(end, at)


def intervals(arrival: Floats, begin: float, until: float) -> Ints:
    """Return the bins of the times between arrivals in [begin, until)."""
    gaps = np.diff(arrival[(arrival >= begin) & (arrival < until)])
    bins: Ints = np.floor(np.log(np.maximum(gaps, SHORTEST) / SHORTEST) / math.log1p(BIN)).astype(np.int64)
    return bins


def started(start: Floats, end: Floats, begin: float, until: float) -> dict[str, tuple[Ints, Ints]]:
    """Return the numbers in process and, of the deliveries that began with so many, their count and their time."""
    inside = (start >= begin) & (start < until)
    at, seconds = start[inside], (end - start)[inside]
    numbers, places = np.unique(_upto(np.sort(start), at) - _upto(np.sort(end), at), return_inverse=True)
    counts = np.bincount(places, minlength=len(numbers))
    micros = np.round(np.bincount(places, weights=seconds, minlength=len(numbers)) * 1e6).astype(np.int64)
    return {"started": (numbers, counts), "micros": (numbers, micros)}


def _upto(ordered: Floats, at: Floats) -> Ints:
    return np.searchsorted(ordered, at, side="right").astype(np.int64)
