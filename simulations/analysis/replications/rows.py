"""The compact form of a replication: what an executor sends back and the archive keeps.

A dense result holds megabytes of mostly empty histogram; a row holds the same numbers in tens of kilobytes.
Only replication 0 carries its timeline: charts show one path, bands come from the histograms of all. The rows of a
point are stacked, so that each number is computed for all of its replications at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulations.analysis.replications.histogram import align, trim
from simulations.engine.network.results import Check, ReplicationResult


@dataclass(frozen=True)
class ReplicationRow:
    """One replication, compact. Arrays as in ``ReplicationResult``.

    ``histograms`` holds one pair per queue: first bin and counts [S, W] without the empty bins at both ends.
    ``timeline_at`` and ``timeline`` are empty except for replication 0.
    """

    replication: int
    events: int
    counts: NDArray[np.int64]
    sums: NDArray[np.float64]
    pool_sums: NDArray[np.float64]
    durations: NDArray[np.float64]
    extremes: NDArray[np.float64]
    per_instance: NDArray[np.int64]
    histograms: tuple[tuple[int, NDArray[np.int32]], ...]
    series: NDArray[np.float64]
    timeline_at: NDArray[np.float64]
    timeline: NDArray[np.float64]
    checks: tuple[Check, ...]
    overflow: bool
    stuck: bool = False


def compact(result: ReplicationResult) -> ReplicationRow:
    """Return the row of a result."""
    samples = len(result.timeline_at) if result.replication == 0 else 0
    kept: dict[str, Any] = {field.name: getattr(result, field.name) for field in fields(ReplicationRow)}
    kept["histograms"] = tuple(trim(result.histograms[:, queue]) for queue in range(result.histograms.shape[1]))
    kept["timeline_at"], kept["timeline"] = result.timeline_at[:samples].copy(), result.timeline[:samples].copy()
    return ReplicationRow(**kept)


@dataclass(frozen=True)
class Stack:
    """R replications of one network in the order of their numbers; ``ReplicationRow`` explains the arrays.

    ``counts`` [R, S, Q, Count], ``sums`` [R, S, Q, Sum], ``pool_sums`` [R, S, P, PoolSum], ``durations`` [R, S],
    ``extremes`` [R, Q, Extreme], ``per_instance`` [R, Q, I], ``series`` [R, Q, K, 2]; ``histograms``: one pair per
    queue, first bin and counts [R, S, W].
    """

    rows: tuple[ReplicationRow, ...]
    counts: NDArray[np.int64]
    sums: NDArray[np.float64]
    pool_sums: NDArray[np.float64]
    durations: NDArray[np.float64]
    extremes: NDArray[np.float64]
    per_instance: NDArray[np.int64]
    series: NDArray[np.float64]
    histograms: tuple[tuple[int, NDArray[np.int32]], ...]

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def messages(self) -> tuple[NDArray[np.int64], ...]:
        """Completed messages of whole replications by latency, [R, W] for each queue."""
        return tuple(counts.sum(axis=1, dtype=np.int64) for _, counts in self.histograms)

    @cached_property
    def middles(self) -> NDArray[np.float64]:
        """Middle of each segment in seconds, mean over the replications, [S]."""
        return np.asarray((self.durations.cumsum(axis=1) - self.durations / 2).mean(axis=0))


def stacked(rows: Sequence[ReplicationRow]) -> Stack:
    """Return the stack of ``rows``, given in any order; raises ValueError for none or a replication given twice."""
    if not rows:
        raise ValueError("a point needs at least one replication")
    ordered = sorted(rows, key=lambda row: row.replication)
    numbers = [row.replication for row in ordered]
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"a replication is given twice among {numbers}")
    arrays = ("counts", "sums", "pool_sums", "durations", "extremes", "per_instance", "series")
    return Stack(
        rows=tuple(ordered),
        histograms=tuple(align(parts) for parts in zip(*(row.histograms for row in ordered), strict=True)),
        **{name: np.stack([getattr(row, name) for row in ordered]) for name in arrays},
    )
