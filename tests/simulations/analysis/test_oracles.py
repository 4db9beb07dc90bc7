"""Engine, estimators and formulas together: what a formula says exactly lies inside the simulated interval."""

import math
from dataclasses import replace

import pytest

from simulations.analysis.estimators import Point, summarise
from simulations.analysis.rows import compact
from simulations.analysis.summary import PointSummary
from simulations.analysis.theory.answers import formula_answer
from simulations.engine.network import (
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
from simulations.engine.replicate import replicate

POOL = Pool(cpus=2, threads_per_servant=6, servants_min=3, servants_max=3)
POISSON = ArrivalSpec(ArrivalKind.POISSON, rate=81)
ORDERS = Stream("orders", 0, POISSON, Law(LawKind.EXPONENTIAL, 0.2), gate=Gate(36, 18))
STEADY = Horizon(messages=60_000)


def network(stream: Stream, pool: Pool = POOL, horizon: Horizon = STEADY) -> NetworkSpec:
    return NetworkSpec((pool,), (stream,), horizon)


def simulated(spec: NetworkSpec, replications: int = 10) -> PointSummary:
    rows = [compact(replicate(spec, seed=20, replication=number)) for number in range(replications)]
    return summarise(Point(0, {}, spec, ["payments"], {}, {}), rows)


def arrivals(rate: float) -> ArrivalSpec:
    return replace(POISSON, rate=rate)


EXACT = {
    "M/M/18 behind 36 sessions": network(ORDERS),
    "M/M/18 behind 100 sessions": network(replace(ORDERS, gate=Gate(100, 50))),
    "throttle of 18 sessions": network(replace(ORDERS, arrivals=arrivals(60), gate=Gate(18, 9))),
    "one session": network(replace(ORDERS, arrivals=arrivals(3), gate=Gate(1, 0))),
    "saturated, 18 sessions": network(
        replace(ORDERS, arrivals=ArrivalSpec(ArrivalKind.SATURATED), gate=Gate(18, 9)),
    ),
    "M/D/1": network(
        replace(ORDERS, arrivals=arrivals(4), service=Law(LawKind.CONSTANT, 0.2), gate=None),
        Pool(threads_per_servant=1),
    ),
    "M/G/1, lognormal": network(
        replace(ORDERS, arrivals=arrivals(3), service=Law(LawKind.LOGNORMAL, -2.0, 0.8), gate=None),
        Pool(threads_per_servant=1),
    ),
    "processor sharing on 2 CPUs": network(
        replace(ORDERS, arrivals=arrivals(70), service=Law(LawKind.EXPONENTIAL, 0.02), cpu_share=1.0, gate=None),
        Pool(cpus=2, threads_per_servant=200),
    ),
}


@pytest.mark.parametrize("name", EXACT)
def test_an_exact_formula_lies_in_every_interval(name: str) -> None:
    spec = EXACT[name]
    answer = formula_answer(spec, 0)
    assert answer is not None
    assert answer.exact
    found = simulated(spec)
    assert all(check["passed"] for check in found.checks)
    exact = {metric: estimate.value for metric, estimate in answer.metrics.items()}
    outside = {
        metric: (value, found.metrics[metric])
        for metric, value in exact.items()
        if not found.metrics[metric].low <= value <= found.metrics[metric].high
    }
    assert outside == {}


def test_a_surge_of_constant_service_drains_to_the_instant() -> None:
    surge = replace(
        ORDERS, arrivals=ArrivalSpec(ArrivalKind.SURGE, count=400), service=Law(LawKind.CONSTANT, 0.2), gate=None
    )
    spec = network(surge, Pool(threads_per_servant=16), Horizon(drained=True))
    found = simulated(spec, 2).metrics["drain_time"]
    assert (found.low, found.value, found.high) == pytest.approx((5.0, 5.0, 5.0))


def test_a_surge_of_exponential_service_drains_as_the_sum_says() -> None:
    surge = replace(ORDERS, arrivals=ArrivalSpec(ArrivalKind.SURGE, count=400), gate=None)
    spec = network(surge, Pool(threads_per_servant=16), Horizon(drained=True))
    answer = formula_answer(spec, 0)
    assert answer is not None
    found = simulated(spec, 100).metrics["drain_time"]
    assert found.low <= answer.metrics["drain_time"].value <= found.high


def test_more_than_the_window_carries_is_unstable() -> None:
    found = simulated(network(replace(ORDERS, gate=Gate(18, 9))))
    assert found.status == "unstable"
    assert found.metrics["throughput"].low <= 67.5534 <= found.metrics["throughput"].high
    assert found.metrics["backlog.growth"].low <= 81 - 67.5534 <= found.metrics["backlog.growth"].high


def test_the_ready_backlog_of_the_worked_example_is_32() -> None:
    full = network(replace(ORDERS, arrivals=ArrivalSpec(ArrivalKind.SATURATED), gate=Gate(100, 50)))
    found = simulated(full, 3).metrics
    assert found["gate.backlog_at_release_min"].value == found["gate.backlog_at_release_max"].value == 32
    assert found["threads.idle_blocked"].value == 0
    assert math.isclose(found["threads.busy"].value, 18)
