"""How samples become numbers: columns of several samples side by side, and the arithmetic behind ``metrics``.

Pooled measures take ``Columns`` (several replications may be merged in one sample); observations take what each
replication saw for itself. Both return one number per sample, nan where it says nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import attrgetter, itemgetter, methodcaller
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from simulations.analysis.replications.rows import Histogram, ratio
from simulations.engine.network.results import OUTCOMES, Count, Extreme, PoolSum, Sum

Floats = NDArray[np.float64]
Number = TypeVar("Number", np.int64, np.float64)
Column = Count | Sum | PoolSum
FEW = 100
"""Of fewer events replications may agree by chance, and none shows what the next one may see."""


@dataclass(frozen=True)
class Columns:
    """N samples of one queue, one server or all queues after the warm-up cut; a sample merges one or more replications.

    ``columns[Sum.BACKLOG]`` is one column as floats, [N].

    Attributes:
        runs: [N] replications merged into the sample, each by the share of its time that is left after the warm-up.
        seconds: [N] simulated time, summed over the merged replications.
        counts: [N, Count] events; of a server those of its queues.
        sums: [N, Sum] seconds and integrals over time; zeros for a server.
        pool_sums: [N, PoolSum] thread-seconds; for a queue only BUSY (threads that work on its messages).
        histogram: completed messages by latency, N rows.
        kept_back: [N, 2] seconds of completed messages on the destinations of queues with a gate, and with a window.
        longest: [N] longest latency in seconds, warm-up included.
        gates: gates that the sample covers, over all instances.
        cpus: CPUs that the sample covers, over all instances.
        instances: instances of the servers that the sample covers.
        chains: completed messages by the time since their chains began, N rows; None where no queue sends messages.
    """

    runs: Floats
    seconds: Floats
    counts: NDArray[np.int64]
    sums: Floats
    pool_sums: Floats
    kept_back: Floats
    histogram: Histogram
    longest: Floats
    gates: int = 0
    cpus: int = 0
    instances: int = 0
    chains: Histogram | None = None

    def __getitem__(self, column: Column) -> Floats:
        if isinstance(column, Count):
            return self.counts[:, column].astype(np.float64)
        return (self.sums if isinstance(column, Sum) else self.pool_sums)[:, column]

    def total(self, columns: Iterable[Column]) -> Floats:
        """Return the sum of several columns, one added after the other."""
        return reduce(np.add, (self[column] for column in columns))

    def merged(self) -> "Columns":
        """Return one sample that merges all."""
        return self._changed(_total, attrgetter("merged"), self.longest.max(axis=0, keepdims=True))

    @cached_property
    def jackknifed(self) -> "Columns":
        """N + 1 samples: the merge of all, then of all but the first, of all but the second, and so on."""
        longest = np.full(len(self.longest) + 1, self.longest.max())
        return self._changed(_jackknifed, attrgetter("jackknifed"), longest)

    def rows(self, chosen: NDArray[np.int64]) -> "Columns":
        """Return the samples with the positions ``chosen``; this object, with its cached values, when all are."""
        if np.array_equal(chosen, np.arange(len(self.runs))):
            return self
        return self._changed(itemgetter(chosen), methodcaller("rows", chosen), self.longest[chosen])

    @cached_property
    def of_chains(self) -> "Columns":
        """The same with the time from the first arrival of their chains as the messages' latency."""
        return replace(self, histogram=self.chains or self.histogram, longest=np.full_like(self.longest, np.inf))

    def beyond(self, share: float) -> float:
        """Return how many messages of all replications lie above the percentile of that share."""
        return float(self.jackknifed.histogram.sizes[0] * (1 - share))

    def _changed(
        self, change: Callable[[NDArray[Any]], Any], counted: Callable[[Histogram], Histogram], longest: Floats
    ) -> "Columns":
        """Return the columns with ``counted`` of the histograms, ``longest``, and ``change`` of all that is summed."""
        columns = ("runs", "seconds", "counts", "sums", "pool_sums", "kept_back")
        summed = {name: change(getattr(self, name)) for name in columns}
        chains = None if self.chains is None else counted(self.chains)
        return replace(self, **summed, histogram=counted(self.histogram), chains=chains, longest=longest)

    def few(self, events: Sequence[Count]) -> float:
        """Return how many of these ``events`` there were, where they are few in all and beside the arrivals; else 0."""
        counts = self.jackknifed.counts[0]
        happened = float(counts[list(events)].sum())
        return happened if happened < min(FEW, counts[Count.ARRIVED] / 2) else 0.0

    def measured(self, measure: "Measure") -> Floats:
        """Return ``measure`` of ``jackknifed``, [N + 1]; a point that is compared with others is measured once."""
        if measure not in self._measured:
            self._measured[measure] = measure(self.jackknifed)
        return self._measured[measure]

    @cached_property
    def _measured(self) -> "dict[Measure, Floats]":
        return {}


