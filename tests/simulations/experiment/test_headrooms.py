"""Headroom: the ladder of factors, and the bracket around the first that misses."""

from dataclasses import replace
from datetime import date

import pytest

from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.experiment.headrooms import Headroom, HeadroomPlan, headroom_of, ladder, reached
from simulations.experiment.points import Point
from simulations.experiment.reading import read_question
from simulations.experiment.words import reached_text
from simulations.pipeline.experiments import plan_of
from simulations.scenario.runsettings import Objective
from tests.simulations.experiment.answers import LIMIT, SPEC, answer, followed

AT_MOST = (Objective(metric="latency.p95", at_most=0.8),)


def test_the_ladder_narrows_around_the_limit() -> None:
    def truth(point: Point) -> PointSummary:
        return answer(point.index, point.overrides, 0.8 * float(point.overrides["arrivals"]) / 1.35)

    added, answers = followed({"type": "headroom", "subject_to": LIMIT}, truth)
    plan = plan_of(read_question({"type": "headroom", "subject_to": LIMIT}, SPEC), SPEC)
    assert isinstance(plan, HeadroomPlan)
    found = headroom_of(plan.spec.objectives, answers)
    assert found.missed is not None
    assert found.carried <= 1.35 < found.missed <= 1.02 * found.carried
    assert sum(added) <= 33
    assert ladder(1.0, 4.0)[::4] == [1.0, 2.0, 4.0]


def test_the_end_of_stability_is_narrowed_too_where_today_misses() -> None:
    def truth(point: Point) -> PointSummary:
        factor = float(point.overrides["arrivals"])
        return answer(point.index, point.overrides, 5.0 if factor < 1.35 else None)

    added, answers = followed({"type": "headroom", "subject_to": LIMIT}, truth)
    found = headroom_of(AT_MOST, answers)
    assert (found.carried, sum(added) <= 33) == (0.0, True)
    assert found.unstable is not None
    assert found.stable < 1.35 <= found.unstable <= 1.02 * found.stable


def test_the_true_limit_lies_between_what_surely_meets_and_what_surely_misses() -> None:
    tried = [(1.0, 0.5, 0.01), (2.0, 0.79, 0.1), (3.0, 0.81, 0.1), (4.0, 1.2, 0.01), (5.0, None, 0.0)]
    answers = {index: answer(index, {"arrivals": factor}, p95, half) for index, (factor, p95, half) in enumerate(tried)}
    found = headroom_of(AT_MOST, answers)
    assert (found.carried, found.missed, found.low, found.high) == (2.0, 3.0, 1.0, 4.0)
    assert (found.stable, found.unstable) == (4.0, 5.0)
    assert list(found.tried) == [1.0, 2.0, 3.0, 4.0, 5.0]


def test_arrivals_that_double_in_a_year_reach_four_times_the_load_in_two() -> None:
    found = Headroom(4.0, 4.1, 0.9, None, 5.0, None, {})
    days = reached(found, 1.0, date(2026, 7, 1))
    assert days == {"carried": date(2028, 6, 30), "low": date(2026, 7, 1), "high": date(2028, 7, 13)}
    assert reached_text(found, 1.0, date(2026, 7, 1)) == (
        "Arrivals that grow by 100 % a year (5.95 % a month) from July 2026 on reach that in 23 months, in June 2028 "
        "(July 2026 to July 2028)."
    )


def test_no_month_is_told_of_a_limit_that_is_passed() -> None:
    found = Headroom(0.8, 0.9, 0.8, 0.9, 0.8, 0.9, {})
    assert set(reached(found, 0.3, date(2026, 7, 1)).values()) == {None}
    assert reached_text(found, 0.3, date(2026, 7, 1)) == ""


def test_of_a_limit_that_was_not_found_the_last_load_that_holds_is_told() -> None:
    found = Headroom(4.0, None, 2.0, None, 4.0, None, {})
    assert reached(found, 1.0, date(2026, 7, 1)) == {"carried": None, "low": date(2027, 7, 1), "high": None}
    assert reached_text(found, 1.0, date(2026, 7, 1)).endswith(
        "surely hold it until July 2027; no larger load was tried."
    )


@pytest.mark.parametrize(("p95", "carried", "missed"), [(0.5, 2.0, None), (1.5, 0.0, 1.0)])
def test_an_end_without_a_bracket_is_open(p95: float, carried: float, missed: float | None) -> None:
    found = headroom_of(AT_MOST, {0: answer(0, {"arrivals": 1.0}, p95), 1: answer(1, {"arrivals": 2.0}, p95)})
    assert (found.carried, found.missed) == (carried, missed)


def test_a_larger_share_that_is_lost_is_a_miss_and_as_large_a_one_is_none() -> None:
    """At twice the load 200 dead letters are as large a share as 100 were; 5,000 refusals are not."""

    def at(factor: float, dead: float, rejected: float) -> PointSummary:
        point = answer(int(10 * factor), {"arrivals": factor}, 0.5)
        lost = {"dead_letters": Estimate(dead, 0.9 * dead, 1.1 * dead, "messages")}
        lost["rejected"] = Estimate(rejected, rejected, rejected, "messages")
        return replace(point, metrics={**point.metrics, **lost})

    points = (at(1.0, 100.0, 0.0), at(2.0, 200.0, 0.0), at(0.5, 50.0, 0.0), at(4.0, 400.0, 5000.0))
    found = headroom_of(AT_MOST, {item.index: item for item in points})
    assert (found.carried, found.missed, found.high, found.losing) == (2.0, 4.0, 4.0, 4.0)
    assert found.unstable is None
