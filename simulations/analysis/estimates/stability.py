"""Does a queue keep up? The closed form decides where there is one, the drift of the simulated backlog otherwise."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from simulations.analysis.estimates.intervals import mean_estimate
from simulations.analysis.estimates.summary import Estimate
from simulations.analysis.replications.sample import LEAST_PERIODS, UNDONE, Sample, longest_period, outage_end
from simulations.analysis.theory.laws import arrival_rate
from simulations.engine.network.model import ArrivalKind, ArrivalSpec, Exhausted, NetworkSpec, Stream
from simulations.engine.network.results import Count, Extreme

STEADY_GROWTH = 0.6
"""Slope of the second half x length of the run / backlog at the end: 1 for constant growth from empty, 0.59 for the
square root of time at the very edge of stability, 0 for a stable queue. The whole interval must lie above this."""
NOTICEABLE = 1e-3
"""Growth below this share of the arrivals is no growth."""
SILENCE = 0.25
"""A listener that may stop has stopped when nothing ended in this last share of a run although messages waited."""


@dataclass(frozen=True)
class Growth:
    """The verdict on one queue.

    ``rate``: growth of the backlog, messages per second. ``stopped``: replications whose listener stopped for good.
    ``endless``: poison messages never leave it.
    """

    queue: int
    rate: Estimate
    stopped: int = 0
    endless: bool = False


def unstable_queues(sample: Sample, carried: Mapping[str, float]) -> tuple[Growth, ...]:
    """Return the queues that do not keep up.

    ``carried``: queue name -> closed form of its largest throughput per second, where there is one. It does not decide
    about a queue that is bounded and loses messages; where none is lost, what is not carried waits with its senders.
    Saturated queues are not judged, nor are finite arrivals (a trace, a surge with nothing after it), unless a listener
    stopped, or a replication ran out of room for messages.
    """
    judged = (_judge(sample, index, carried) for index in range(len(sample.network.streams)))
    return tuple(growth for growth in judged if growth is not None)


def _judge(sample: Sample, index: int, carried: Mapping[str, float]) -> Growth | None:
    network, stream = sample.network, sample.network.streams[index]
    if stream.arrivals.kind is ArrivalKind.SATURATED:
        return None
    rate, stopped = mean_estimate(sample.observed.growth[:, index], "/s"), _stopped(sample, index)
    poison = 0.0
    if sample.overflow:
        grows = rate.value > NOTICEABLE * _arrivals(sample, index)
    elif network.horizon.drained or (_endless_rate(stream.arrivals) is None and not network.senders(index)):
        grows = stopped > 0 and not network.horizon.drained
    else:
        lossy = is_bounded(network, stream) and _loses(sample, index)
        overload = is_offered_more(network, stream, carried) and not lossy
        if not stream.redelivery.limit and not lossy:
            poison = stream.poison_rate * (_endless_rate(stream.arrivals) or _arrivals(sample, index))
        grows = stopped > 0 or overload or poison > 0 or _drifts(sample, index, rate)
    if poison > 0 and rate.low < poison:
        rate = Estimate(poison, poison, poison, "/s", "formula")
    return Growth(index, rate, stopped, endless=poison > 0) if grows else None


def _endless_rate(arrivals: ArrivalSpec) -> float | None:
    """Return the arrivals per second in the long run, None for arrivals that end."""
    return (arrivals.rate or None) if arrivals.kind is ArrivalKind.SURGE else arrival_rate(arrivals)


def is_offered_more(network: NetworkSpec, stream: Stream, carried: Mapping[str, float]) -> bool:
    """Return whether more arrives in the long run than the closed form in ``carried``, by queue, says is carried."""
    rate, limit = _endless_rate(stream.arrivals), carried.get(stream.name)
    return rate is not None and limit is not None and rate * network.receivers(stream) >= limit


def may_keep_up(network: NetworkSpec, carried: Mapping[str, float]) -> bool:
    """Return whether no closed form says that messages pile up. A queue that is bounded may lose them instead."""
    unbounded = [stream for stream in network.streams if not is_bounded(network, stream)]
    return network.horizon.drained or not any(is_offered_more(network, stream, carried) for stream in unbounded)


def is_bounded(network: NetworkSpec, stream: Stream) -> bool:
    """Return whether a quota, a capacity or producer flow control bounds the messages of the stream."""
    quota, constraints = stream.quota, network.pools[stream.pool].constraints
    has_quota = quota is not None and bool(quota.messages or quota.bytes)
    return has_quota or stream.flow is not None or any(constraints[index].capacity for index in stream.constraint)


def _loses(sample: Sample, index: int) -> bool:
    """Return whether any message of the queue is refused, dropped, or timed out while it waits."""
    lost = [Count.REJECTED, Count.DROPPED, Count.DEAD_LETTERS, Count.QUEUE_TIMEOUTS]
    return bool(sample.queues[index].counts[:, lost].any())


def _stopped(sample: Sample, index: int) -> int:
    """Return the replications in which the listener of a queue stopped for good: after too many failures, or as it did
    not find its broker back."""
    rule, absence = sample.network.streams[index].redelivery, sample.network.streams[index].absence
    extremes = sample.observed.extremes[:, index]
    if absence is not None and math.isinf(absence.duration):
        silent = sample.seconds > absence.start
    elif rule.exhausted is Exhausted.STOP_STREAM and rule.limit:
        silent = sample.seconds - extremes[:, Extreme.LAST_OUTCOME] > SILENCE * sample.seconds
    else:
        return 0
    return int((silent & (extremes[:, Extreme.BACKLOG_END] > 0)).sum())


def _arrivals(sample: Sample, index: int) -> float:
    columns = sample.queues[index].merged()
    return float(columns.counts[0, Count.ARRIVED] / columns.seconds[0])


def _drifts(sample: Sample, index: int, rate: Estimate) -> bool:
    if len(sample.observed.growth) < 2 or not _shows_growth(sample, index):
        return False
    arrivals = sample.network.streams[index].arrivals
    columns = sample.queues[index].merged()
    seconds = float(columns.seconds[0])
    inside = float(columns.sums[0, UNDONE].sum()) / seconds
    length = seconds / len(sample.replications)
    level_at_end = inside + rate.value * length / 2
    reached = rate.low * (length + sample.warmup.seconds)
    # Near its limit a queue has, over a period, half of what comes in it at once.
    at_once = {ArrivalKind.SURGE: arrivals.count, ArrivalKind.PERIODIC: arrivals.count / 2}.get(arrivals.kind, 0)
    noticeable = rate.low > NOTICEABLE * _arrivals(sample, index) and level_at_end > at_once
    return noticeable and bool(np.greater_equal(reached, STEADY_GROWTH * (level_at_end - at_once)))


def _shows_growth(sample: Sample, index: int) -> bool:
    """Return whether the second half of the runs shows the long run: periods enough to compare, all back that was away,
    and any surge or trace over, since what another queue does as long as one lasts may be its work."""
    half = float(sample.seconds.min()) / 2
    if 2 * half < max(LEAST_PERIODS * longest_period(sample.network), 2 * outage_end(sample.network)):
        return False
    return all(_is_over(sample, place, half) for place in {index, *sample.foreground})


def _is_over(sample: Sample, index: int, half: float) -> bool:
    """Return whether a surge or a trace has come in the first half, and its backlog no longer falls in the second."""
    arrivals = sample.network.streams[index].arrivals
    if arrivals.kind not in {ArrivalKind.SURGE, ArrivalKind.TRACE}:
        return True
    last = max((arrivals.start, *arrivals.instants))
    return last <= half and mean_estimate(sample.observed.growth[:, index], "/s").high >= 0
