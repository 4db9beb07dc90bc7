"""The compact form of a replication: what an executor sends back and the archive keeps.

A dense result holds megabytes of mostly empty histogram; a row holds the same numbers in tens of kilobytes.
Only replication 0 carries its timeline: charts show one path, bands come from the histograms of all. The rows of a
point are stacked, so that each number is computed for all of its replications at once. The bins of histograms are
those of ``engine.results.bin_edges``: at most 0.4 % wide, so merged counts lose next to nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from simulations.engine.network.results import BINS, Numbers, Replication, ReplicationResult, bin_edges

Whole = TypeVar("Whole", np.int32, np.int64)


@cache
def edges() -> NDArray[np.float64]:
    """Return the edges of all bins in seconds, read-only."""
    values = bin_edges()
    values.setflags(write=False)
    return values


def ratio(numerator: NDArray[Any], denominator: NDArray[Any]) -> NDArray[np.float64]:
    """Return the quotient, nan where the denominator is 0: "nothing of the kind happened" is not the number 0."""
    out = np.full(numerator.shape, np.nan)
    np.divide(numerator, denominator, out=out, where=denominator != 0)
    return out


@dataclass(frozen=True)
class Histogram:
    """N histograms over the bins ``first`` to ``first + W - 1``; all other bins are empty. ``cumulative``: messages in
    each bin and all below, [N, W]."""

    first: int
    cumulative: NDArray[np.int64]

    @classmethod
    def counted(cls, first: int, counts: NDArray[np.integer[Any]]) -> "Histogram":
        """Return the histograms with ``counts`` [N, W] messages in each bin."""
        return cls(first, counts.cumsum(axis=1, dtype=np.int64))

    @property
    def counts(self) -> NDArray[np.int64]:
        """Messages in each bin, [N, W]."""
        return np.diff(self.cumulative, axis=1, prepend=0)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Messages in each histogram, [N]."""
        return self.cumulative[:, -1]

    @cached_property
    def jackknifed(self) -> "Histogram":
        """N + 1 histograms: the sum of all, then of all but the first, of all but the second, and so on."""
        total = self.cumulative.sum(axis=0, keepdims=True)
        return Histogram(self.first, np.concatenate([total, total - self.cumulative]))

    @property
    def merged(self) -> "Histogram":
        """The sum of all N as one histogram."""
        return Histogram(self.first, self.jackknifed.cumulative[:1])

    def rows(self, chosen: NDArray[np.int64]) -> "Histogram":
        """Return the histograms with the positions ``chosen``."""
        return Histogram(self.first, self.cumulative[chosen])

    def percentile(self, share: float) -> NDArray[np.float64]:
        """Return the latency in seconds below which ``share`` (0 < share < 1) of the messages lie, [N]. Linear inside
        the bin that holds the rank; nan where a histogram is empty."""
        lines, rank = self.cumulative, share * self.sizes
        whole = np.ceil(rank).astype(np.int64)
        at = np.array([line.searchsorted(least) for line, least in zip(lines, whole, strict=True)])
        row = np.arange(len(at))
        below = np.where(at > 0, lines[row, at - 1], 0)
        part = (rank - below) / np.maximum(lines[row, at] - below, 1)
        lower, upper = edges()[self.first + at], edges()[self.first + at + 1]
        return np.where(self.sizes > 0, lower + part * (upper - lower), np.nan)

    def survival(self, bins: NDArray[np.intp] | slice) -> NDArray[np.float64]:
        """Return the share of messages slower than the upper edge of ``bins``, [N, bins]; nan where there is none."""
        return 1.0 - ratio(self.cumulative[:, bins], self.sizes[:, None])


def combine(histograms: Sequence[Histogram]) -> Histogram:
    """Return the sum of several sets of N histograms, row by row."""
    if len(histograms) == 1:
        return histograms[0]
    first, counts = align([(histogram.first, histogram.counts) for histogram in histograms])
    return Histogram.counted(first, counts.sum(axis=0))


def align(parts: Sequence[tuple[int, NDArray[Whole]]]) -> tuple[int, NDArray[Whole]]:
    """Stack trimmed count arrays ``(first bin, [..., W])`` on their common bins: first bin and [parts, ..., W]. There
    is at least one bin."""
    used = [(first, first + counts.shape[-1]) for first, counts in parts if counts.shape[-1]] or [(0, 1)]
    first, last = min(first for first, _ in used), max(last for _, last in used)
    out = np.zeros((len(parts), *parts[0][1].shape[:-1], last - first), parts[0][1].dtype)
    for row, (start, counts) in zip(out, parts, strict=True):
        row[..., start - first :][..., : counts.shape[-1]] = counts
    return first, out


def trim(counts: NDArray[np.int32]) -> tuple[int, NDArray[np.int32]]:
    """Cut the bins at both ends of ``counts`` [..., BINS] that are empty everywhere: first bin kept and [..., W]. The
    rest is a copy: a view would keep all of ``counts`` in memory, about a megabyte for each queue."""
    used = np.flatnonzero(np.bitwise_or.reduce(counts.reshape(-1, BINS), axis=0))
    if not used.size:
        return 0, counts[..., :0]
    return int(used[0]), counts[..., used[0] : used[-1] + 1].copy()


@dataclass(frozen=True, kw_only=True)
class ReplicationRow(Replication):
    """One replication, compact: ``timeline_at`` and ``timeline`` are empty except for replication 0."""

    histograms: tuple[tuple[int, NDArray[np.int32]], ...]
    """One pair per queue: first bin and counts [S, W] without the empty bins at both ends."""


def compact(result: ReplicationResult) -> ReplicationRow:
    """Return the row of a result."""
    samples = len(result.timeline_at) if result.replication == 0 else 0
    kept: dict[str, Any] = {field.name: getattr(result, field.name) for field in fields(ReplicationRow)}
    kept["histograms"] = tuple(trim(result.histograms[:, queue]) for queue in range(result.histograms.shape[1]))
    kept["timeline_at"], kept["timeline"] = result.timeline_at[:samples].copy(), result.timeline[:samples].copy()
    return ReplicationRow(**kept)


@dataclass(frozen=True, kw_only=True)
class Stack(Numbers):
    """R replications of one network in the order of their numbers; arrays have one more dimension in front, R."""

    rows: tuple[ReplicationRow, ...]
    histograms: tuple[tuple[int, NDArray[np.int32]], ...]
    """One pair per queue: first bin and counts [R, S, W]."""

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
    ordered = sorted(rows, key=lambda row: row.replication)
    numbers = [row.replication for row in ordered]
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"a replication is given twice among {numbers}")
    return Stack(
        rows=tuple(ordered),
        histograms=tuple(align(parts) for parts in zip(*(row.histograms for row in ordered), strict=True)),
        **{item.name: np.stack([getattr(row, item.name) for row in ordered]) for item in fields(Numbers)},
    )
