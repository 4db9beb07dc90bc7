"""What one replication hands back: integer counts, sums in seconds and histograms, all of bounded size.

A replication is cut into ``SEGMENTS`` equal parts (by messages, or by time where the horizon is a time), so that the
warm-up can be cut afterwards, over all replications together. ``analysis.estimates.metrics`` says how columns become
metrics.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SEGMENTS = 16
"""Parts of a replication; the warm-up is a whole number of them."""
SUBBINS = 256
"""Histogram bins per factor of two: relative width at most 1/256 = 0.4 %."""
LOWEST_EXPONENT = -24
"""The first bin starts at 2**-24 s (60 ns); shorter latencies, zero included, fall into bin 0."""
OCTAVES = 56
"""The last bin ends at 2**32 s; longer latencies fall into it."""
BINS = SUBBINS * OCTAVES
SERIES_BINS = 1024
"""Bins of the warm-up series: mean latency of equal groups of messages in order of completion."""
TIMELINE_SAMPLES = 1024
"""Most samples of the timeline; when it is full, every second one is kept and the step doubles."""
TOLERANCE = 1e-9
"""Largest relative violation of an identity between sums of floats."""


class Count(IntEnum):
    """Integer columns per segment and stream."""

    ARRIVED = 0
    COMPLETED = 1
    FAILED = 2  # deliveries whose onMessage failed
    QUEUE_TIMEOUTS = 3
    DISPATCH_TIMEOUTS = 4
    TRANSACTION_TIMEOUTS = 5
    ROLLBACKS = 6  # transactions rolled back
    REDELIVERIES = 7
    DEAD_LETTERS = 8
    REJECTED = 9
    DROPPED = 10
    OVERTAKEN = 11  # completed after a message of the stream that arrived later
    BLOCKS = 12  # the gate closed
    RELEASES = 13
    TOPUPS = 14  # grants of the window
    GRANTED = 15  # messages granted by them
    BATCHES = 16  # transactions that held at least one message
    BATCHED = 17  # messages in them
    ADMITTED = 18  # messages that producers with a quota or flow control got onto the destination
    BLOCKED_SENDS = 19  # sends that could not be made at once: for lack of room or because of the producer's limit
    URGENT = 20  # completed messages of a higher priority


OUTCOMES = [Count.COMPLETED, Count.DEAD_LETTERS, Count.REJECTED, Count.DROPPED]
"""How messages end."""


class Sum(IntEnum):
    """Float columns per segment and stream: seconds summed over completed messages, then integrals over time."""

    LATENCY = 0
    WAIT_DESTINATION = 1
    WAIT_PREPARED = 2
    WAIT_THREAD = 3
    WAIT_DOWNSTREAM = 4
    CPU = 5  # in the CPU part, other threads' share included
    WAITING = 6  # in the waiting part of the service
    COMMIT = 7  # commit and batch wait
    REDELIVERY = 8  # time of earlier, failed deliveries and their delays
    BACKLOG = 9  # integral of messages on the destination
    PREPARED = 10  # integral of prepared messages (WLM queue, client buffer, pipeline)
    RUNNING = 11  # integral of messages on threads
    BLOCKED = 12  # time with the gate closed, summed over instances
    WASTED = 13  # thread time of deliveries that were rolled back, agent time of those that timed out before
    LIMIT = 14  # integral of the limits of the producers that have one, messages
    LIMITED = 15  # time with a limit, mean over the producers
    BLOCKED_SENDS = 16  # integral of sends that wait for room or for the limit
    RESTING = 17  # integral of messages on threads that no thread works on: done in a batch, or retried in place
    WAIT_CPU = 18  # of CPU: what the other threads' share took
    WAIT_BATCH = 19  # of COMMIT: onMessage done, until the commit began
    END_TO_END = 20  # from the first arrival of their chains; 0 where nothing is sent to
    URGENT = 21  # latency of the messages of a higher priority


PARTS = tuple(Sum)[Sum.LATENCY : Sum.BACKLOG]
"""The latency and the parts that it is the sum of."""
INSIDE = [Sum.BACKLOG, Sum.PREPARED, Sum.RUNNING]
"""Integrals whose sum is that of the messages inside."""


class PoolSum(IntEnum):
    """Thread-seconds per segment and pool, summed over instances."""

    BUSY = 0
    IDLE_NO_WORK = 1
    IDLE_BLOCKED = 2  # idle while a closed gate or used-up credit keeps messages on a destination
    HELD = 3  # held by a poller that waits, a retry in place, a restarting servant or a server that is away
    CPU = 4  # CPU-seconds in use
    HELD_BACK = 5  # seconds of instances, not of threads, in which messages were kept on a destination as above
    AWAY = 6  # seconds of instances that were away


class Extreme(IntEnum):
    """Extremes of the whole replication per stream."""

    LATENCY_MAX = 0
    BACKLOG_MAX = 1
    BACKLOG_END = 2
    RELEASE_MIN = 3  # prepared messages left after re-dispatch, at the moments the gate opens; inf when it never does
    RELEASE_MAX = 4
    BUFFER_BYTES_MAX = 5
    LAST_OUTCOME = 6  # instant of the last outcome; inf when the replication was stuck with messages left
    RECOVERY = 7  # seconds from the end of the last outage until no more are inside than before it; inf if never


class Timeline(IntEnum):
    """Sampled columns per stream (sums over instances)."""

    BACKLOG = 0
    PREPARED = 1
    RUNNING = 2
    BLOCKED = 3  # instances whose gate is closed
    IDLE_BLOCKED = 4  # idle threads of the pool while a gate or used-up credit holds messages back
    ADMITTED = 5  # producers' limit, messages per second; -1 = not limited
    LATENCY = 6  # mean latency of the messages completed since the last sample; nan = none


class AtInstance(IntEnum):
    """Columns of the course of one stream at one instance."""

    INFLIGHT = 0  # messages that the instance has taken or been sent and that are not ended
    RUNNING = 1  # threads in use


class Check(NamedTuple):
    """A self-check: ``residual`` is the relative violation of the identity, 0 when exact."""

    name: str
    passed: bool
    residual: float


def checked(name: str, residual: float) -> Check:
    """Return the self-check of an identity between sums of floats, which may be off by 1e-9."""
    return Check(name, residual <= TOLERANCE, residual)


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """What a replication counted and summed. S = SEGMENTS, Q = streams, P = pools, T = samples of the timeline."""

    counts: NDArray[np.int64]
    """[S, Q, Count]"""
    sums: NDArray[np.float64]
    """[S, Q, Sum]"""
    pool_sums: NDArray[np.float64]
    """[S, P, PoolSum]"""
    durations: NDArray[np.float64]
    """[S] seconds of simulated time in each segment."""
    extremes: NDArray[np.float64]
    """[Q, Extreme]"""
    per_instance: NDArray[np.int64]
    """[Q, largest number of instances] messages completed by each instance."""
    series: NDArray[np.float64]
    """[Q, SERIES_BINS, 2] messages and their summed latency, for the warm-up rule."""


@dataclass(frozen=True, kw_only=True)
class Replication(Numbers):
    """One replication, in every form that it has."""

    replication: int
    events: int
    timeline_at: NDArray[np.float64]
    """[T] instants of the samples, seconds."""
    timeline: NDArray[np.float64]
    """[T, Q, Timeline]"""
    checks: tuple[Check, ...]
    overflow: bool = False
    """The replication ended early because too many messages were inside at once: the network is unstable."""
    stuck: bool = False
    """It ended early because what was left could never end, or nothing had ended for ``observe.MOST_FUTILE`` events."""


@dataclass(frozen=True, kw_only=True)
class ReplicationResult(Replication):
    """One replication as the engine returns it."""

    histograms: NDArray[np.int32]
    """[S, Q + C, BINS] completed messages by latency; then, of the C streams that others send to, by the time from the
    first arrival of their chains."""
    by_instance: NDArray[np.int64]
    """[T, Q, largest number of instances, AtInstance], at the same instants."""
    slow: NDArray[np.float64]
    """[S, Q, 1 + PARTS] completed messages that took at least as long as was asked, and their seconds by part."""


def bin_edges() -> NDArray[np.float64]:
    """Return the BINS + 1 edges of the histogram in seconds."""
    octave = np.repeat(np.arange(OCTAVES), SUBBINS) + LOWEST_EXPONENT
    step = np.tile(np.arange(SUBBINS), OCTAVES)
    lower = np.ldexp(1.0 + step / SUBBINS, octave)
    return np.append(lower, np.ldexp(1.0, LOWEST_EXPONENT + OCTAVES))
