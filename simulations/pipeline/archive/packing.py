"""Rows of replications as plain columns, and histograms as a few kilobytes: what travels and what is stored."""

import math
import zlib
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from simulations.analysis.replications.rows import ReplicationRow
from simulations.engine.network.results import SERIES_BINS, Check, Count, Extreme, PoolSum, Sum, Timeline

_CODEC = pa.Codec("zstd", compression_level=1)
_ZLIB = b"\x78"
"""How data by zlib begins; those by Zstandard begin otherwise."""

SHAPES: Mapping[str, tuple[str | int | type[IntEnum], ...]] = {
    "counts": ("segments", "queues", Count),
    "sums": ("segments", "queues", Sum),
    "pool_sums": ("segments", "pools", PoolSum),
    "durations": ("segments",),
    "extremes": ("queues", Extreme),
    "per_instance": ("queues", -1),
    "series": ("queues", SERIES_BINS, 2),
    "timeline_at": ("samples",),
    "timeline": ("samples", "queues", Timeline),
}
"""Array of a row -> its dimensions: sizes by name, numbers, and the columns of the last one."""
WHOLE = ("counts", "per_instance")
"""Arrays of whole numbers; all others are floats."""


def to_plain(row: ReplicationRow) -> dict[str, Any]:
    """Return the row as numbers, flat arrays, lists and bytes, one key per column of the pipeline's schema."""
    packed = [compress(counts) for _, counts in row.histograms]
    return {
        **{name: getattr(row, name).ravel() for name in SHAPES},
        **{name: getattr(row, name) for name in ("replication", "events", "overflow", "stuck")},
        "segments": row.counts.shape[0],
        "queues": row.counts.shape[1],
        "pools": row.pool_sums.shape[1],
        "histogram_first": [first for first, _ in row.histograms],
        "histogram_width": [counts.shape[-1] for _, counts in row.histograms],
        "histogram_bytes": [size for size, _ in packed],
        "histogram_counts": [data for _, data in packed],
        "check_names": [check.name for check in row.checks],
        "check_passed": [check.passed for check in row.checks],
        "check_residuals": [check.residual for check in row.checks],
    }


def from_plain(plain: Mapping[str, Any]) -> ReplicationRow:
    """Return the row that ``to_plain`` flattened (lists or arrays alike); raises ValueError when sizes disagree."""
    sizes = {name: int(plain[name]) for name in ("segments", "queues", "pools")}
    sizes["samples"] = len(plain["timeline_at"])
    arrays: dict[str, Any] = {
        name: _shaped(np.asarray(plain[name], np.int64 if name in WHOLE else np.float64), shape, sizes)
        for name, shape in SHAPES.items()
    }
    names = ("histogram_first", "histogram_width", "histogram_bytes", "histogram_counts")
    packed = zip(*(plain[name] for name in names), strict=True)
    checks = zip(plain["check_names"], plain["check_passed"], plain["check_residuals"], strict=True)
    return ReplicationRow(
        replication=int(plain["replication"]),
        events=int(plain["events"]),
        histograms=tuple(
            (int(first), decompress(int(size), data, sizes["segments"], int(width)))
            for first, width, size, data in packed
        ),
        checks=tuple(Check(str(name), bool(passed), float(residual)) for name, passed, residual in checks),
        overflow=bool(plain["overflow"]),
        stuck=bool(plain["stuck"]),
        **arrays,
    )


def _shaped(values: NDArray[Any], shape: Sequence[str | int | type[IntEnum]], sizes: Mapping[str, int]) -> NDArray[Any]:
    """Kinds of columns are added at the end: a row that an earlier release stored has 0 in the newest ones."""
    named = [sizes[part] if isinstance(part, str) else part for part in shape]
    *lines, last = [part if isinstance(part, int) else len(part) for part in named]
    if isinstance(shape[-1], type) and 0 < values.size < math.prod(lines) * last:
        table = values.reshape(math.prod(lines), -1)
        values = np.pad(table, ((0, 0), (0, last - table.shape[1])))
    return values.reshape(*lines, last)


def compress(counts: NDArray[np.int32], *, tight: bool = False) -> tuple[int, bytes]:
    """Return how many bytes N a count needs, and N planes by Zstandard: all lowest bytes, then all second bytes, ...

    ``tight``: in a fifth less space and three times the time. Bins side by side count alike, so bin after bin a Huffman
    code for each few thousand counts comes near their entropy.
    """
    size = max(1, -(-int(counts.max(initial=0)).bit_length() // 8))
    lines = counts.T if tight else counts
    planes = np.empty((size, *lines.shape), np.uint8)
    for number, plane in enumerate(planes):
        np.copyto(plane, lines >> 8 * number if number else lines, casting="unsafe")
    if not tight:
        return size, _CODEC.compress(planes, asbytes=True)
    coder = zlib.compressobj(memLevel=5, strategy=zlib.Z_RLE)
    return size, coder.compress(planes.data) + coder.flush()


def decompress(size: int, data: bytes, segments: int, width: int) -> NDArray[np.int32]:
    """Return the counts [segments, width] that ``compress`` packed; raises OSError or ValueError when sizes differ."""
    if data.startswith(_ZLIB):
        planes = np.frombuffer(zlib.decompress(data), np.uint8).reshape(size, width, segments).transpose(0, 2, 1)
    else:
        unpacked = _CODEC.decompress(data, size * segments * width)
        planes = np.frombuffer(unpacked, np.uint8).reshape(size, segments, width)
    counts: NDArray[np.int32] = planes[0].astype(np.int32, order="C")
    for number, plane in enumerate(planes[1:], start=1):
        counts |= plane.astype(np.int32) << 8 * number
    return counts
