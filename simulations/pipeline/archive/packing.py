"""Rows of replications as plain columns, and histograms as a few kilobytes: what travels and what is stored."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from simulations.analysis.replications.rows import ReplicationRow
from simulations.engine.network.results import SERIES_BINS, Check, Count, Extreme, PoolSum, Sum, Timeline

_CODEC = pa.Codec("zstd", compression_level=1)


def to_plain(row: ReplicationRow) -> dict[str, Any]:
    """Return the row as numbers, flat arrays, lists and bytes, one key per column of the pipeline's schema."""
    packed = [compress(counts) for _, counts in row.histograms]
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
        "histogram_bytes": [size for size, _ in packed],
        "histogram_counts": [data for _, data in packed],
        "series": row.series.ravel(),
        "timeline_at": row.timeline_at,
        "timeline": row.timeline.ravel(),
        "check_names": [check.name for check in row.checks],
        "check_passed": [check.passed for check in row.checks],
        "check_residuals": [check.residual for check in row.checks],
        "overflow": row.overflow,
        "stuck": row.stuck,
    }


def from_plain(plain: Mapping[str, Any]) -> ReplicationRow:
    """Return the row that ``to_plain`` flattened (lists or arrays alike); raises ValueError when sizes disagree."""
    segments, queues, pools = int(plain["segments"]), int(plain["queues"]), int(plain["pools"])
    samples = len(plain["timeline_at"])
    names = ("histogram_first", "histogram_width", "histogram_bytes", "histogram_counts")
    packed = zip(*(plain[name] for name in names), strict=True)
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
        histograms=tuple(
            (int(first), decompress(int(size), data, segments, int(width))) for first, width, size, data in packed
        ),
        series=_floats(plain["series"], queues, SERIES_BINS, 2),
        timeline_at=_floats(plain["timeline_at"], samples),
        timeline=_floats(plain["timeline"], samples, queues, len(Timeline)),
        checks=tuple(Check(str(name), bool(passed), float(residual)) for name, passed, residual in checks),
        overflow=bool(plain["overflow"]),
        stuck=bool(plain["stuck"]),
    )


def _floats(values: Any, *shape: int) -> NDArray[np.float64]:
    return np.asarray(values, np.float64).reshape(shape)


def compress(counts: NDArray[np.int32]) -> tuple[int, bytes]:
    """Return how many bytes N a count needs, and N planes by Zstandard: all lowest bytes, then all second bytes, ..."""
    size = max(1, -(-int(counts.max(initial=0)).bit_length() // 8))
    planes = np.empty((size, *counts.shape), np.uint8)
    for number, plane in enumerate(planes):
        np.copyto(plane, counts >> 8 * number if number else counts, casting="unsafe")
    return size, _CODEC.compress(planes, asbytes=True)


def decompress(size: int, data: bytes, segments: int, width: int) -> NDArray[np.int32]:
    """Return the counts [segments, width] that ``compress`` packed; raises OSError when the sizes differ."""
    unpacked = _CODEC.decompress(data, size * segments * width)
    planes = np.frombuffer(unpacked, np.uint8).reshape(size, segments, width)
    counts: NDArray[np.int32] = planes[0].astype(np.int32)
    for number, plane in enumerate(planes[1:], start=1):
        counts |= plane.astype(np.int32) << 8 * number
    return counts
