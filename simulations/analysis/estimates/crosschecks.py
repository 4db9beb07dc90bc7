"""What each replication must satisfy between numbers that were counted apart, and between its numbers and its network.

The engine's own checks (``engine.packing.collect``) compare sums within its bookkeeping; these notice a demand that is
drawn wrongly, a commit that is forgotten, a message that is counted in one place and not in another.
"""

import numpy as np

from simulations.analysis.replications.measures import Floats
from simulations.analysis.replications.rows import Stack, edges, ratio
from simulations.analysis.theory.laws import law_cv2, law_mean
from simulations.engine.network.model import NetworkSpec, Stream
from simulations.engine.network.results import BINS, INSIDE, TOLERANCE, Check, Count, PoolSum, Sum, checked

DEVIATIONS = 8.0
"""Standard errors by which the mean of the drawn demands may miss that of their law: less than once in 1e15."""
ENOUGH = 1_000
"""Messages, times the squared relative variance of the demand if above 1, that a mean must have to be judged."""


def cross_checks(network: NetworkSpec, stack: Stack) -> tuple[Check, ...]:
    """Return the checks of all replications, each with the residual of the worst.

    - counted: histogram, warm-up series and instances hold as many messages as were completed;
    - latency: the sum of latencies lies between those of the lower and the upper edges of its bins;
    - population: the integral of the messages inside is the sum of the latencies (Little's law, by queue), give or take
      the messages that did not complete, each for at most the length of the run;
    - threads: the integral of busy threads is that of messages on threads, where a thread has one message;
    - demand: the drawn demands have the mean of their law, within ``DEVIATIONS`` standard errors;
    - commit: every completed message took its commit time, where it has a transaction of its own.
    """
    queues = range(len(network.streams))
    residuals = {
        "counted": [_counted(stack, queue) for queue in queues],
        "latency": [_latency(stack, queue) for queue in queues],
        "population": [_population(stack, queue) for queue in queues],
        "threads": [_threads(network, stack, pool) for pool in range(len(network.pools))],
        "demand": [_demand(network, stack, queue) for queue in queues],
        "commit": [_commit(network, stack, queue) for queue in queues],
    }
    return tuple(checked(name, float(np.max(by_place))) for name, by_place in residuals.items())


def _completed(stack: Stack, queue: int) -> Floats:
    return np.asarray(stack.counts[:, :, queue, Count.COMPLETED].sum(axis=1), np.float64)


def _total(stack: Stack, queue: int, column: Sum) -> Floats:
    return np.asarray(stack.sums[:, :, queue, column].sum(axis=1))


def _together(columns: Floats) -> Floats:
    """Return the sums of each replication's columns, [R, S, n] to [R], one column after the other."""
    return np.asarray(columns.swapaxes(1, 2).reshape(len(columns), -1).sum(axis=1))


def _apart(left: Floats, right: Floats) -> Floats:
    """Return the relative difference; 0 where both are 0."""
    scale = np.maximum(np.abs(left), np.abs(right))
    return np.divide(np.abs(left - right), scale, out=np.zeros_like(scale), where=scale != 0)


def _counted(stack: Stack, queue: int) -> Floats:
    counts = (
        stack.messages[queue].sum(axis=1),
        stack.series[:, queue, :, 0].sum(axis=1),
        stack.per_instance[:, queue].sum(axis=1),
    )
    return np.asarray(np.max([_apart(count.astype(np.float64), _completed(stack, queue)) for count in counts], axis=0))


def _latency(stack: Stack, queue: int) -> Floats:
    first, counts = stack.histograms[queue]
    edge = edges()[first : first + counts.shape[2] + 1]
    messages, total = stack.messages[queue].astype(np.float64), _total(stack, queue, Sum.LATENCY)
    outside = _outside(total, messages @ edge[:-1], messages @ edge[1:])
    kept = [(start, start + own.shape[1]) for start, own in (row.histograms[queue] for row in stack.rows)]
    # The first and the last bin also hold what lies beyond them.
    return np.where([first > 0 and last < BINS for first, last in kept], outside, 0.0)


def _population(stack: Stack, queue: int) -> Floats:
    area = _together(stack.sums[:, :, queue, INSIDE])
    latency, length = _total(stack, queue, Sum.LATENCY), stack.durations.sum(axis=1)
    arrived = stack.counts[:, :, queue, Count.ARRIVED].sum(axis=1)
    return _outside(area, latency, latency + (arrived - _completed(stack, queue)) * length)


def _outside(value: Floats, low: Floats, high: Floats) -> Floats:
    """Return by how much, relatively, ``value`` lies outside ``low`` to ``high``."""
    below = np.where(value < low, _apart(value, low), 0.0)
    return np.maximum(below, np.where(value > high, _apart(value, high), 0.0))


def _threads(network: NetworkSpec, stack: Stack, pool: int) -> Floats:
    streams = [place for place, stream in enumerate(network.streams) if stream.pool == pool]
    if not all(_one_message(network.streams[place]) for place in streams):
        return np.zeros(len(stack))
    running = _together(stack.sums[:, :, streams, Sum.RUNNING])
    return _apart(stack.pool_sums[:, :, pool, PoolSum.BUSY].sum(axis=1), running)


def _one_message(stream: Stream) -> bool:
    """Whether a thread is busy exactly while it has a message: no batches, no retry that holds an idle thread."""
    return (stream.transaction is None or stream.transaction.batch <= 1) and not stream.redelivery.in_place


def _demand(network: NetworkSpec, stack: Stack, queue: int) -> Floats:
    """Return how far the mean time off the CPU lies beyond what chance allows, relative to its mean; 0 = within."""
    stream, messages = network.streams[queue], _completed(stack, queue)
    mean, cv2 = law_mean(stream.service), law_cv2(stream.service)
    enough = messages >= ENOUGH * max(1.0, cv2) ** 2
    if stream.cpu_share == 1 or mean == 0 or not _as_drawn(stream) or not enough.any():
        return np.zeros(len(stack))
    pool = network.pools[stream.pool]
    unfinished = ratio(np.full(len(stack), pool.threads * pool.instances * (1 + cv2)), messages)
    allowed = DEVIATIONS * ratio(np.full(len(stack), cv2), messages) ** 0.5 + unfinished + TOLERANCE
    mean_drawn = ratio(_total(stack, queue, Sum.WAITING), messages) / ((1 - stream.cpu_share) * mean)
    return np.where(enough, np.maximum(np.abs(mean_drawn - 1) - allowed, 0.0), 0.0)


def _as_drawn(stream: Stream) -> bool:
    """Whether completed messages have the demands that were drawn: nothing ends long ones, nothing repeats them."""
    limited = stream.timeouts is not None or (stream.transaction is not None and stream.transaction.lifetime > 0)
    return not (limited or stream.failure_rate or stream.poison_rate)


def _commit(network: NetworkSpec, stack: Stack, queue: int) -> Floats:
    stream = network.streams[queue]
    if not _one_message(stream):
        return np.zeros(len(stack))
    each = stream.transaction.commit_time if stream.transaction is not None else 0.0
    return _apart(_total(stack, queue, Sum.COMMIT), each * _completed(stack, queue))
