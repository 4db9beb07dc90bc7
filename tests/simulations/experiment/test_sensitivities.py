"""Sensitivity: one input at a time, which inputs there are, and what each one does."""

import math
from dataclasses import replace

import pytest

from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.declarations.problems import InvalidInput
from simulations.experiment.questions import Effort, SensitivityQuestion
from simulations.experiment.reading import read_question
from simulations.experiment.sensitivities import SensitivityPlan, effects_of, input_ranges
from simulations.pipeline.experiments import plan_of
from tests.simulations.experiment.answers import RATE, SESSIONS, SPEC, answer

SERVICE = "queues.orders.service.mean"


def test_a_sensitivity_changes_one_input_at_a_time_and_settles_what_is_clear() -> None:
    inputs = {SESSIONS: [18, 50], RATE: 0.1}
    plan = plan_of(read_question({"type": "sensitivity", "inputs": inputs}, SPEC), SPEC)
    assert isinstance(plan, SensitivityPlan)
    points = plan.first()
    assert [dict(point.overrides) for point in points] == [
        {},
        {SESSIONS: 18},
        {SESSIONS: 50},
        {RATE: 54.0},
        {RATE: 66.0},
    ]


def test_a_sensitivity_asks_only_for_what_the_simulation_sees() -> None:
    """Settings of an activation specification, and those that only rules read, have no influence on a port."""
    found = input_ranges(SensitivityQuestion(), SPEC)
    names = {path.rsplit(".", 1)[-1] for path in found}
    assert {"arrivals", "mean", "maximum_sessions"} <= names
    assert not {"maximum_server_sessions", "in_flight_constant", "recovery_retries"} & names
    given = SensitivityQuestion(inputs={"servers.payments.settings.recovery_retries": 0.5})
    assert list(input_ranges(given, SPEC)) == ["servers.payments.settings.recovery_retries"], "who asks is answered"


def with_difference(index: int, value: float, half: float) -> PointSummary:
    differences = {"latency.p95": Estimate(value, value - half, value + half, "s")}
    return replace(answer(index, {}, 0.5), differences=differences)


QUESTION = SensitivityQuestion(
    kpi="latency.p95", inputs={SESSIONS: [18, 50], RATE: [54.0, 66.0]}, effort=Effort(precision=0.02)
)


def test_clear_and_negligible_differences_are_settled_and_doubtful_ones_are_not() -> None:
    plan = SensitivityPlan(QUESTION, SPEC)
    answers = {
        0: answer(0, {}, 0.5),
        1: with_difference(1, 0.2, 0.01),
        2: with_difference(2, 0.001, 0.004),
        3: with_difference(3, 0.03, 0.02),
        4: answer(4, {}, 0.5),
    }
    assert plan.steer(answers).settled == {1, 2}
    assert plan.steer({1: answers[1]}).settled == frozenset(), "nothing is clear before the scenario has an answer"


def test_effects_come_largest_first_and_instability_is_the_largest() -> None:
    answers = {0: answer(0, {}, 0.5), 1: with_difference(1, -0.2, 0.01), 2: with_difference(2, 0.01, 0.02)}
    first, second = effects_of(QUESTION, answers)
    assert (first.path, first.swing, first.resolved) == (SESSIONS, 0.2, True)
    assert (second.path, second.swing, second.resolved) == (RATE, 0.0, False)
    assert (second.low.status, second.low.difference) == ("open", None)
    unstable = effects_of(QUESTION, {**answers, 4: answer(4, {}, None)})
    assert [(item.path, item.swing) for item in unstable] == [(RATE, math.inf), (SESSIONS, 0.2)]


def test_a_share_moves_a_number_either_way_and_whole_ones_by_one_at_least() -> None:
    given = SensitivityQuestion(inputs={SERVICE: 0.1, SESSIONS: 0.01, RATE: [10, 20]})
    mean = SPEC.body()["queues"][0]["service"]["mean"]
    assert input_ranges(given, SPEC) == {SERVICE: (mean * 0.9, mean * 1.1), SESSIONS: (35, 37), RATE: (10, 20)}


@pytest.mark.parametrize(
    ("path", "given", "reason"),
    [
        (SERVICE, 1.5, "a share lies between 0 and 1"),
        ("queues.orders.name", 0.1, "no number that could be moved"),
        ("queues.nobody.service.mean", 0.1, "nothing is named 'nobody'"),
        (SESSIONS, [0, 36], "maximum_sessions"),
        ("arrivals", [-1, 2], "a number above 0"),
        ("arrivals", ["x", 2], "a number above 0"),
    ],
)
def test_an_input_that_cannot_be_moved_is_refused_with_the_reason(path: str, given: object, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        input_ranges(SensitivityQuestion(inputs={path: given}), SPEC)
