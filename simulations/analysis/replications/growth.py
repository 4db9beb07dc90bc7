"""How fast the messages inside grow: the slope over the second half of a replication, by queue."""

import numpy as np

from simulations.analysis.replications.columns import Floats
from simulations.analysis.replications.stack import Stack
from simulations.engine.network.model import ArrivalKind, ArrivalSpec, NetworkSpec
from simulations.engine.network.results import Sum

LEAST_PERIODS = 4
"""Periods of a clock that a run must hold before its levels say something about growth: two in its second half."""
_INSIDE = [Sum.BACKLOG, Sum.PREPARED, Sum.RUNNING]


def period(arrivals: ArrivalSpec) -> float:
    """Return the seconds after which the arrivals repeat; 0 for arrivals that follow no clock."""
    if arrivals.kind is ArrivalKind.PERIODIC:
        return arrivals.period
    return arrivals.instants[-1] if arrivals.kind is ArrivalKind.PROFILE else 0.0


def longest_period(network: NetworkSpec) -> float:
    """Return the longest period in seconds that any of the arrivals has; 0 without a clock."""
    return max(period(stream.arrivals) for stream in network.streams)


def growth(network: NetworkSpec, stack: Stack) -> Floats:
    """Return the messages per second by which the messages inside grew, [R, Q], by least squares.

    Where arrivals follow a clock, whole periods are looked at, so that a backlog is compared with that of the same
    hour; with fewer than ``LEAST_PERIODS`` of them in the run the slope says how the run ended and no more.
    A run that ended in its first segment has only its mean level, which is half of what it grew to.
    """
    area = stack.sums[..., _INSIDE].sum(axis=3)
    length = longest_period(network)
    slopes = []
    for durations, at_queues in zip(stack.durations, area, strict=True):
        used = np.flatnonzero(durations > 0)
        slopes.append([_slope(durations[used], at_queue, length) for at_queue in at_queues[used].T])
    return np.array(slopes)


def _slope(durations: Floats, area: Floats, length: float) -> float:
    ends = durations.cumsum()
    if length and ends[-1] >= LEAST_PERIODS * length:
        middle, level = _by_period(ends, area, length)
    else:
        middle, level = ends - durations / 2, area / durations
    if len(middle) < 2:
        return float((level / middle).sum())
    late = slice(min(len(middle) // 2, len(middle) - 2), None)
    centred = middle[late] - middle[late].mean()
    return float(centred @ level[late] / (centred @ centred))


def _by_period(ends: Floats, area: Floats, length: float) -> tuple[Floats, Floats]:
    """Return middle and mean level of windows of whole periods, counted back from the end; none is below a segment."""
    segment = ends[-1] / len(ends)
    width = length * max(1, np.ceil(segment / length))
    width = min(width, length * (ends[-1] // (LEAST_PERIODS * length)))
    edges = ends[-1] - width * np.arange(int(ends[-1] // width), -1, -1)
    inside = np.interp(edges, np.append(0.0, ends), np.append(0.0, area.cumsum()))
    return (edges[1:] + edges[:-1]) / 2, np.diff(inside) / width
