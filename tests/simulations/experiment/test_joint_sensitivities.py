"""All inputs drawn at once, against queues whose answer is a formula."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from scipy.stats import sobol_indices, uniform

from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.declarations.problems import InvalidInput
from simulations.experiment.questions import SensitivityQuestion
from simulations.experiment.reading import points_planned, read_question
from simulations.experiment.sensitivities import Joint, joint_of
from simulations.experiment.words import joint_sentences
from simulations.pipeline.experiments import plan_of
from simulations.scenario.runsettings import Objective
from tests.simulations.experiment.answers import RATE, SESSIONS, SPEC, answer

SERVICE = "queues.orders.service.mean"
HALF = 0.003
AT_MOST = (Objective(metric="latency.p95", at_most=1.0),)


def mm1_p95(rate: float, service: float) -> float | None:
    """The exact p95 latency of M/M/1; None where the backlog grows."""
    return math.log(20) / (1 / service - rate) if rate * service < 1 else None


def drawn(inputs: Mapping[str, Any], draws: int, objectives: tuple[Objective, ...] = ()) -> Joint:
    """What follows where every point of the plan answers as M/M/1 does."""
    question = read_question({"type": "sensitivity", "inputs": inputs, "draws": draws}, SPEC)
    assert isinstance(question, SensitivityQuestion)
    points = plan_of(question, SPEC).first()
    assert len(points) == points_planned(question) == 1 + 2 * len(inputs) + draws
    answers = {point.index: exact(point.index, point.overrides) for point in points}
    joint = joint_of(question, objectives, answers)
    assert joint is not None
    return joint


def exact(index: int, overrides: Mapping[str, Any]) -> PointSummary:
    p95 = mm1_p95(overrides.get(RATE, 6.0), overrides.get(SERVICE, 0.1))
    return answer(index, overrides, p95, HALF)


def test_the_interval_of_one_unknown_input_is_that_of_the_formula() -> None:
    """p95 grows with the rate, so its quantiles are those of the rate: 2.5 % and 97.5 % of the way from 4 to 8."""
    joint = drawn({RATE: [4, 8]}, 200)
    assert joint.low is not None
    assert joint.high is not None
    assert joint.low.value == pytest.approx(mm1_p95(4.1, 0.1), rel=0.01)
    assert joint.high.value == pytest.approx(mm1_p95(7.9, 0.1), rel=0.02)
    assert (joint.low.half_width, joint.high.half_width) == pytest.approx((HALF, HALF)), "simulation error comes on top"
    assert 0.9 < joint.shares[RATE].value < 1, "a straight line explains less than the curve, so: at least"


def test_the_shares_are_first_order_indices() -> None:
    """Against the indices of the formula from 3 times 8,192 evaluations (Saltelli 2010)."""
    ranges = {RATE: (4.0, 7.0), SERVICE: (0.08, 0.11)}

    def formula(places: Any) -> Any:
        return np.log(20) / (1 / places[1] - places[0])

    dists: Any = [uniform(low, high - low) for low, high in ranges.values()]
    known = sobol_indices(func=formula, n=8192, dists=dists, rng=np.random.default_rng(1)).first_order
    joint = drawn({**ranges, SESSIONS: [30, 40]}, 200)
    assert list(joint.shares) == [SERVICE, RATE, SESSIONS]
    assert known[1] > known[0]
    for path, index in zip(ranges, known, strict=True):
        share = joint.shares[path]
        assert share.value == pytest.approx(index, abs=0.1)
        assert share.low < index
    assert joint.shares[SESSIONS].low == 0, "it has no influence on the formula"
    assert joint.shares[SESSIONS].value < 0.02


def test_draws_that_pile_up_have_no_upper_end() -> None:
    """From 6 to 12 messages per second with 0.1 s each: a third is more than one thread carries."""
    joint = drawn({RATE: [6, 12]}, 120, AT_MOST)
    assert joint.high is None
    assert joint.verdicts["unstable"] == 40
    # ln(20) / (10 - rate) is at most 1 s up to 7.004 messages per second: 20.08 of 120 draws.
    assert joint.verdicts["met"] == pytest.approx(20, abs=1)
    assert sum(joint.verdicts.values()) == joint.draws == 120
    first, second, third = joint_sentences(SPEC, "latency.p95", joint)
    assert "and a growing backlog in 95 % of 120 draws" in first
    assert "40 are unstable" in second
    assert "matters most" in third


def test_sentences_name_interval_error_and_what_matters() -> None:
    low, high = Estimate(0.5, 0.49, 0.51, "s"), Estimate(1.1, 1.05, 1.15, "s")
    joint = Joint(64, low, high, {"met": 64}, {SERVICE: Estimate(0.75, 0.7, 0.8, "1")})
    spec = SPEC.model_copy(update={"objectives": ()})
    assert list(joint_sentences(spec, "latency.p95", joint)) == [
        "p95 latency is between 0.49 s and 1.15 s in 95 % of 64 draws over the ranges of all inputs at once; up to "
        "± 50 ms at either end is simulation error.",
        "Mean service time matters most: it explains at least 75 % of the variance (70 % to 80 %). If it were known "
        "exactly, at most about 50 % of the spread would be left.",
    ]


def test_whole_numbers_stay_whole_and_texts_become_numbers() -> None:
    inputs = {SESSIONS: [3, 5], RATE: ["10/s", "20/s"]}
    question = read_question({"type": "sensitivity", "inputs": inputs, "draws": 30}, SPEC)
    values = [point.overrides for point in plan_of(question, SPEC).first()[5:]]
    assert sorted(value[SESSIONS] for value in values) == [3] * 10 + [4] * 10 + [5] * 10
    assert all(10 <= value[RATE] <= 20 for value in values)
    again = [point.overrides for point in plan_of(question, SPEC).first()[5:]]
    assert values == again, "the plan follows from the question"


def test_a_range_that_the_scenario_forbids_is_refused_by_name() -> None:
    with pytest.raises(InvalidInput, match="maximum_sessions"):
        read_question({"type": "sensitivity", "inputs": {SESSIONS: [0, 9]}, "draws": 30}, SPEC)
    with pytest.raises(InvalidInput, match="give the two ends"):
        read_question({"type": "sensitivity", "inputs": {RATE: [1, 2, 3]}, "draws": 30}, SPEC)


def test_without_draws_nothing_is_said() -> None:
    question = read_question({"type": "sensitivity", "inputs": {RATE: 0.1}}, SPEC)
    assert isinstance(question, SensitivityQuestion)
    assert joint_of(question, (), {0: exact(0, {}), 1: exact(1, {})}) is None
