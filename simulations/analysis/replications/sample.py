"""Replications of one point made ready for measuring: warm-up cut, merged by queue, by server and in all."""

from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from simulations.analysis.replications import warmup
from simulations.analysis.replications.measures import Columns, Floats, Number, Observed
from simulations.analysis.replications.rows import Histogram, Stack, combine
from simulations.analysis.replications.warmup import Warmup
from simulations.engine.network.model import ArrivalKind, ArrivalSpec, NetworkSpec
from simulations.engine.network.results import INSIDE, Count, Extreme, PoolSum, Sum

TRANSIENT = frozenset({ArrivalKind.SURGE, ArrivalKind.PROFILE, ArrivalKind.TRACE, ArrivalKind.PERIODIC})
"""Arrivals without a steady state."""
UNDONE = [*INSIDE, Sum.BLOCKED_SENDS]
"""Integrals of the messages inside, and of those that senders cannot get in."""
LEAST_PERIODS = 4
"""Periods of a clock that a run must hold before its levels say something about growth: two in its second half."""


@dataclass(frozen=True)
class Sample:
    """R replications of one network. ``queues`` and ``pools`` are in the network's order.

    ``system`` covers the queues (not the background work) and all pools. ``units`` is ``replications``, or ``segments``
    when a single steady run was cut into its segments to get an interval. ``seconds`` [R]: length of each replication,
    warm-up included. ``overflow``: a replication ended early because too many messages were inside.
    """

    network: NetworkSpec
    replications: NDArray[np.int64]
    units: str
    transient: bool
    warmup: Warmup
    system: Columns
    queues: tuple[Columns, ...]
    pools: tuple[Columns, ...]
    observed: Observed
    seconds: Floats
    overflow: bool

    @property
    def foreground(self) -> list[int]:
        """Positions of the queues, background work excluded (all streams when there is nothing else)."""
        return foreground(self.network)

    @property
    def everywhere(self) -> "Place":
        """The whole system."""
        return Place(self, self.system, self.foreground, self.observed.at(self.foreground))

    def at_queue(self, index: int) -> "Place":
        """Return one queue."""
        return Place(self, self.queues[index], [index], self.observed.at([index]))

    def at_server(self, index: int) -> "Place":
        """Return one server, without its queues."""
        return Place(self, self.pools[index], [], self.observed.at([]))


@dataclass(frozen=True)
class Place:
    """The whole system, one queue or one server of a sample; ``queues`` are the positions of those that it covers."""

    sample: Sample
    columns: Columns
    queues: list[int]
    observed: Observed

    def rows(self, chosen: NDArray[np.int64]) -> "Place":
        """Return the place in the replications with the positions ``chosen``."""
        return replace(self, columns=self.columns.rows(chosen), observed=self.observed.rows(chosen))


def foreground(network: NetworkSpec) -> list[int]:
    """Return the positions of the streams that are queues, or of all when there is background work only."""
    chosen = [index for index, stream in enumerate(network.streams) if not stream.background]
    return chosen or list(range(len(network.streams)))


def is_transient(network: NetworkSpec) -> bool:
    """Return whether the run has no steady state: it drains, its arrivals follow a clock, or something is away."""
    kinds = {network.streams[index].arrivals.kind for index in foreground(network)}
    return network.horizon.drained or bool(kinds & TRANSIENT) or outage_end(network) > 0


def outage_end(network: NetworkSpec) -> float:
    """Return when, in seconds, all is back that is away for a while, 0 without an outage: a run says nothing before it
    is made good."""
    outages = [*(pool.outage for pool in network.pools), *(stream.outage for stream in network.streams)]
    away = [*outages, *(stream.absence for stream in network.streams)]
    return max((item.start + item.duration for item in away if item), default=0.0)


def sample_of(network: NetworkSpec, stack: Stack, warmup_seconds: float | None = None) -> Sample:
    """Return the sample of a stack.

    ``warmup_seconds``: None finds the warm-up by MSER-5, a number cuts that much; transient runs are never
    cut, nor are those that ran out of room or got stuck: there is no steady state that they could warm up to, and
    what a cut leaves of them may be no time at all.
    Raises ValueError for a single replication of a transient run.
    """
    transient = is_transient(network)
    if transient and len(stack) < 2:
        raise ValueError("a run without a steady state needs at least two replications")
    overflow = any(row.overflow for row in stack.rows)
    steady = not (transient or overflow or any(row.stuck for row in stack.rows))
    cut = Warmup()
    if steady:
        cut = warmup.automatic(stack) if warmup_seconds is None else warmup.fixed(stack, warmup_seconds)
    queues = tuple(_queue(network, stack, cut.segments, index) for index in range(len(network.streams)))
    pools = tuple(_pool(network, stack, cut.segments, index) for index in range(len(network.pools)))
    return Sample(
        network=network,
        replications=np.array([row.replication for row in stack.rows]),
        units="replications" if len(stack) > 1 else "segments",
        transient=transient,
        warmup=cut,
        system=_system(network, queues, pools),
        queues=queues,
        pools=pools,
        observed=Observed(stack.extremes, stack.per_instance, growth(network, stack)),
        seconds=stack.durations.sum(axis=1),
        overflow=overflow,
    )


def _units(values: NDArray[Number], cut: int) -> NDArray[Number]:
    """Sum the kept segments of each replication, or keep them apart when there is one replication: [R or S', ...]."""
    kept = values[:, cut:]
    total: NDArray[Number] = kept[0] if len(kept) == 1 else kept.sum(axis=1)
    return total


