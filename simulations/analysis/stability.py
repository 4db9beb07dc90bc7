"""Does a queue keep up? The closed form decides where there is one, the drift of the simulated backlog otherwise."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from simulations.analysis.columns import Floats
from simulations.analysis.intervals import reach
from simulations.analysis.sample import Sample
from simulations.analysis.summary import Estimate
from simulations.analysis.theory.laws import arrival_rate
from simulations.engine.network import ArrivalKind
from simulations.engine.results import Count, Sum

STEADY_GROWTH = 0.6
"""Slope of the second half x length of the run / backlog at the end: 1 for constant growth from empty, 0.59 for the
square root of time at the very edge of stability, 0 for a stable queue. The whole interval must lie above this."""
NOTICEABLE = 1e-3
"""Growth below this share of the arrivals is no growth."""


@dataclass(frozen=True)
class Growth:
    """The verdict on one queue. ``rate``: messages per second by which the backlog grows, with its interval."""

    queue: int
    rate: Estimate


def unstable_queues(sample: Sample, carried: Mapping[str, float]) -> tuple[Growth, ...]:
    """Return the queues that do not keep up.

    ``carried``: queue name -> closed form of its largest throughput per second, where there is one.
    Runs without a steady state and saturated queues are not judged, unless a replication ran out of room for messages.
    """
    if sample.transient and not sample.overflow:
        return ()
    judged = (_judge(sample, index, carried) for index in range(len(sample.network.streams)))
    return tuple(growth for growth in judged if growth is not None)


def _judge(sample: Sample, index: int, carried: Mapping[str, float]) -> Growth | None:
    stream = sample.network.streams[index]
    if stream.arrivals.kind is ArrivalKind.SATURATED:
        return None
    slopes = sample.observed.growth[:, index]
    rate = _estimate(slopes)
    offered = arrival_rate(stream.arrivals)
    limit = carried.get(stream.name)
    if limit is not None and offered is not None and offered >= limit:
        return Growth(index, rate)
    return Growth(index, rate) if _drifts(sample, index, rate) else None


def _estimate(slopes: Floats) -> Estimate:
    value = float(slopes.mean())
    if len(slopes) == 1:
        return Estimate(value, value, value, "/s", note="one replication: no interval")
    below, above = reach(slopes)
    return Estimate(value, value - float(below), value + float(above), "/s")


def _drifts(sample: Sample, index: int, rate: Estimate) -> bool:
    columns = sample.queues[index].merged()
    runs, seconds = float(columns.runs[0]), float(columns.seconds[0])
    if seconds == 0:
        return False
    arrivals = float(columns.counts[0, Count.ARRIVED]) / seconds
    if sample.overflow:
        return rate.value > NOTICEABLE * arrivals
    if len(sample.observed.growth) < 2:
        return False
    inside = float(columns.sums[0, [Sum.BACKLOG, Sum.PREPARED, Sum.RUNNING]].sum()) / seconds
    length = seconds / runs
    level_at_end = inside + rate.value * length / 2
    reached = rate.low * (length + sample.warmup.seconds)
    return rate.low > NOTICEABLE * arrivals and bool(np.greater_equal(reached, STEADY_GROWTH * level_at_end))
