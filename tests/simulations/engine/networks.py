"""Small networks and the statistics that compare them with theory."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from simulations.engine.network.model import (
    ArrivalKind,
    ArrivalSpec,
    Gate,
    Horizon,
    Law,
    LawKind,
    NetworkSpec,
    Pool,
    Stream,
)
from simulations.engine.network.results import Count, ReplicationResult, Sum
from simulations.engine.replicate import replicate

REPLICATIONS = 20
_T99 = 2.861
"""Student's t, 19 degrees of freedom, 99 % two-sided."""
SATURATED = ArrivalSpec(ArrivalKind.SATURATED)


def poisson(rate: float) -> ArrivalSpec:
    return ArrivalSpec(ArrivalKind.POISSON, rate=rate)


def surge(count: int) -> ArrivalSpec:
    return ArrivalSpec(ArrivalKind.SURGE, count=count)


def exponential(mean: float) -> Law:
    return Law(LawKind.EXPONENTIAL, a=mean)


def constant(value: float) -> Law:
    return Law(LawKind.CONSTANT, a=value)


def stream(**settings: Any) -> Stream:
    """Return a stream of pool 0 with 50 ms of exponential service at 20 per second, changed by ``settings``."""
    return Stream(**{"name": "q", "pool": 0, "arrivals": poisson(20.0), "service": exponential(0.05), **settings})


def network(*streams: Stream, pool: Pool, horizon: Horizon, resources: tuple[int, ...] = ()) -> NetworkSpec:
    return NetworkSpec(pools=(pool,), streams=streams, horizon=horizon, resources=resources)


def throttle(*, high: int, low: int, threads: int = 18, messages: int = 40_000, **settings: Any) -> NetworkSpec:
    """Return the throttle of the worked example: 18 threads, 200 ms, saturated, changed by ``settings``."""
    agent = settings.pop("agent_time", 0.0)
    given = {"arrivals": SATURATED, "service": exponential(0.2), "gate": Gate(high, low, agent), **settings}
    return network(
        stream(**given), pool=Pool(threads_per_servant=threads, cpus=threads), horizon=Horizon(messages=messages)
    )


def interval(spec: NetworkSpec, measure: Callable[[ReplicationResult], float], seed: int = 1) -> tuple[float, float]:
    """Return the 99 % interval of ``measure`` over independent replications; every one must pass its own checks."""
    values = []
    for replication in range(REPLICATIONS):
        result = replicate(spec, seed=seed, replication=replication)
        assert all(check.passed for check in result.checks), result.checks
        values.append(measure(result))
    half = _T99 * float(np.std(values, ddof=1)) / math.sqrt(REPLICATIONS)
    return float(np.mean(values)) - half, float(np.mean(values)) + half


def steady(result: ReplicationResult, column: Sum, q: int = 0) -> float:
    """Return the mean seconds per completed message, without the first quarter."""
    return float(result.sums[4:, q, column].sum() / result.counts[4:, q, Count.COMPLETED].sum())


def throughput(result: ReplicationResult, q: int = 0) -> float:
    """Return completed messages per second, without the first quarter."""
    return float(result.counts[4:, q, Count.COMPLETED].sum() / result.durations[4:].sum())


def total(result: ReplicationResult, column: Count, q: int = 0) -> int:
    return int(result.counts[:, q, column].sum())


def queueing_probability(servers: int, load: float) -> float:
    """Return Erlang's C for ``servers`` and an offered load of ``load``."""
    blocking = 1.0
    for k in range(1, servers + 1):
        blocking = load * blocking / (k + load * blocking)
    return servers * blocking / (servers - load * (1.0 - blocking))
