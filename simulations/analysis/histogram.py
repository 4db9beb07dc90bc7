"""Latency histograms: merging, percentiles, survival.

The bins are those of ``engine.results.bin_edges``: at most 0.4 % wide, so merged counts lose next to nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulations.engine.results import BINS, bin_edges


@cache
def edges() -> NDArray[np.float64]:
    """Return the edges of all bins in seconds, read-only."""
    values = bin_edges()
    values.setflags(write=False)
    return values


@dataclass(frozen=True)
class Histogram:
    """N histograms over the bins ``first`` to ``first + W - 1``; all other bins are empty. ``counts``: [N, W]."""

    first: int
    counts: NDArray[np.int64]

    @cached_property
    def cumulative(self) -> NDArray[np.int64]:
        """Messages in each bin and all below, [N, W]."""
        return self.counts.cumsum(axis=1)

    def merged(self) -> "Histogram":
        """Return the sum of all as one histogram."""
        return Histogram(self.first, self.counts.sum(axis=0, keepdims=True))

    def without_each(self) -> "Histogram":
        """Return N histograms, each the sum of all but one."""
        return Histogram(self.first, self.counts.sum(axis=0, keepdims=True) - self.counts)

    def rows(self, chosen: NDArray[np.int64]) -> "Histogram":
        """Return the histograms with the positions ``chosen``."""
        return Histogram(self.first, self.counts[chosen])

    def percentile(self, share: float) -> NDArray[np.float64]:
        """Return the latency in seconds below which ``share`` (0 < share < 1) of the messages lie, [N].

        Linear inside the bin that holds the rank; nan where a histogram is empty.
        """
        cumulative = self.cumulative
        size = cumulative[:, -1]
        rank = share * size
        at = (cumulative >= rank[:, None]).argmax(axis=1)
        row = np.arange(len(at))
        inside = self.counts[row, at]
        part = (rank - (cumulative[row, at] - inside)) / np.maximum(inside, 1)
        lower, upper = edges()[self.first + at], edges()[self.first + at + 1]
        found: NDArray[np.float64] = np.where(size > 0, lower + part * (upper - lower), np.nan)
        return found

    def survival(self) -> NDArray[np.float64]:
        """Return the share of messages slower than each upper bin edge, [N, W]; nan where a histogram is empty."""
        cumulative = self.cumulative
        size = cumulative[:, -1:].astype(np.float64)
        below = np.full(cumulative.shape, np.nan)
        np.divide(cumulative, size, out=below, where=size > 0)
        return 1.0 - below


def combine(histograms: Sequence[Histogram]) -> Histogram:
    """Return the sum of several sets of N histograms, row by row."""
    first, counts = align([(histogram.first, histogram.counts) for histogram in histograms])
    return Histogram(first, counts.sum(axis=0))


def align(parts: Sequence[tuple[int, NDArray[Any]]]) -> tuple[int, NDArray[np.int64]]:
    """Stack trimmed count arrays ``(first bin, [..., W])`` on their common bins: first bin and [parts, ..., W]."""
    used = [(first, counts) for first, counts in parts if counts.shape[-1]]
    if not used:
        return 0, np.zeros((len(parts), *parts[0][1].shape[:-1], 1), np.int64)
    first = min(first for first, _ in used)
    last = max(first + counts.shape[-1] for first, counts in used)
    out = np.zeros((len(parts), *parts[0][1].shape[:-1], last - first), np.int64)
    for row, (start, counts) in zip(out, parts, strict=True):
        row[..., start - first : start - first + counts.shape[-1]] = counts
    return first, out


def trim(counts: NDArray[np.int32]) -> tuple[int, NDArray[np.int32]]:
    """Cut the bins at both ends of ``counts`` [..., BINS] that are empty everywhere: first bin kept and [..., W]."""
    used = np.flatnonzero(counts.reshape(-1, BINS).any(axis=0))
    if not used.size:
        return 0, counts[..., :0]
    return int(used[0]), counts[..., used[0] : used[-1] + 1]
