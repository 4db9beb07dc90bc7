"""Verdicts follow from the interval and the bound."""

from dataclasses import replace

import pytest

from simulations.analysis.estimates.summary import Estimate
from simulations.experiment.verdicts import better_chance, chance_of, paired_error, verdict_of
from simulations.scenario.runsettings import Objective
from tests.simulations.experiment.answers import answer

AT_MOST = (Objective(metric="latency.p95", at_most=0.8),)
NONE_OVERTAKEN = (Objective(metric="overtaken_fraction", equals=0.0),)


@pytest.mark.parametrize(
    ("p95", "half", "verdict"),
    [(0.7, 0.01, "met"), (0.9, 0.01, "missed"), (0.79, 0.1, "unsure"), (0.8, 0.0, "met"), (None, 0.0, "unstable")],
)
def test_the_interval_decides(p95: float | None, half: float, verdict: str) -> None:
    assert verdict_of(AT_MOST, answer(0, {}, p95, half)) == verdict


def test_a_bound_at_the_end_of_the_interval_is_just_decided() -> None:
    # The interval reaches to the 97.5 % quantile, so the chance at its end is 0.975 by definition.
    assert chance_of(AT_MOST, answer(0, {}, 0.7, 0.1)) == pytest.approx(0.975)
    assert chance_of(AT_MOST, answer(0, {}, 0.9, 0.1)) == pytest.approx(0.025)


def test_one_event_refutes_none() -> None:
    never, once = Estimate(0.0, 0.0, 0.0, "1"), Estimate(1e-6, 0.0, 1e-5, "1")
    assert verdict_of(NONE_OVERTAKEN, answer(0, {}, 0.1, overtaken_fraction=never)) == "met"
    assert verdict_of(NONE_OVERTAKEN, answer(0, {}, 0.1, overtaken_fraction=once)) == "missed"


def test_a_number_that_does_not_exist_misses() -> None:
    assert verdict_of((Objective(metric="drain_time", at_most=1.0),), answer(0, {}, 0.1)) == "missed"


def test_without_objectives_only_stability_counts() -> None:
    assert verdict_of((), answer(0, {}, 100.0)) == "met"
    assert verdict_of((), answer(0, {}, None)) == "unstable"


def test_better_means_by_more_than_the_margin() -> None:
    exact = [Estimate(value, value, value, "s") for value in (0.97, 0.99, 1.0)]
    assert better_chance(exact[0], exact[2], 10, 0.02) == 1.0
    assert better_chance(exact[1], exact[2], 10, 0.02) == 0.0
    rates = [Estimate(-value, -value, -value, "/s") for value in (103.0, 101.0, 100.0)]
    assert better_chance(rates[0], rates[2], 10, 0.02) == 1.0
    assert better_chance(rates[1], rates[2], 10, 0.02) == 0.0
    wide = Estimate(1.0, 0.9, 1.1, "s")
    assert better_chance(wide, wide, 10, 0.0) == pytest.approx(0.5)


def test_room_to_spare_makes_the_bound_stricter_either_way() -> None:
    near, fast = answer(0, {}, 0.79, 0.001), Estimate(99.0, 98.9, 99.1, "/s")
    assert chance_of(AT_MOST, near) > 0.99
    assert chance_of(AT_MOST, near, spare=0.02) < 0.01
    least = (Objective(metric="throughput", at_least=98.0),)
    assert chance_of(least, answer(0, {}, 0.1, throughput=fast)) > 0.99
    assert chance_of(least, answer(0, {}, 0.1, throughput=fast), spare=0.02) < 0.01


def test_the_error_of_a_difference_is_that_of_the_pairs() -> None:
    one = replace(answer(0, {}, 0.5), samples={"latency.p95": (0.4, 0.5, 0.6)})
    other = replace(answer(1, {}, 0.6), samples={"latency.p95": (0.5, 0.6, 0.7, 9.0)})
    assert paired_error(one, other, "latency.p95") == pytest.approx(0.0, abs=1e-12)
    assert paired_error(one, answer(2, {}, 0.5), "latency.p95") is None
    assert better_chance(one.metrics["latency.p95"], other.metrics["latency.p95"], 3, 0.02, error=0.0) == 1.0
