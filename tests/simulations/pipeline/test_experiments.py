"""Questions asked through the rounds, against systems whose answer is known."""

from datetime import date, timedelta
from math import log
from typing import Any

import numpy as np
import pytest

from simulations.analysis.estimates.summary import PointSummary
from simulations.analysis.theory.queues import MMc
from simulations.experiment.choice import best_of
from simulations.experiment.headrooms import Headroom, headroom_of, reached
from simulations.experiment.questions import Optimize, SensitivityQuestion, Sweep, asked_spec
from simulations.experiment.reading import read_question
from simulations.experiment.sensitivities import effects_of, joint_of
from simulations.pipeline.experiments import run_question
from simulations.pipeline.rounds import Round
from simulations.pipeline.spark.executors import InlineExecutor
from simulations.scenario.spec import ScenarioSpec
from tests.simulations.pipeline.doubles import SESSIONS, final_answers, scenario

RATE = "queues.orders.arrivals.rate"
MEAN = "queues.orders.service.mean"


def rounds_of(spec: ScenarioSpec, threads: int = 2, **question: Any) -> list[Round]:
    """Every round of a question."""
    asked = read_question(question, spec)
    return list(run_question(asked, spec, InlineExecutor(threads), should_stop=lambda: False))


def answers_of(rounds: list[Round]) -> dict[int, PointSummary]:
    """The last answer of each point."""
    return {summary.index: summary for step in rounds for summary in step.decided}


def headroom(limit: float) -> Headroom:
    """Of M/M/18 at 60 messages per second, 0.2 s each: the utilisation is 2/3."""
    spec = scenario(horizon={"messages": 20_000}, replications={"min": 6, "max": 6})
    objective = {"metric": "latency.mean", "at_most": limit}
    rounds = rounds_of(spec, type="headroom", kpi="latency.mean", least=0.5, most=2.0, subject_to=[objective])
    question = read_question({"type": "headroom", "subject_to": [objective]}, spec)
    return headroom_of(question.subject_to or (), answers_of(rounds))


def test_the_headroom_of_a_known_queue_is_found() -> None:
    # Erlang C: the mean latency of M/M/18 is 0.2634 s at 81/s, that is 1.35 times 60/s; 90/s is the end of stability.
    found = headroom(0.2634)
    assert found.missed is not None
    assert found.high is not None
    assert found.unstable is not None
    assert found.carried < found.missed <= 1.02 * found.carried
    assert found.low <= found.carried == pytest.approx(1.35, rel=0.02)
    assert found.low < 1.35 < found.high
    assert found.stable < 1.5 <= found.unstable


def test_too_small_from_the_start_is_said() -> None:
    found = headroom(0.1)
    assert (found.carried, found.missed) == (0.0, 0.5)


def test_the_input_that_matters_comes_first_and_its_differences_are_paired() -> None:
    ranges = {SESSIONS: [40, 60], MEAN: [0.18, 0.22], RATE: [59.9, 60.1]}
    spec = scenario()
    rounds = rounds_of(spec, type="sensitivity", inputs=ranges)
    question = read_question({"type": "sensitivity", "inputs": ranges}, spec)
    assert isinstance(question, SensitivityQuestion)
    effects = effects_of(question, answers_of(rounds))
    assert effects[0].path == MEAN
    assert effects[0].low.difference is not None
    assert effects[0].high.difference is not None
    assert effects[0].low.difference.high < 0 < effects[0].high.difference.low
    assert effects[-1].swing < effects[0].swing / 5


def test_the_day_of_breach_is_that_of_the_formula() -> None:
    """3 % a month: ln 1.35 / ln 1.03 = 10.15 months until M/M/18 has the mean latency that it has at 81/s."""
    day = date(2026, 11, 26)
    limit = MMc(81.0, 0.2, 18).mean_latency
    days = reached(headroom(limit), 1.03**12 - 1, day)
    assert days["carried"] is not None
    assert days["low"] is not None
    assert days["high"] is not None
    breach = day + timedelta(days=365.25 / 12 * log(1.35) / log(1.03))
    assert days["low"] < breach < days["high"]
    assert abs((days["carried"] - breach).days) < 0.7 * 30, "a bracket of 2 % of the arrivals is two thirds of a month"


