"""Columns of several samples side by side: what the metrics are computed from."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from simulations.analysis.replications.histogram import Histogram
from simulations.engine.network.results import Count, PoolSum, Sum

Floats = NDArray[np.float64]
Number = TypeVar("Number", np.int64, np.float64)


@dataclass(frozen=True)
class Columns:
    """N samples of one queue, one server or all queues after the warm-up cut; a sample merges one or more replications.

    Attributes:
        runs: [N] replications merged into the sample.
        seconds: [N] simulated time, summed over the merged replications.
        counts: [N, Count] events; zeros for a server.
        sums: [N, Sum] seconds and integrals over time; zeros for a server.
        pool_sums: [N, PoolSum] thread-seconds; for a queue only BUSY (threads that work on its messages).
        histogram: completed messages by latency, N rows.
        longest: [N] longest latency in seconds, warm-up included.
        gates: gates that the sample covers, over all instances.
        cpus: CPUs that the sample covers, over all instances.
    """

    runs: Floats
    seconds: Floats
    counts: NDArray[np.int64]
    sums: Floats
    pool_sums: Floats
    histogram: Histogram
    longest: Floats
    gates: int = 0
    cpus: int = 0

    def count(self, column: Count) -> Floats:
        """Return one integer column as floats, [N]."""
        return self.counts[:, column].astype(np.float64)

    def total(self, column: Sum) -> Floats:
        """Return one float column, [N]."""
        return self.sums[:, column]

    def pool(self, column: PoolSum) -> Floats:
        """Return one thread-second column, [N]."""
        return self.pool_sums[:, column]

    def merged(self) -> "Columns":
        """Return one sample that merges all."""
        return replace(
            self,
            runs=_total(self.runs),
            seconds=_total(self.seconds),
            counts=_total(self.counts),
            sums=_total(self.sums),
            pool_sums=_total(self.pool_sums),
            histogram=self.histogram.merged,
            longest=self.longest.max(axis=0, keepdims=True),
        )

    @cached_property
    def jackknifed(self) -> "Columns":
        """N + 1 samples: the merge of all, then of all but the first, of all but the second, and so on."""
        return replace(
            self,
            runs=_jackknifed(self.runs),
            seconds=_jackknifed(self.seconds),
            counts=_jackknifed(self.counts),
            sums=_jackknifed(self.sums),
            pool_sums=_jackknifed(self.pool_sums),
            histogram=self.histogram.jackknifed,
            longest=np.full(len(self.longest) + 1, self.longest.max()),
        )

    def measured(self, measure: "Measure") -> Floats:
        """Return ``measure`` of ``jackknifed``, [N + 1]; a point that is compared with others is measured once."""
        if measure not in self._measured:
            self._measured[measure] = measure(self.jackknifed)
        return self._measured[measure]

    @cached_property
    def _measured(self) -> "dict[Measure, Floats]":
        return {}

    def rows(self, chosen: NDArray[np.int64]) -> "Columns":
        """Return the samples with the positions ``chosen``; themselves, with what they know of each other, when all."""
        if np.array_equal(chosen, np.arange(len(self.runs))):
            return self
        return replace(
            self,
            runs=self.runs[chosen],
            seconds=self.seconds[chosen],
            counts=self.counts[chosen],
            sums=self.sums[chosen],
            pool_sums=self.pool_sums[chosen],
            histogram=self.histogram.rows(chosen),
            longest=self.longest[chosen],
        )


Measure = Callable[[Columns], Floats]
"""One number of each sample."""


def _jackknifed(values: NDArray[Number]) -> NDArray[Number]:
    total = _total(values)
    return np.concatenate([total, total - values])


def _total(values: NDArray[Number]) -> NDArray[Number]:
    total: NDArray[Number] = values.sum(axis=0, keepdims=True)
    return total


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Return the quotient, nan where the denominator is 0: "nothing of the kind happened" is not the number 0."""
    out = np.full(numerator.shape, np.nan)
    np.divide(numerator, denominator, out=out, where=denominator != 0)
    return out
