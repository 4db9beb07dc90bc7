"""The compact form of a replication: what an executor sends back and the archive keeps.

A dense result holds megabytes of mostly empty histogram; a row holds the same numbers in tens of kilobytes.
Only replication 0 carries its timeline: charts show one path, bands come from the histograms of all.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulations.analysis.histogram import compress, decompress, trim
from simulations.engine.results import (
    SERIES_BINS,
    Check,
    Count,
    Extreme,
    PoolSum,
    ReplicationResult,
    Sum,
    Timeline,
)


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
        timeline_at=result.timeline_at[:samples],
        timeline=result.timeline[:samples],
        checks=result.checks,
        overflow=result.overflow,
    )


def to_plain(row: ReplicationRow) -> dict[str, Any]:
    """Return the row as numbers, flat arrays, lists and bytes, one key per column of the pipeline's schema."""
    return {
        "replication": row.replication,
        "events": row.events,
        "segments": row.counts.shape[0],
        "queues": row.counts.shape[1],
        "pools": row.pool_sums.shape[1],
        "counts": row.counts.ravel(),
        "sums": row.sums.ravel(),
        "pool_sums": row.pool_sums.ravel(),
        "durations": row.durations,
        "extremes": row.extremes.ravel(),
        "per_instance": row.per_instance.ravel(),
        "histogram_first": [first for first, _ in row.histograms],
        "histogram_width": [counts.shape[-1] for _, counts in row.histograms],
        "histogram_counts": [compress(counts) for _, counts in row.histograms],
        "series": row.series.ravel(),
        "timeline_at": row.timeline_at,
        "timeline": row.timeline.ravel(),
        "check_names": [check.name for check in row.checks],
        "check_passed": [check.passed for check in row.checks],
        "check_residuals": [check.residual for check in row.checks],
        "overflow": row.overflow,
    }


def from_plain(plain: Mapping[str, Any]) -> ReplicationRow:
    """Return the row that ``to_plain`` flattened (lists or arrays alike); raises ValueError when sizes disagree."""
    segments, queues, pools = int(plain["segments"]), int(plain["queues"]), int(plain["pools"])
    samples = len(plain["timeline_at"])
    packed = zip(plain["histogram_first"], plain["histogram_width"], plain["histogram_counts"], strict=True)
    checks = zip(plain["check_names"], plain["check_passed"], plain["check_residuals"], strict=True)
    return ReplicationRow(
        replication=int(plain["replication"]),
        events=int(plain["events"]),
        counts=np.asarray(plain["counts"], np.int64).reshape(segments, queues, len(Count)),
        sums=_floats(plain["sums"], segments, queues, len(Sum)),
        pool_sums=_floats(plain["pool_sums"], segments, pools, len(PoolSum)),
        durations=_floats(plain["durations"], segments),
        extremes=_floats(plain["extremes"], queues, len(Extreme)),
        per_instance=np.asarray(plain["per_instance"], np.int64).reshape(queues, -1),
        histograms=tuple((int(first), decompress(data, segments, int(width))) for first, width, data in packed),
        series=_floats(plain["series"], queues, SERIES_BINS, 2),
        timeline_at=_floats(plain["timeline_at"], samples),
        timeline=_floats(plain["timeline"], samples, queues, len(Timeline)),
        checks=tuple(Check(str(name), bool(passed), float(residual)) for name, passed, residual in checks),
        overflow=bool(plain["overflow"]),
    )


def _floats(values: Any, *shape: int) -> NDArray[np.float64]:
    return np.asarray(values, np.float64).reshape(shape)
