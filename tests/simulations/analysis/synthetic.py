"""Replications made without the engine: FIFO queues by Kiefer and Wolfowitz's recursion, in the engine's form."""

import heapq
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from simulations.analysis.replications.rows import edges
from simulations.engine.network.model import ArrivalKind, ArrivalSpec, Horizon, Law, LawKind, NetworkSpec, Pool, Stream
from simulations.engine.network.results import (
    BINS,
    PARTS,
    SEGMENTS,
    SERIES_BINS,
    AtInstance,
    Check,
    Count,
    Extreme,
    PoolSum,
    ReplicationResult,
    Sum,
    Timeline,
)

Floats = NDArray[np.float64]


def network(
    threads: int, rate: float, mean: float, *, messages: int = 20_000, kind: ArrivalKind = ArrivalKind.POISSON
) -> NetworkSpec:
    """M/M/c: one queue on one server."""
    stream = Stream("orders", 0, ArrivalSpec(kind, rate=rate), Law(LawKind.EXPONENTIAL, mean))
    pool = Pool(cpus=2, threads_per_servant=threads)
    return NetworkSpec((pool,), (stream,), Horizon(messages=messages))


def replication(spec: NetworkSpec, number: int, seed: int = 1) -> ReplicationResult:
    """One replication of the M/M/c queue of ``network``; equal seed and number share their random numbers.

    It ends at the outcome number ``horizon.messages``, with later messages still inside.
    """
    stream, pool = spec.streams[0], spec.pools[0]
    random = np.random.default_rng((seed, number))
    size = 2 * spec.horizon.messages
    arrived = random.exponential(1.0, size).cumsum() / stream.arrivals.rate
    service = random.exponential(1.0, size) * stream.service.a
    started = fifo(arrived, service, pool.threads)
    return result(number, arrived, started, started + service, spec)


def fifo(arrived: Floats, service: Floats, threads: int) -> Floats:
    """Instants at which FIFO messages start on ``threads`` equal threads."""
    free = [0.0] * threads
    started = np.empty_like(arrived)
    for index, (instant, work) in enumerate(zip(arrived, service, strict=True)):
        started[index] = max(instant, free[0])
        heapq.heapreplace(free, started[index] + work)
    return started


def result(number: int, arrived: Floats, started: Floats, ended: Floats, spec: NetworkSpec) -> ReplicationResult:
    """The engine's output for one queue of messages with these instants."""
    size = spec.horizon.messages
    first = np.argsort(ended, kind="stable")[:size]
    segment = np.arange(size) * SEGMENTS // size
    bounds = np.append(0.0, ended[first][np.append(np.flatnonzero(np.diff(segment)), -1)])
    latency, waited = (ended - arrived)[first], (started - arrived)[first]
    counts = np.zeros((SEGMENTS, 1, len(Count)), np.int64)
    counts[:, 0, Count.ARRIVED] = np.histogram(arrived, bounds)[0]
    counts[:, 0, Count.COMPLETED] = np.bincount(segment, minlength=SEGMENTS)
    sums = np.zeros((SEGMENTS, 1, len(Sum)))
    sums[:, 0, Sum.LATENCY] = np.bincount(segment, latency, SEGMENTS)
    sums[:, 0, Sum.WAIT_THREAD] = np.bincount(segment, waited, SEGMENTS)
    sums[:, 0, Sum.WAITING] = np.bincount(segment, latency - waited, SEGMENTS)
    sums[:, 0, Sum.BACKLOG] = integral(arrived, started, bounds)
    sums[:, 0, Sum.RUNNING] = integral(started, ended, bounds)
    pool_sums = np.zeros((SEGMENTS, 1, len(PoolSum)))
    pool_sums[:, 0, PoolSum.BUSY] = sums[:, 0, Sum.RUNNING]
    threads = spec.pools[0].threads
    pool_sums[:, 0, PoolSum.IDLE_NO_WORK] = threads * np.diff(bounds) - sums[:, 0, Sum.RUNNING]
    extremes = np.zeros((1, len(Extreme)))
    extremes[0, [Extreme.LATENCY_MAX, Extreme.LAST_OUTCOME]] = latency.max(), bounds[-1]
    extremes[0, Extreme.BACKLOG_END] = ((arrived < bounds[-1]) & (started > bounds[-1])).sum()
    extremes[0, Extreme.RELEASE_MIN] = np.inf
    return ReplicationResult(
        replication=number,
        events=2 * size,
        counts=counts,
        sums=sums,
        pool_sums=pool_sums,
        durations=np.diff(bounds),
        extremes=extremes,
        histograms=histograms(latency, segment),
        series=series(latency),
        per_instance=np.array([[size]]),
        timeline_at=np.linspace(0, bounds[-1], 1000),
        timeline=np.full((1000, 1, len(Timeline)), -1.0),
        by_instance=np.zeros((1000, 1, 1, len(AtInstance)), np.int64),
        slow=np.zeros((SEGMENTS, 1, 1 + len(PARTS))),
        checks=(Check("conservation", passed=True, residual=0.0),),
    )


def integral(entered: Floats, left: Floats, bounds: Floats) -> Floats:
    """Integral over time of the messages that have entered and not left, between consecutive ``bounds``."""
    spent = [np.clip(left, low, high) - np.clip(entered, low, high) for low, high in pairwise(bounds)]
    return np.array([part.sum() for part in spent])


def histograms(latency: Floats, segment: NDArray[np.int64]) -> NDArray[np.int32]:
    """Latencies counted in the engine's bins, by segment."""
    at = np.clip(np.searchsorted(edges(), latency, side="right") - 1, 0, BINS - 1)
    out = np.zeros((SEGMENTS, 1, BINS), np.int32)
    np.add.at(out[:, 0], (segment, at), 1)
    return out


def series(latency: Floats) -> Floats:
    """Latencies summed in equal groups in order of completion."""
    size = -(-len(latency) // SERIES_BINS)
    group = np.arange(len(latency)) // size
    counted = np.bincount(group, minlength=SERIES_BINS)
    return np.stack([counted, np.bincount(group, latency, SERIES_BINS)], axis=1)[None].astype(np.float64)