def _base(stack: Stack, cut: int) -> Columns:
    seconds = _units(stack.durations, cut)
    size = len(seconds)
    return Columns(
        runs=seconds / stack.durations.sum(axis=1) if cut else np.full(size, len(stack) / size),
        seconds=seconds,
        counts=np.zeros((size, len(Count)), np.int64),
        sums=np.zeros((size, len(Sum))),
        pool_sums=np.zeros((size, len(PoolSum))),
        kept_back=np.zeros((size, 2)),
        histogram=Histogram.counted(0, np.zeros((size, 1), np.int64)),
        longest=np.zeros(size),
    )


def _queue(network: NetworkSpec, stack: Stack, cut: int, index: int) -> Columns:
    base = _base(stack, cut)
    stream = network.streams[index]
    sent_to = [q for q in range(len(network.streams)) if network.senders(q)]
    sums = _units(stack.sums[:, :, index], cut)
    base.pool_sums[:, PoolSum.BUSY] = sums[:, Sum.RUNNING] - sums[:, Sum.RESTING]
    held = np.array([stream.gate is not None, stream.window is not None])
    base.kept_back[:] = sums[:, Sum.WAIT_DESTINATION, np.newaxis] * held
    return replace(
        base,
        counts=_units(stack.counts[:, :, index], cut),
        sums=sums,
        histogram=_histogram(stack, cut, index),
        longest=np.broadcast_to(stack.extremes[:, index, Extreme.LATENCY_MAX], base.runs.shape),
        chains=_histogram(stack, cut, len(network.streams) + sent_to.index(index)) if index in sent_to else None,
        gates=network.pools[stream.pool].instances if stream.gate else 0,
    )


def _histogram(stack: Stack, cut: int, index: int) -> Histogram:
    first, counts = stack.histograms[index]
    if len(stack) == 1:
        return Histogram.counted(first, counts[0, cut:])
    return Histogram.counted(first, stack.messages[index] - counts[:, :cut].sum(axis=1))


def _pool(network: NetworkSpec, stack: Stack, cut: int, index: int) -> Columns:
    pool = network.pools[index]
    sums = _units(stack.pool_sums[:, :, index], cut)
    own = [place for place, stream in enumerate(network.streams) if stream.pool == index]
    counts = _units(stack.counts[:, :, own].sum(axis=2), cut)
    cpus = pool.cpus * pool.instances
    return replace(_base(stack, cut), counts=counts, pool_sums=sums, cpus=cpus, instances=pool.instances)


def _system(network: NetworkSpec, queues: tuple[Columns, ...], pools: tuple[Columns, ...]) -> Columns:
    """Return the columns of everything but threads beside the servers' own; a chain counts where it ends."""
    servers = [columns for pool, columns in zip(network.pools, pools, strict=True) if pool.host is None]
    parts = [queues[index] for index in foreground(network)]
    ends = [queue for stream, queue in zip(network.streams, queues, strict=True) if not stream.sends]
    sums = np.sum([part.sums for part in parts], axis=0)
    sums[:, Sum.END_TO_END] = np.sum([end.sums[:, Sum.END_TO_END] for end in ends], axis=0)
    chains = [end.chains for end in ends if end.chains is not None]
    return replace(
        parts[0],
        counts=reduce(np.add, (part.counts for part in parts)),
        sums=sums,
        chains=combine(chains) if chains else None,
        kept_back=reduce(np.add, (part.kept_back for part in parts)),
        pool_sums=reduce(np.add, (server.pool_sums for server in servers)),
        histogram=combine([part.histogram for part in parts]),
        longest=np.max([part.longest for part in parts], axis=0),
        gates=sum(part.gates for part in parts),
        cpus=sum(server.cpus for server in servers),
        instances=sum(server.instances for server in servers),
    )


def period(arrivals: ArrivalSpec) -> float:
    """Return the seconds after which the arrivals repeat; 0 for arrivals that follow no clock."""
    if arrivals.kind is ArrivalKind.PERIODIC:
        return arrivals.period
    return arrivals.instants[-1] if arrivals.kind is ArrivalKind.PROFILE else 0.0


def longest_period(network: NetworkSpec) -> float:
    """Return the longest period in seconds that any of the arrivals has; 0 without a clock."""
    return max(period(stream.arrivals) for stream in network.streams)


def longest_cycle(network: NetworkSpec) -> float:
    """Return the same where times on and off, which no clock tells, count with their means, and a log is one cycle."""
    all_arrivals = [stream.arrivals for stream in network.streams]
    return max(max((*item.instants[-1:], item.period, item.mean_on + item.mean_off)) for item in all_arrivals)


def growth(network: NetworkSpec, stack: Stack) -> Floats:
    """Return the messages per second by which the messages inside and those of waiting senders grew, [R, Q], by least
    squares.

    Where arrivals follow a clock, whole periods are compared, so that a backlog is set against that of the same hour;
    with fewer than ``LEAST_PERIODS`` of them in the run the slope says no more than how the run ended.
    A run that ended in its first segment has only its mean level, which is half of what it grew to.
    """
    area = stack.sums[..., UNDONE].sum(axis=3)
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
    centered = middle[late] - middle[late].mean()
    return float(centered @ level[late] / (centered @ centered))


def _by_period(ends: Floats, area: Floats, length: float) -> tuple[Floats, Floats]:
    """Return middle and mean level of windows of whole periods, counted back from the end; none is below a segment."""
    segment = ends[-1] / len(ends)
    width = length * max(1, np.ceil(segment / length))
    width = min(width, length * (ends[-1] // (LEAST_PERIODS * length)))
    edges = ends[-1] - width * np.arange(int(ends[-1] // width), -1, -1)
    inside = np.interp(edges, np.append(0.0, ends), np.append(0.0, area.cumsum()))
    return (edges[1:] + edges[:-1]) / 2, np.diff(inside) / width
