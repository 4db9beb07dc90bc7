"""How samples become numbers: the arithmetic behind the declarations in ``metrics``.

Pooled measures take ``Columns`` (several replications may be merged in one sample); observations take what each
replication saw for itself. Both return one number per sample, nan where it says nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulations.analysis.replications.columns import Columns, Floats, Measure, ratio
from simulations.engine.network.results import Count, Extreme, PoolSum, Sum

OUTCOMES = [Count.COMPLETED, Count.DEAD_LETTERS, Count.REJECTED, Count.DROPPED]
"""How messages end."""


@dataclass(frozen=True)
class Observed:
    """What R replications saw at Q queues.

    ``extremes`` [R, Q, Extreme]; ``per_instance`` [R, Q, I] completed messages; ``growth`` [R, Q] messages per second
    by which the messages inside (destination, prepared, on threads) grew in the second half of the run.
    """

    extremes: Floats
    per_instance: NDArray[np.int64]
    growth: Floats


Observation = Callable[[Observed], Floats]


def percentile(share: float) -> Measure:
    """Return the measure of a latency percentile; never above the longest latency, however wide the bin."""

    def measure(columns: Columns) -> Floats:
        return np.minimum(columns.histogram.percentile(share), columns.longest)

    return measure


def per_message(column: Sum) -> Measure:
    """Return the measure of a sum per completed message."""
    return lambda columns: ratio(columns.total(column), columns.count(Count.COMPLETED))


def over_time(column: Sum) -> Measure:
    """Return the measure of a time average."""
    return lambda columns: ratio(columns.total(column), columns.seconds)


def rate(column: Count) -> Measure:
    """Return the measure of events per second."""
    return lambda columns: ratio(columns.count(column), columns.seconds)


def per_run(column: Count) -> Measure:
    """Return the measure of events per replication."""
    return lambda columns: ratio(columns.count(column), columns.runs)


def share(part: Count, whole: Count) -> Measure:
    """Return the measure of one count divided by another."""
    return lambda columns: ratio(columns.count(part), columns.count(whole))


def threads(column: PoolSum) -> Measure:
    """Return the measure of the mean number of threads in a state."""
    return lambda columns: ratio(columns.pool(column), columns.seconds)


def cpu_utilisation(columns: Columns) -> Floats:
    """Return CPU-seconds in use per CPU-second offered."""
    return ratio(columns.pool(PoolSum.CPU), columns.seconds * columns.cpus)


def blocked_fraction(columns: Columns) -> Floats:
    """Return the share of time with the gate closed, over all gates."""
    return ratio(columns.total(Sum.BLOCKED), columns.seconds * columns.gates)


def in_flight(columns: Columns) -> Floats:
    """Return the mean number of messages prepared or on threads."""
    return ratio(columns.total(Sum.PREPARED) + columns.total(Sum.RUNNING), columns.seconds)


def wasted(columns: Columns) -> Floats:
    """Return rolled-back thread time per thread time."""
    return ratio(columns.total(Sum.WASTED), columns.total(Sum.RUNNING) - columns.total(Sum.RESTING))


def limit(columns: Columns) -> Floats:
    """Return the producers' limit over the time in which there was one."""
    return ratio(columns.total(Sum.LIMIT), columns.total(Sum.LIMITED))


def blocked_time(columns: Columns) -> Floats:
    """Return the seconds that sends waited per send that had to wait."""
    return ratio(columns.total(Sum.BLOCKED_SENDS), columns.count(Count.BLOCKED_SENDS))


def timeout_share(columns: Columns) -> Floats:
    """Return timeouts of all kinds per arrived message."""
    kinds = [Count.QUEUE_TIMEOUTS, Count.DISPATCH_TIMEOUTS, Count.TRANSACTION_TIMEOUTS]
    return ratio(columns.counts[:, kinds].sum(axis=1).astype(np.float64), columns.count(Count.ARRIVED))


def unfinished(columns: Columns) -> Floats:
    """Return the messages that arrived and did not end; of columns without warm-up cut those inside at the end."""
    left: Floats = columns.count(Count.ARRIVED) - columns.counts[:, OUTCOMES].sum(axis=1)
    return left


def largest(column: Extreme) -> Observation:
    """Return the observation of the largest value at any queue."""
    return lambda observed: _finite(observed.extremes[:, :, column].max(axis=1))


def smallest(column: Extreme) -> Observation:
    """Return the observation of the smallest value at any queue."""
    return lambda observed: _finite(observed.extremes[:, :, column].min(axis=1))


def together(column: Extreme) -> Observation:
    """Return the observation of the sum over the queues."""
    return lambda observed: _finite(observed.extremes[:, :, column].sum(axis=1))


def growth(observed: Observed) -> Floats:
    """Return the growth of all queues together."""
    total: Floats = observed.growth.sum(axis=1)
    return total


def busiest_share(observed: Observed) -> Floats:
    """Return the share of a queue's messages that its busiest instance completed, the largest of any queue."""
    done = observed.per_instance.sum(axis=2).astype(np.float64)
    shares: Floats = ratio(observed.per_instance.max(axis=2).astype(np.float64), done).max(axis=1)
    return shares


def _finite(values: Floats) -> Floats:
    return np.where(np.isfinite(values), values, np.nan)
