"""Headroom: the ladder of factors, and the bracket around the first that misses."""

import pytest

from simulations.analysis.estimates.summary import PointSummary
from simulations.experiment.headrooms import HeadroomPlan, headroom_of, ladder
from simulations.experiment.plans import plan_of
from simulations.experiment.points import Point
from simulations.experiment.reading import read_question
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


def test_the_true_limit_lies_between_what_surely_meets_and_what_surely_misses() -> None:
    tried = [(1.0, 0.5, 0.01), (2.0, 0.79, 0.1), (3.0, 0.81, 0.1), (4.0, 1.2, 0.01), (5.0, None, 0.0)]
    answers = {index: answer(index, {"arrivals": factor}, p95, half) for index, (factor, p95, half) in enumerate(tried)}
    found = headroom_of(AT_MOST, answers)
    assert (found.carried, found.missed, found.low, found.high) == (2.0, 3.0, 1.0, 4.0)
    assert (found.stable, found.unstable) == (4.0, 5.0)
    assert list(found.tried) == [1.0, 2.0, 3.0, 4.0, 5.0]


@pytest.mark.parametrize(("p95", "carried", "missed"), [(0.5, 2.0, None), (1.5, 0.0, 1.0)])
def test_an_end_without_a_bracket_is_open(p95: float, carried: float, missed: float | None) -> None:
    found = headroom_of(AT_MOST, {0: answer(0, {"arrivals": 1.0}, p95), 1: answer(1, {"arrivals": 2.0}, p95)})
    assert (found.carried, found.missed) == (carried, missed)
