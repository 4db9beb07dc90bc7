"""How samples become numbers: columns of several samples side by side, and the arithmetic behind ``metrics``.

Pooled measures take ``Columns`` (several replications may be merged in one sample); observations take what each
replication saw for itself. Both return one number per sample, nan where it says nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from simulations.analysis.replications.histogram import Histogram
from simulations.engine.network.results import OUTCOMES, Count, Extreme, PoolSum, Sum

Floats = NDArray[np.float64]
Number = TypeVar("Number", np.int64, np.float64)
Column = Count | Sum | PoolSum


@dataclass(frozen=True)
class Columns:
    """N samples of one queue, one server or all queues after the warm-up cut; a sample merges one or more replications.

    ``columns[Sum.BACKLOG]`` is one column as floats, [N].

    Attributes:
        runs: [N] replications merged into the sample, each by the share of its time that is left after the warm-up.
        seconds: [N] simulated time, summed over the merged replications.
        counts: [N, Count] events; zeros for a server.
        sums: [N, Sum] seconds and integrals over time; zeros for a server.
        pool_sums: [N, PoolSum] thread-seconds; for a queue only BUSY (threads that work on its messages).
        histogram: completed messages by latency, N rows.
        kept_back: [N, 2] seconds of completed messages on the destinations of queues with a gate, and with a window.
        longest: [N] longest latency in seconds, warm-up included.
        gates: gates that the sample covers, over all instances.
        cpus: CPUs that the sample covers, over all instances.
        instances: instances of the servers that the sample covers.
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

    def __getitem__(self, column: Column) -> Floats:
        if isinstance(column, Count):
            return self.counts[:, column].astype(np.float64)
        return (self.sums if isinstance(column, Sum) else self.pool_sums)[:, column]

    def merged(self) -> "Columns":
        """Return one sample that merges all."""
        return self._changed(_total, self.histogram.merged, self.longest.max(axis=0, keepdims=True))

    @cached_property
    def jackknifed(self) -> "Columns":
        """N + 1 samples: the merge of all, then of all but the first, of all but the second, and so on."""
        longest = np.full(len(self.longest) + 1, self.longest.max())
        return self._changed(_jackknifed, self.histogram.jackknifed, longest)

    def rows(self, chosen: NDArray[np.int64]) -> "Columns":
        """Return the samples with the positions ``chosen``; this object, with its cached values, when all are."""
        if np.array_equal(chosen, np.arange(len(self.runs))):
            return self
        return self._changed(itemgetter(chosen), self.histogram.rows(chosen), self.longest[chosen])

    def _changed(self, change: Callable[[NDArray[Any]], Any], histogram: Histogram, longest: Floats) -> "Columns":
        """Return the columns with another histogram and ``longest`` and with ``change`` of all that can be summed."""
        columns = ("runs", "seconds", "counts", "sums", "pool_sums", "kept_back")
        summed = {name: change(getattr(self, name)) for name in columns}
        return replace(self, **summed, histogram=histogram, longest=longest)

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


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Return the quotient, nan where the denominator is 0: "nothing of the kind happened" is not the number 0."""
    out = np.full(numerator.shape, np.nan)
    np.divide(numerator, denominator, out=out, where=denominator != 0)
    return out


def percentile(share: float) -> Measure:
    """Return the measure of a latency percentile; never above the longest latency, however wide the bin."""

    def measure(columns: Columns) -> Floats:
        return np.minimum(columns.histogram.percentile(share), columns.longest)

    return measure


def over_time(column: Column) -> Measure:
    """Return the measure of events per second, of a time average or of the mean number of threads in a state."""
    return lambda columns: ratio(columns[column], columns.seconds)


def per_run(column: Count) -> Measure:
    """Return the measure of events per replication, at the pace after the warm-up over its whole time.

    So points whose warm-ups differ can be compared.
    """
    return lambda columns: ratio(columns[column], columns.runs)


def quotient(part: Column, whole: Column) -> Measure:
    """Return the measure of one column divided by another."""
    return lambda columns: ratio(columns[part], columns[whole])


def cpu_utilization(columns: Columns) -> Floats:
    """Return CPU-seconds in use per CPU-second offered."""
    return ratio(columns[PoolSum.CPU], columns.seconds * columns.cpus)


def blocked_fraction(columns: Columns) -> Floats:
    """Return the share of time with the gate closed, over all gates."""
    return ratio(columns[Sum.BLOCKED], columns.seconds * columns.gates)


def gate_wait(columns: Columns) -> Floats:
    """Return the mean time of a message on the destination of a queue with a gate."""
    return ratio(columns.kept_back[:, 0], columns[Count.COMPLETED])


def window_wait(columns: Columns) -> Floats:
    """Return the mean time of a message on the destination of a queue with a credit window."""
    return ratio(columns.kept_back[:, 1], columns[Count.COMPLETED])


def thread_wait(columns: Columns) -> Floats:
    """Return the mean time of a message before its thread, without what a gate or a window kept back."""
    waits = columns[Sum.WAIT_DESTINATION] + columns[Sum.WAIT_PREPARED] + columns[Sum.WAIT_THREAD]
    return ratio(np.maximum(waits - columns.kept_back.sum(axis=1), 0.0), columns[Count.COMPLETED])


def commit_alone(columns: Columns) -> Floats:
    """Return the mean time of the commit without the wait for the rest of the batch."""
    return ratio(columns[Sum.COMMIT] - columns[Sum.WAIT_BATCH], columns[Count.COMPLETED])


def work_alone(columns: Columns) -> Floats:
    """Return the mean time of onMessage on CPUs of its own."""
    return ratio(columns[Sum.CPU] + columns[Sum.WAITING] - columns[Sum.WAIT_CPU], columns[Count.COMPLETED])


def in_flight(columns: Columns) -> Floats:
    """Return the mean number of messages prepared or on threads."""
    return ratio(columns[Sum.PREPARED] + columns[Sum.RUNNING], columns.seconds)


def wasted(columns: Columns) -> Floats:
    """Return rolled-back thread time, and agent time of records that timed out, per thread time."""
    return ratio(columns[Sum.WASTED], columns[Sum.RUNNING] - columns[Sum.RESTING])


def timeout_share(columns: Columns) -> Floats:
    """Return timeouts of all kinds per arrived message."""
    kinds = [Count.QUEUE_TIMEOUTS, Count.DISPATCH_TIMEOUTS, Count.TRANSACTION_TIMEOUTS]
    return ratio(columns.counts[:, kinds].sum(axis=1).astype(np.float64), columns[Count.ARRIVED])


def away(columns: Columns) -> Floats:
    """Return the share of the instances' time for which they were away."""
    return ratio(columns[PoolSum.AWAY], columns.seconds * columns.instances)


def unfinished(columns: Columns) -> Floats:
    """Return the messages that arrived and did not end; of columns without warm-up cut those inside at the end."""
    left: Floats = columns[Count.ARRIVED] - columns.counts[:, OUTCOMES].sum(axis=1)
    return left


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
    total: Floats = observed.growth.sum(axis=1)
    return total


def busiest_share(observed: Observed) -> Floats:
    """Return the share of a queue's messages that its busiest instance completed, the largest of any queue."""
    done = observed.per_instance.sum(axis=2).astype(np.float64)
    shares: Floats = ratio(observed.per_instance.max(axis=2).astype(np.float64), done).max(axis=1)
    return shares
