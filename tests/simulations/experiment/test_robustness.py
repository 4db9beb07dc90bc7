"""Worst case and regret, from answers that are made up."""

import math
from dataclasses import replace

import pytest

from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.experiment.robustness import Robust, Workload, able, robust_of
from simulations.scenario.runsettings import Objective
from tests.simulations.experiment.answers import answer

METRIC = "latency.p95"
BOUND = (Objective(metric=METRIC, at_most=0.8),)


def at(index: int, p95: float | None) -> PointSummary:
    found = answer(index, {"a": index}, p95)
    return replace(found, samples={METRIC: tuple(p95 + step for step in (-0.01, 0.0, 0.01))} if p95 else {})


def rated(
    day: list[float | None], night: list[float | None], weight: float = 1.0, bounds: tuple[Objective, ...] = ()
) -> tuple[Robust, ...]:
    workloads = [
        Workload(name, size, bounds, tuple(at(index, value) for index, value in enumerate(values)))
        for name, size, values in (("day", weight, day), ("night", 1.0, night))
    ]
    return robust_of(workloads, METRIC)


def test_the_least_worst_case_and_the_least_regret_may_differ() -> None:
    """At night everything is slow; the first setting is best there and three times as slow as it need be by day."""
    first, second = rated([0.3, 0.1], [0.6, 0.64])
    assert (first.worst, second.worst) == (0.6, 0.64)
    assert first.regret == pytest.approx(2.0)
    assert second.regret == pytest.approx(0.04 / 0.6)


def test_a_regret_is_compared_in_pairs() -> None:
    """The replications of both settings move together, so that their difference is exact."""
    first, second = rated([0.3, 0.1], [0.6, 0.64])
    regret = first.regrets["day"]
    assert regret is not None
    assert (regret.low, regret.high) == pytest.approx((2.0, 2.0))
    assert second.regrets["day"] == Estimate(0.0, 0.0, 0.0, "1")


def test_weights_count_in_the_mean() -> None:
    first, second = rated([0.3, 0.1], [0.6, 0.64], weight=3.0)
    assert first.weighted == pytest.approx((3 * 0.3 + 0.6) / 4)
    assert second.weighted == pytest.approx((3 * 0.1 + 0.64) / 4)


def test_an_overloaded_workload_and_a_missed_objective_rule_a_setting_out() -> None:
    settings = rated([0.3, 0.1, 0.2], [0.6, None, 0.9], bounds=BOUND)
    assert [item.overrides["a"] for item in able(settings)] == [0]
    assert (settings[1].worst, settings[1].regret, settings[1].largest_regret) == (math.inf, math.inf, None)
    assert settings[2].chance < 0.5


def test_more_is_better_where_it_is() -> None:
    def carried(index: int, value: float) -> PointSummary:
        return answer(index, {"a": index}, 0.1, throughput=Estimate(value, value, value, "/s"))

    workload = Workload("day", 1.0, (), (carried(0, 50.0), carried(1, 100.0)))
    first, second = robust_of([workload], "throughput")
    assert first.regret == pytest.approx(0.5)
    assert second.regret == 0
    assert min((first, second), key=lambda item: item.worst) is second
