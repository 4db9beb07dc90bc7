"""What each replication must satisfy between numbers that were counted apart, and between its numbers and its network.

The engine's own checks (``engine.balance``) compare sums within its bookkeeping; these see a demand that is drawn
wrongly, a commit that is forgotten, a message that is counted in one place and not in another.
"""

import numpy as np

from simulations.analysis.histogram import edges
from simulations.analysis.rows import ReplicationRow
from simulations.analysis.theory.laws import law_cv2, law_mean
from simulations.engine.network import NetworkSpec, Stream
from simulations.engine.results import BINS, Check, Count, PoolSum, Sum

TOLERANCE = 1e-9
"""Largest relative violation of an identity between sums of floats."""
DEVIATIONS = 8.0
"""Standard errors by which the mean of the drawn demands may miss that of their law: less than once in 1e15."""
ENOUGH = 1_000
"""Messages, times the squared relative variance of the demand if above 1, that a mean must have to be judged."""
_INSIDE = [Sum.BACKLOG, Sum.PREPARED, Sum.RUNNING]


def cross_checks(network: NetworkSpec, row: ReplicationRow) -> tuple[Check, ...]:
    """Return the checks of one replication.

    - counted: histogram, warm-up series and instances hold as many messages as were completed;
    - latency: the sum of latencies lies between those of the lower and the upper edges of its bins;
    - population: the integral of the messages inside is the sum of the latencies (Little's law, by queue), give or take
      the messages that did not complete, each for at most the length of the run;
    - threads: the integral of busy threads is that of messages on threads, where a thread has one message;
    - demand: the drawn demands have the mean of their law, within ``DEVIATIONS`` standard errors;
    - commit: every completed message took its commit time, where it has a transaction of its own.
    """
    residuals = {
        "counted": _counted(network, row),
        "latency": _latency(network, row),
        "population": _population(network, row),
        "threads": _threads(network, row),
        "demand": _demand(network, row),
        "commit": _commit(network, row),
    }
    return tuple(Check(name, residual <= TOLERANCE, residual) for name, residual in residuals.items())


def _completed(row: ReplicationRow, queue: int) -> int:
    return int(row.counts[:, queue, Count.COMPLETED].sum())


def _apart(left: float, right: float) -> float:
    scale = max(abs(left), abs(right))
    return abs(left - right) / scale if scale > 0 else 0.0


def _counted(network: NetworkSpec, row: ReplicationRow) -> float:
    worst = 0.0
    for queue in range(len(network.streams)):
        counts = row.histograms[queue][1], row.series[queue, :, 0], row.per_instance[queue]
        worst = max(worst, *(_apart(float(np.sum(count)), _completed(row, queue)) for count in counts))
    return worst


def _latency(network: NetworkSpec, row: ReplicationRow) -> float:
    worst = 0.0
    for queue in range(len(network.streams)):
        first, counts = row.histograms[queue]
        messages, last = counts.sum(axis=0), first + counts.shape[1]
        if first == 0 or last == BINS:  # bins that also hold what lies beyond them
            continue
        total = float(row.sums[:, queue, Sum.LATENCY].sum())
        low, high = float(messages @ edges()[first:last]), float(messages @ edges()[first + 1 : last + 1])
        worst = max(worst, _outside(total, low, high))
    return worst


def _population(network: NetworkSpec, row: ReplicationRow) -> float:
    length, worst = float(row.durations.sum()), 0.0
    for queue in range(len(network.streams)):
        area = float(row.sums[:, queue, _INSIDE].sum())
        latency = float(row.sums[:, queue, Sum.LATENCY].sum())
        arrived = int(row.counts[:, queue, Count.ARRIVED].sum())
        worst = max(worst, _outside(area, latency, latency + (arrived - _completed(row, queue)) * length))
    return worst


def _outside(value: float, low: float, high: float) -> float:
    """Return by how much, relatively, ``value`` lies outside ``low`` to ``high``."""
    return max(_apart(value, low) if value < low else 0.0, _apart(value, high) if value > high else 0.0)


def _threads(network: NetworkSpec, row: ReplicationRow) -> float:
    worst = 0.0
    for pool in range(len(network.pools)):
        streams = [place for place, stream in enumerate(network.streams) if stream.pool == pool]
        if all(_one_message(network.streams[place]) for place in streams):
            running = float(row.sums[:, streams, Sum.RUNNING].sum())
            worst = max(worst, _apart(float(row.pool_sums[:, pool, PoolSum.BUSY].sum()), running))
    return worst


def _one_message(stream: Stream) -> bool:
    """Whether a thread is busy exactly while it has a message: no batches, no retry that holds an idle thread."""
    return (stream.transaction is None or stream.transaction.batch <= 1) and not stream.redelivery.in_place


def _demand(network: NetworkSpec, row: ReplicationRow) -> float:
    """Return how far the mean time off the CPU lies beyond what chance allows, relative to its mean; 0 = within."""
    worst = 0.0
    for queue, stream in enumerate(network.streams):
        messages, mean, cv2 = _completed(row, queue), law_mean(stream.service), law_cv2(stream.service)
        if stream.cpu_share == 1 or mean == 0 or not _as_drawn(stream) or messages < ENOUGH * max(1.0, cv2) ** 2:
            continue
        pool = network.pools[stream.pool]
        unfinished = pool.threads * pool.instances * (1 + cv2) / messages
        allowed = DEVIATIONS * (cv2 / messages) ** 0.5 + unfinished + TOLERANCE
        found = float(row.sums[:, queue, Sum.WAITING].sum()) / messages / ((1 - stream.cpu_share) * mean)
        worst = max(worst, abs(found - 1) - allowed)
    return worst


def _as_drawn(stream: Stream) -> bool:
    """Whether completed messages have the demands that were drawn: nothing ends long ones, nothing repeats them."""
    limited = stream.timeouts is not None or (stream.transaction is not None and stream.transaction.lifetime > 0)
    return not (limited or stream.failure_rate or stream.poison_rate)


def _commit(network: NetworkSpec, row: ReplicationRow) -> float:
    worst = 0.0
    for queue, stream in enumerate(network.streams):
        if not _one_message(stream):
            continue
        each = stream.transaction.commit_time if stream.transaction is not None else 0.0
        worst = max(worst, _apart(float(row.sums[:, queue, Sum.COMMIT].sum()), each * _completed(row, queue)))
    return worst
