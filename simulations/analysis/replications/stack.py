"""The replications of one point side by side, so that each number is computed for all of them at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from simulations.analysis.replications.histogram import align
from simulations.analysis.replications.rows import ReplicationRow


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
        middle: NDArray[np.float64] = (self.durations.cumsum(axis=1) - self.durations / 2).mean(axis=0)
        return middle


def stacked(rows: Sequence[ReplicationRow]) -> Stack:
    """Return the stack of ``rows``, given in any order; raises ValueError for none or a replication given twice."""
    if not rows:
        raise ValueError("a point needs at least one replication")
    ordered = sorted(rows, key=lambda row: row.replication)
    numbers = [row.replication for row in ordered]
    if len(set(numbers)) < len(numbers):
        msg = f"a replication is given twice among {numbers}"
        raise ValueError(msg)
    return Stack(
        rows=tuple(ordered),
        counts=np.stack([row.counts for row in ordered]),
        sums=np.stack([row.sums for row in ordered]),
        pool_sums=np.stack([row.pool_sums for row in ordered]),
        durations=np.stack([row.durations for row in ordered]),
        extremes=np.stack([row.extremes for row in ordered]),
        per_instance=np.stack([row.per_instance for row in ordered]),
        series=np.stack([row.series for row in ordered]),
        histograms=tuple(align(parts) for parts in zip(*(row.histograms for row in ordered), strict=True)),
    )
