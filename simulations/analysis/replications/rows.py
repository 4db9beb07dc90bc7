"""The compact form of a replication: what an executor sends back and the archive keeps.

A dense result holds megabytes of mostly empty histogram; a row holds the same numbers in tens of kilobytes.
Only replication 0 carries its timeline: charts show one path, bands come from the histograms of all.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulations.analysis.replications.histogram import trim
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
    return ReplicationRow(
        replication=result.replication,
        events=result.events,
        counts=result.counts,
        sums=result.sums,
        pool_sums=result.pool_sums,
        durations=result.durations,
        extremes=result.extremes,
        per_instance=result.per_instance,
        histograms=tuple(trim(result.histograms[:, queue]) for queue in range(result.histograms.shape[1])),
        series=result.series,
        timeline_at=result.timeline_at[:samples].copy(),
        timeline=result.timeline[:samples].copy(),
        checks=result.checks,
        overflow=result.overflow,
        stuck=result.stuck,
    )
