"""Experiments are runs with a question: started once, claimed, computed and stored as every run."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import override_settings

from planner import services
from planner.jobs.execute import run_compute
from planner.models import Run, RunKind, RunStatus, Scenario
from planner.selectors.runs import experiment_read
from planner.services.runs import experiment_prepare
from planner.settings.environment import Environment
from simulations.declarations.problems import InvalidInput
from simulations.pipeline.spark.executors import InlineExecutor
from tests.scenarios import FEWEST_SESSIONS, SESSIONS

# The heartbeat sees the run through a connection of its own, so that the run must be committed.
pytestmark = pytest.mark.django_db(transaction=True)


def started(scenario: Scenario, question: dict[str, Any] = FEWEST_SESSIONS, **more: Any) -> Run:
    return experiment_prepare(version=scenario.version, owner=scenario.owner, question=question, **more)().run


def compute(run: Run) -> Run:
    run_compute(run_id=run.pk, worker="w1", executor_of=lambda _: InlineExecutor())
    run.refresh_from_db()
    return run


def test_an_experiment_keeps_its_complete_question(scenario: Scenario) -> None:
    run = started(scenario)
    assert run.pk.startswith("exp_")
    assert (run.kind, run.status) == (RunKind.OPTIMIZE, RunStatus.QUEUED)
    assert run.question["minimize"] == [SESSIONS]
    assert run.question["subject_to"][0]["at_most"] == 2.0
    assert run.question["effort"]["replications"] == {"min": 2, "max": 4}
    assert (run.plan["points"], run.plan["axes"]) == (4, [{"path": SESSIONS, "values": 3}])
    assert run.plan["work"]["messages"] == 4 * 4 * 2000


def test_the_same_question_is_asked_once_and_its_answer_is_known_then(scenario: Scenario) -> None:
    run = started(scenario)
    assert started(scenario) == run
    other = started(scenario, {**FEWEST_SESSIONS, "knobs": {"max_sessions": [18, 36]}})
    assert other.pk != run.pk
    compute(run)
    again = experiment_prepare(version=scenario.version, owner=scenario.owner, question=FEWEST_SESSIONS)()
    assert (again.run, again.cached) == (run, True)


def test_a_computed_experiment_has_the_points_that_it_needed_and_light_answers(scenario: Scenario) -> None:
    run = compute(started(scenario))
    assert run.status == RunStatus.SUCCEEDED
    # 36 sessions are the scenario's own: that cell is point 0.
    assert [point.overrides for point in run.points.all()] == [{SESSIONS: 36}, {SESSIONS: 18}, {SESSIONS: 50}]
    assert run.plan["points"] == 3
    read = experiment_read(run=run)
    assert not read.partial
    assert all(not summary.timeline for summary in read.answers.values())


def test_a_forced_experiment_computes_again_and_reproduces_the_numbers(scenario: Scenario) -> None:
    run = compute(started(scenario))
    forced = compute(started(scenario, force=True))
    assert (forced.repeats, forced.reproduced) == (run, True)


def test_points_that_another_experiment_computed_are_not_computed_again(scenario: Scenario) -> None:
    first = compute(started(scenario))
    keys = set(first.points.values_list("content_key", flat=True))
    assert len(keys) == 3
    wider = started(scenario, {**FEWEST_SESSIONS, "knobs": {"max_sessions": [36, 50, 100]}})
    asked: list[int] = []

    class Watched(InlineExecutor):
        """Notes which points are asked for."""

        def run(self, items: Any, *, should_stop: Any) -> Any:
            asked.extend(item.point for item in items)
            return super().run(items, should_stop=should_stop)

    run_compute(run_id=wider.pk, worker="w1", executor_of=lambda _: Watched())
    wider.refresh_from_db()
    by_sessions = {point.overrides[SESSIONS]: point for point in wider.points.all()}
    assert set(asked) == {by_sessions[100].index}
    before = first.points.get(index=by_sessions[50].index + 1)
    assert before.overrides == by_sessions[50].overrides
    assert before.summary["metrics"] == by_sessions[50].summary["metrics"]


def test_an_experiment_is_cancelled_and_tried_again_like_a_run(scenario: Scenario, owner: User) -> None:
    run = started(scenario)
    services.job_cancel(run, actor=owner)
    assert compute(run).status == RunStatus.CANCELLED
    services.run_retry(run, actor=owner)
    assert compute(run).status == RunStatus.SUCCEEDED


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ({"type": "guess"}, "/type"),
        ({**FEWEST_SESSIONS, "minimize": ["money"]}, "/minimize/0"),
        ({**FEWEST_SESSIONS, "knobs": {"max_sessons": [1]}}, "/knobs/max_sessons"),
        ({**FEWEST_SESSIONS, "knobs": {"max_sessions": [0]}}, "/knobs/0/values/0"),
        ({**FEWEST_SESSIONS, "knobs": {"run.horizon.time": ["5s"]}}, "/knobs"),
        ({**FEWEST_SESSIONS, "knobs": [{"path": "queues.orders.nope", "values": [1]}]}, "/knobs/0/path"),
        ({**FEWEST_SESSIONS, "subject_to": [{"kpi": "latency.p95", "op": "<", "value": 1}]}, "/subject_to/0/op"),
        ({**FEWEST_SESSIONS, "subject_to": [{"kpi": "latency.p59", "op": "<=", "value": 1}]}, "/subject_to/0/kpi"),
        ({**FEWEST_SESSIONS, "kpi": "backlog.max"}, "/kpi"),
        ({"type": "sensitivity", "inputs": {"run.horizon.time": 0.1}}, "/inputs/run.horizon.time"),
        ({"type": "sensitivity", "inputs": {"max_sessions": 3}}, f"/inputs/{SESSIONS}"),
    ],
)
def test_what_is_wrong_with_a_question_is_named(scenario: Scenario, question: dict[str, Any], place: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        started(scenario, question)
    assert [item.pointer for item in caught.value.problems] == [place]


def test_too_many_points_are_refused_before_any_is_made(
    scenario: Scenario, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = Environment.model_validate({**settings.ENVIRONMENT.model_dump(), "max_sweep_points": 2})
    monkeypatch.setattr("simulations.experiment.reading.with_overrides", None)
    with override_settings(ENVIRONMENT=few), pytest.raises(InvalidInput, match="at most 2"):
        started(scenario)


def test_a_search_that_leaves_its_replications_open_gets_what_the_memory_allows(
    scenario: Scenario, settings: Any
) -> None:
    little = Environment.model_validate({**settings.ENVIRONMENT.model_dump(), "max_run_memory_mb": 100})
    open_question = FEWEST_SESSIONS | {"knobs": {"max_sessions": list(range(18, 118))}}
    asked = open_question | {"effort": {"replications": {"min": 10, "max": 270}}}
    with override_settings(ENVIRONMENT=little):
        assert started(scenario, open_question).question["effort"]["replications"] == {"min": 10, "max": 19}
        with pytest.raises(InvalidInput, match="allow at most 19 replications"):
            started(scenario, asked)