Measure = Callable[[Columns], Floats]
"""One number of each sample."""


def _jackknifed(values: NDArray[Number]) -> NDArray[Number]:
    total = _total(values)
    return np.concatenate([total, total - values])


def _total(values: NDArray[Number]) -> NDArray[Number]:
    total: NDArray[Number] = values.sum(axis=0, keepdims=True)
    return total


def percentile(share: float) -> Measure:
    """Return the measure of a latency percentile; never above the longest latency, however wide the bin."""

    def measure(columns: Columns) -> Floats:
        return np.minimum(columns.histogram.percentile(share), columns.longest)

    return measure


def over_time(*summed: Column, of: Literal["cpus", "gates", "instances", ""] = "") -> Measure:
    """Return the measure of events per second, of a time average or of the mean number of threads in a state. Several
    columns are added up. ``of``: what each offers this time, so that the measure is a share of it."""

    def measure(columns: Columns) -> Floats:
        return ratio(columns.total(summed), columns.seconds * (getattr(columns, of) if of else 1))

    return measure


def per_run(column: Count) -> Measure:
    """Return the measure of events per replication, at the pace after the warm-up over its whole time. So points whose
    warm-ups differ can be compared."""
    return lambda columns: ratio(columns[column], columns.runs)


def quotient(part: Column, whole: Column, *more: Column, less: Column | None = None) -> Measure:
    """Return the measure of one column, of several added up or without another, divided by ``whole``."""

    def measure(columns: Columns) -> Floats:
        parts = columns.total((part, *more))
        return ratio(parts if less is None else parts - columns[less], columns[whole])

    return measure


def kept_back(place: int) -> Measure:
    """Return the measure of the mean time of a message on the destination of a queue with a gate (0) or window (1)."""
    return lambda columns: ratio(columns.kept_back[:, place], columns[Count.COMPLETED])


def thread_wait(columns: Columns) -> Floats:
    """Return the mean time of a message before its thread, without what a gate or a window kept back."""
    waits = columns[Sum.WAIT_DESTINATION] + columns[Sum.WAIT_PREPARED] + columns[Sum.WAIT_THREAD]
    return ratio(np.maximum(waits - columns.kept_back.sum(axis=1), 0.0), columns[Count.COMPLETED])


def chain_mean(columns: Columns) -> Floats:
    """Return the mean time from the first arrival of their chains, of columns of chains."""
    return ratio(columns[Sum.END_TO_END], columns.histogram.sizes.astype(np.float64))


def wasted(columns: Columns) -> Floats:
    """Return rolled-back thread time, and agent time of records that timed out, per thread time."""
    return ratio(columns[Sum.WASTED], columns[Sum.RUNNING] - columns[Sum.RESTING])


def unfinished(columns: Columns) -> Floats:
    """Return the messages that arrived and did not end; of columns without warm-up cut those inside at the end."""
    return np.asarray(columns[Count.ARRIVED] - columns.counts[:, OUTCOMES].sum(axis=1))


@dataclass(frozen=True)
class Observed:
    """What R replications saw at Q queues.

    ``extremes`` [R, Q, Extreme]; ``per_instance`` [R, Q, I] completed messages; ``growth`` [R, Q] messages per second
    by which the messages inside (destination, prepared, on threads) grew in the second half of the run.
    """

    extremes: Floats
    per_instance: NDArray[np.int64]
    growth: Floats

    def at(self, queues: list[int]) -> "Observed":
        """Return what was seen at some of the queues."""
        return Observed(self.extremes[:, queues], self.per_instance[:, queues], self.growth[:, queues])

    def rows(self, chosen: NDArray[np.int64]) -> "Observed":
        """Return what the replications with the positions ``chosen`` saw."""
        return Observed(self.extremes[chosen], self.per_instance[chosen], self.growth[chosen])


Observation = Callable[[Observed], Floats]
"""One number of each replication."""


def over_queues(combine: Callable[..., Floats], column: Extreme) -> Observation:
    """Return the observation of ``np.max``, ``np.min`` or ``np.sum`` over the queues; nan where it is infinite."""

    def observe(observed: Observed) -> Floats:
        values = combine(observed.extremes[:, :, column], axis=1)
        return np.where(np.isfinite(values), values, np.nan)

    return observe


def growth(observed: Observed) -> Floats:
    """Return the growth of all queues together."""
    return np.asarray(observed.growth.sum(axis=1))


def busiest_share(observed: Observed) -> Floats:
    """Return the share of a queue's messages that its busiest instance completed, the largest of any queue."""
    done = observed.per_instance.sum(axis=2).astype(np.float64)
    return np.asarray(ratio(observed.per_instance.max(axis=2).astype(np.float64), done).max(axis=1))
