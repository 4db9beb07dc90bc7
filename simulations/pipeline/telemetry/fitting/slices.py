"""What a short span of time shows message by message: the body of a Spark task, a plain function on arrays.

Kinds of its answer: ``busy``, messages in process just after one began while another waited, which is the number of
threads where nothing else holds messages back; ``started``, deliveries by the number in process just after they began,
and ``micros``, their time in all, in microseconds; ``left``, ends by the number in process just before, and ``held``,
the microseconds for which so many were in process; ``interval``, bins of the times between arrivals (as in
``questions``).
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
    arrival, start, end = (rows[name].to_numpy() for name in ("arrival", "start", "end"))
    begin, until = rows["begin"][0].as_py(), rows["until"][0].as_py()
    gaps = np.unique(intervals(arrival, begin, until), return_counts=True)
    counted = {**started(arrival, start, end, begin, until), **occupied(start, end, begin, until), "interval": gaps}
    place = {"queue": rows["queue"][0].as_py(), "slice": rows["slice"][0].as_py()}
    found = [
        {**place, "kind": kind, "value": int(value), "count": int(count)}
        for kind, (numbers, counts) in counted.items()
        for value, count in zip(numbers, counts, strict=True)
    ]
    return pa.Table.from_pylist(found, schema=SCHEMA)


def intervals(arrival: Floats, begin: float, until: float) -> Ints:
    """Return the bins of the times between arrivals in [begin, until)."""
    gaps = np.diff(np.sort(arrival[(arrival >= begin) & (arrival < until)]))
    bins: Ints = np.floor(np.log(np.maximum(gaps, SHORTEST) / SHORTEST) / math.log1p(BIN)).astype(np.int64)
    return bins


def started(arrival: Floats, start: Floats, end: Floats, begin: float, until: float) -> dict[str, tuple[Ints, Ints]]:
    """Return ``busy``, ``started`` and ``micros`` of the deliveries that began in [begin, until)."""
    inside = (start >= begin) & (start < until)
    at, seconds = start[inside], (end - start)[inside]
    begun = _upto(start, at)
    number, waiting = begun - _upto(end, at), _upto(arrival, at) - begun
    numbers, places = np.unique(number, return_inverse=True)
    counts = np.bincount(places, minlength=len(numbers))
    micros = np.round(np.bincount(places, weights=seconds, minlength=len(numbers)) * 1e6).astype(np.int64)
    busy = np.unique(number[waiting > 0], return_counts=True)
    return {"busy": busy, "started": (numbers, counts), "micros": (numbers, micros)}


def occupied(start: Floats, end: Floats, begin: float, until: float) -> dict[str, tuple[Ints, Ints]]:
    """Return the ends in [begin, until) by the number in process just before, and the microseconds of each number."""
    instants = np.concatenate([end, start])
    order = np.argsort(instants, kind="stable")  # of one instant, ends come first
    instants, number = instants[order], np.maximum(np.where(order < len(end), -1, 1).cumsum(), 0)
    seconds = np.bincount(number[:-1], weights=np.diff(np.clip(instants, begin, until)))
    left = number[:-1][(np.diff(number) < 0) & (instants[1:] >= begin) & (instants[1:] < until)]
    held = np.round(seconds * 1e6).astype(np.int64)
    return {"left": np.unique(left, return_counts=True), "held": (np.arange(len(held)), held)}


def _upto(instants: Floats, at: Floats) -> Ints:
    return np.searchsorted(np.sort(instants), at, side="right").astype(np.int64)