def test_what_unknown_inputs_do_together_is_what_the_formula_says() -> None:
    """M/M/18 with 54 to 72 messages per second of 0.18 to 0.22 s: quantiles of the exact mean latency."""
    ranges: dict[str, Any] = {RATE: [54, 72], MEAN: [0.18, 0.22]}
    spec = scenario(horizon={"messages": 10_000}, replications={"min": 4, "max": 4})
    asked: dict[str, Any] = {"type": "sensitivity", "kpi": "latency.mean", "inputs": ranges, "draws": 60}
    question = read_question(asked, spec)
    assert isinstance(question, SensitivityQuestion)
    joint = joint_of(question, (), answers_of(rounds_of(spec, **asked)))
    places = np.random.default_rng(1).random((4000, 2))
    exact = [MMc(54 + 18 * rate, 0.18 + 0.04 * mean, 18).mean_latency for rate, mean in places]
    low, high = np.quantile(exact, (0.025, 0.975))
    assert joint is not None
    assert joint.low is not None
    assert joint.high is not None
    assert joint.low.value == pytest.approx(low, rel=0.02)
    assert joint.high.value == pytest.approx(high, rel=0.06)
    assert joint.low.low < low < high < joint.high.high
    assert list(joint.shares) == [MEAN, RATE]
    # First-order indices of the formula from sobol_indices with 8,192 points: 0.873 and 0.090.
    assert joint.shares[MEAN].value == pytest.approx(0.873, abs=0.08)
    assert joint.shares[RATE].value == pytest.approx(0.090, abs=0.08)


def test_the_cheapest_setting_that_meets_the_objective_is_chosen_and_sure() -> None:
    # 18 sessions carry 67.6/s (closed form), so at 60/s their p95 is far above that of 36 and more.
    spec = scenario(horizon={"messages": 8000}, replications={"min": 6, "max": 20})
    bound = {"kpi": "latency.p95", "op": "<=", "value": "650ms"}
    body: dict[str, Any] = {"type": "optimize", "minimize": ["maximum_sessions"], "subject_to": [bound]}
    question = read_question(body, spec)
    assert isinstance(question, Optimize)
    best = best_of(question, asked_spec(question, spec), answers_of(rounds_of(spec, **body)))
    assert best.status == "recommended"
    assert best.chosen is not None
    assert best.chosen.summary.overrides == {SESSIONS: 36}
    assert best.probability >= 0.95
    assert best.runner_up is not None
    assert best.runner_up.summary.overrides == {SESSIONS: 50}


def test_a_map_is_filled_from_coarse_to_fine_and_skips_what_is_alike() -> None:
    spec = scenario()
    knobs = [
        {"path": SESSIONS, "values": list(range(20, 60))},
        {"path": RATE, "from": 30, "to": 120, "steps": 40},
    ]
    effort = {"messages": 400, "replications": {"min": 2, "max": 2}}
    limit = {"metric": "latency.p95", "at_most": 0.8}
    rounds = rounds_of(spec, type="sweep", knobs=knobs, subject_to=[limit], effort=effort)
    by_round = {step.number: step.progress.points_done for step in rounds}
    assert by_round[1] <= 131
    assert by_round[1] < by_round[2] < by_round[3] < 1601
    assert rounds[-1].progress.fraction == 1.0


def test_the_same_points_and_numbers_on_any_number_of_threads_and_when_taken_up_again() -> None:
    spec = scenario()
    bound = {"metric": "latency.p95", "at_most": 0.7}
    question: dict[str, Any] = {"type": "headroom", "subject_to": [bound], "least": 0.5, "most": 2.0}
    first, second = rounds_of(spec, 1, **question), rounds_of(spec, 3, **question)
    assert final_answers(first) == final_answers(second)


def test_the_baseline_is_the_scenario_or_what_is_named_and_is_simulated_once() -> None:
    spec = scenario()
    question = read_question({"type": "sweep", "baseline": {"max_sessions": 100}}, spec)
    assert isinstance(question, Sweep)
    rounds = list(run_question(question, spec, InlineExecutor(2), should_stop=lambda: False))
    answers = answers_of(rounds)
    assert answers[0].overrides == {SESSIONS: 100}
    assert sorted(summary.overrides[SESSIONS] for summary in answers.values()) == [18, 36, 50, 100]
    assert all(summary.differences for index, summary in answers.items() if index)


def test_only_what_is_asked_is_kept_of_a_point() -> None:
    summary = answers_of(rounds_of(scenario(), type="sweep", kpis=["wait.thread"]))[0]
    assert "wait.thread" in summary.metrics
    assert "wait.prepared" not in summary.metrics
    assert not summary.timeline
    assert not summary.findings
    assert summary.checks
