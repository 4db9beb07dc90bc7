"""What an experiment found so far, as JSON."""

from dataclasses import replace
from typing import Any

from planner import selectors, services
from planner.answers.summaries import StoredPoint
from planner.api.outcomes import outcome_body
from planner.models import Run, Scenario
from planner.selectors import Experiment
from tests.planner.conftest import summary_of
from tests.scenarios import FEWEST_SESSIONS, SESSIONS

SWEEP = {"type": "sweep", "knobs": {SESSIONS: [18, 36]}, "kpi": "latency.p95"}


def asked(scenario: Scenario, question: dict[str, Any]) -> Run:
    return services.experiment_prepare(version=scenario.version, owner=scenario.owner, question=question)().run


def answered(run: Run, *, partial: bool = False) -> Experiment:
    points = [summary_of(0), summary_of(1, 0.3)]
    stored = [StoredPoint(item.index, item.overrides, partial, item) for item in points]
    return selectors.experiment_read(run=run, points=stored)


def test_before_the_first_answer_there_is_no_outcome(scenario: Scenario) -> None:
    run = asked(scenario, FEWEST_SESSIONS)
    assert outcome_body(selectors.experiment_read(run=run)) == {}


def test_the_cheapest_setting_that_meets_the_objective_is_recommended(scenario: Scenario) -> None:
    outcome = outcome_body(answered(asked(scenario, FEWEST_SESSIONS)))
    assert (outcome["status"], outcome["final"], outcome["kpi"]) == ("recommended", False, "latency.p95")
    assert outcome["recommended"]["overrides"] == {SESSIONS: 18}
    assert outcome["recommended"]["value"]["value"] == 0.25
    assert outcome["reason"]
    assert 0.5 < outcome["probability"] <= 1


def test_where_nothing_meets_the_objective_the_reason_says_so(scenario: Scenario) -> None:
    question = {**FEWEST_SESSIONS, "subject_to": [{"kpi": "latency.p95", "op": "<=", "value": "1ms"}]}
    outcome = outcome_body(answered(asked(scenario, question)))
    assert (outcome["status"], outcome["recommended"]) == ("infeasible", None)
    assert outcome["reason"]


def test_a_sweep_names_its_baseline_and_paired_differences(scenario: Scenario) -> None:
    experiment = answered(asked(scenario, SWEEP))
    assert outcome_body(experiment) == {
        "kpi": "latency.p95",
        "baseline": {SESSIONS: 18},
        "paired_vs_baseline": [],
    }
    second = replace(experiment.answers[1], differences=dict(experiment.answers[1].metrics))
    found = outcome_body(replace(experiment, answers={**experiment.answers, 1: second}))
    (paired,) = found["paired_vs_baseline"]
    assert paired["overrides"] == {SESSIONS: 36}
    assert paired["differences"]["latency.p95"] == {
        "value": 0.3,
        "ci95": [0.29, 0.31],
        "unit": "s",
        "origin": "simulated",
    }
