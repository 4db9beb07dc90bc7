"""Replications of one point made ready for measuring: warm-up cut, merged by queue, by server and in all."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from simulations.analysis import warmup
from simulations.analysis.columns import Columns, Floats
from simulations.analysis.growth import growth
from simulations.analysis.histogram import Histogram, align, combine
from simulations.analysis.measures import Observed
from simulations.analysis.rows import ReplicationRow
from simulations.analysis.warmup import Warmup
from simulations.engine.network import ArrivalKind, NetworkSpec
from simulations.engine.results import Count, Extreme, PoolSum, Sum

TRANSIENT = frozenset({ArrivalKind.SURGE, ArrivalKind.PROFILE, ArrivalKind.TRACE, ArrivalKind.PERIODIC})
"""Arrivals without a steady state."""


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


def foreground(network: NetworkSpec) -> list[int]:
    """Return the positions of the streams that are queues, or of all when there is background work only."""
    chosen = [index for index, stream in enumerate(network.streams) if not stream.background]
    return chosen or list(range(len(network.streams)))


def is_transient(network: NetworkSpec) -> bool:
    """Return whether the run has no steady state: it drains, or its arrivals follow a clock."""
    kinds = {network.streams[index].arrivals.kind for index in foreground(network)}
    return network.horizon.drained or bool(kinds & TRANSIENT)


def gather(network: NetworkSpec, rows: Sequence[ReplicationRow], warmup_seconds: float | None = None) -> Sample:
    """Return the sample of ``rows`` in the order of their replication numbers.

    ``warmup_seconds``: None finds the warm-up by MSER-5, a number cuts that much; transient runs are never
    cut, nor are those that ran out of room: there is no steady state that they could warm up to.
    Raises ValueError for no rows, a replication given twice, or a single replication of a transient run.
    """
    rows = sorted(rows, key=lambda row: row.replication)
    transient = is_transient(network)
    _check(rows, transient=transient)
    overflow = any(row.overflow for row in rows)
    cut = Warmup() if transient or overflow else _warmup(rows, warmup_seconds)
    units = "replications" if len(rows) > 1 else "segments"
    queues = tuple(_queue(network, rows, cut.segments, index) for index in range(len(network.streams)))
    pools = tuple(_pool(network, rows, cut.segments, index) for index in range(len(network.pools)))
    return Sample(
        network=network,
        replications=np.array([row.replication for row in rows]),
        units=units,
        transient=transient,
        warmup=cut,
        system=_system(queues, pools, foreground(network)),
        queues=queues,
        pools=pools,
        observed=_observed(network, rows),
        seconds=np.array([row.durations.sum() for row in rows]),
        overflow=overflow,
    )


def _check(rows: Sequence[ReplicationRow], *, transient: bool) -> None:
    numbers = [row.replication for row in rows]
    if not rows:
        raise ValueError("a point needs at least one replication")
    if len(set(numbers)) < len(numbers):
        msg = f"a replication is given twice among {numbers}"
        raise ValueError(msg)
    if transient and len(rows) < 2:
        raise ValueError("a run without a steady state needs at least two replications")


def _warmup(rows: Sequence[ReplicationRow], seconds: float | None) -> Warmup:
    return warmup.automatic(rows) if seconds is None else warmup.fixed(rows, seconds)


def _units(values: Sequence[NDArray[np.generic]], cut: int) -> NDArray[np.generic]:
    """Sum the kept segments of each replication, or keep them apart when there is one replication: [R or S', ...]."""
    if len(values) == 1:
        return values[0][cut:]
    return np.stack([value[cut:].sum(axis=0) for value in values])


def _base(rows: Sequence[ReplicationRow], cut: int) -> Columns:
    seconds = _units([row.durations for row in rows], cut)
    size = len(seconds)
    return Columns(
        runs=np.full(size, len(rows) / size),
        seconds=seconds.astype(np.float64),
        counts=np.zeros((size, len(Count)), np.int64),
        sums=np.zeros((size, len(Sum))),
        pool_sums=np.zeros((size, len(PoolSum))),
        histogram=Histogram.counted(0, np.zeros((size, 1), np.int64)),
        longest=np.zeros(size),
    )


def _queue(network: NetworkSpec, rows: Sequence[ReplicationRow], cut: int, index: int) -> Columns:
    base = _base(rows, cut)
    stream = network.streams[index]
    sums = _units([row.sums[:, index] for row in rows], cut).astype(np.float64)
    base.pool_sums[:, PoolSum.BUSY] = sums[:, Sum.RUNNING] - sums[:, Sum.RESTING]
    longest = np.array([row.extremes[index, Extreme.LATENCY_MAX] for row in rows])
    return replace(
        base,
        counts=_units([row.counts[:, index] for row in rows], cut).astype(np.int64),
        sums=sums,
        histogram=_histogram(rows, cut, index),
        longest=np.broadcast_to(longest, base.runs.shape),
        gates=network.pools[stream.pool].instances if stream.gate else 0,
    )


def _histogram(rows: Sequence[ReplicationRow], cut: int, index: int) -> Histogram:
    if len(rows) == 1:
        first, counts = rows[0].histograms[index]
        return Histogram.counted(*align([(first, segment) for segment in counts[cut:]]))
    trimmed = [row.histograms[index] for row in rows]
    return Histogram.counted(*align([(first, counts[cut:].sum(axis=0)) for first, counts in trimmed]))


def _pool(network: NetworkSpec, rows: Sequence[ReplicationRow], cut: int, index: int) -> Columns:
    pool = network.pools[index]
    sums = _units([row.pool_sums[:, index] for row in rows], cut).astype(np.float64)
    return replace(_base(rows, cut), pool_sums=sums, cpus=pool.cpus * pool.instances)


def _system(queues: tuple[Columns, ...], pools: tuple[Columns, ...], chosen: list[int]) -> Columns:
    parts = [queues[index] for index in chosen]
    return replace(
        parts[0],
        counts=sum((part.counts for part in parts[1:]), parts[0].counts),
        sums=sum((part.sums for part in parts[1:]), parts[0].sums),
        pool_sums=sum((pool.pool_sums for pool in pools[1:]), pools[0].pool_sums),
        histogram=combine([part.histogram for part in parts]),
        longest=np.max([part.longest for part in parts], axis=0),
        gates=sum(part.gates for part in parts),
        cpus=sum(pool.cpus for pool in pools),
    )


def _observed(network: NetworkSpec, rows: Sequence[ReplicationRow]) -> Observed:
    return Observed(
        extremes=np.stack([row.extremes for row in rows]),
        per_instance=np.stack([row.per_instance for row in rows]),
        growth=np.stack([growth(network, row) for row in rows]),
    )
