"""Engine, estimators and formulas together: what a formula says exactly lies inside the simulated interval."""

import math
from dataclasses import replace

import pytest

from benchmarks.validation.campaign import Effort, compare, exact_answer
from benchmarks.validation.reference_models import oracles, surge
from simulations.analysis.estimates.formula_answers import formula_answer
from simulations.analysis.estimates.point import KnownPoint, summarize
from simulations.analysis.estimates.summary import PointSummary
from simulations.analysis.replications.rows import compact
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
from simulations.engine.replicate import replicate
from tests.simulations.analysis.simulators import engine

POOL = Pool(cpus=2, threads_per_servant=6, servants_min=3, servants_max=3)
POISSON = ArrivalSpec(ArrivalKind.POISSON, rate=81)
ORDERS = Stream("orders", 0, POISSON, Law(LawKind.EXPONENTIAL, 0.2), gate=Gate(36, 18))
STEADY = Horizon(messages=60_000)


def network(stream: Stream) -> NetworkSpec:
    return NetworkSpec((POOL,), (stream,), STEADY)


def simulated(spec: NetworkSpec, replications: int = 10) -> PointSummary:
    rows = [compact(replicate(spec, seed=20, replication=number)) for number in range(replications)]
    return summarize(KnownPoint(0, {}, spec, ["payments"], {}, {}), rows)


EXACT = oracles(messages=60_000)


@pytest.mark.parametrize("name", EXACT)
def test_an_exact_formula_lies_in_every_interval(name: str) -> None:
    comparisons = list(compare(name, exact_answer(EXACT[name]), engine, Effort(seed=20)))
    assert [comparison for comparison in comparisons if not comparison.inside] == []


@pytest.mark.parametrize("name", EXACT)
def test_every_replication_passes_its_own_checks(name: str) -> None:
    assert all(check.passed for check in engine(EXACT[name], 20, 0).checks)


def test_a_surge_of_constant_service_drains_to_the_instant() -> None:
    found = simulated(surge(Law(LawKind.CONSTANT, 0.2)), 2).metrics["drain_time"]
    assert (found.low, found.value, found.high) == pytest.approx((5.0, 5.0, 5.0))


def test_a_surge_of_exponential_service_drains_as_the_sum_says() -> None:
    spec = surge(Law(LawKind.EXPONENTIAL, 0.2))
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
