"""What a run computes is stored once: its points, its hash, its headline, and the verdict of its scenario."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from planner import services
from planner.jobs.results import run_finish, run_points_save, scenario_judge
from planner.models import Run, RunStatus, Scenario
from simulations.scenario.spec import parse
from tests.claims import taken
from tests.planner.conftest import summary_of


def test_saving_a_point_twice_keeps_the_last(run: Run) -> None:
    claimed = taken(run)
    run_points_save(run=claimed, summaries=[summary_of(0, 0.9)], partial=True)
    run_points_save(run=claimed, summaries=[summary_of(0, 0.3)], partial=False)
    row = run.points.get()
    assert (row.summary["metrics"]["latency.p95"]["value"], row.partial) == (0.3, False)


def test_finishing_takes_the_hash_of_all_points(run: Run) -> None:
    claimed = taken(run)
    run_points_save(run=claimed, summaries=[summary_of(0), summary_of(1)], partial=True)
    assert run_finish(run=claimed, store_path="x", timings={"spark": 1.5}) == "succeeded"
    run.refresh_from_db()
    assert len(run.result_hash) == 64
    assert run.progress["fraction"] == 1.0
    assert not run.points.filter(partial=True).exists()
    assert run.claim_token == ""


def test_a_run_with_missing_points_cannot_finish(run: Run) -> None:
    claimed = taken(run)
    run_points_save(run=claimed, summaries=[summary_of(0)], partial=False)
    with pytest.raises(ValueError, match="1 of 2 points"):
        run_finish(run=claimed)
    assert Run.objects.get(pk=run.pk).status == RunStatus.RUNNING


def test_the_database_refuses_success_without_a_hash(run: Run) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Run.objects.filter(pk=run.pk).update(status=RunStatus.SUCCEEDED)


def test_the_end_of_a_run_judges_its_scenario_by_the_objectives(owner: User, body: dict[str, Any]) -> None:
    body["objectives"] = [{"metric": "latency.p95", "at_most": "200ms"}]
    scenario = services.scenario_store(owner=owner, spec=parse(body))
    for value, verdict in ((0.25, "missed"), (0.1, "met")):
        claimed = taken(services.run_start(version=scenario.version, owner=owner, force=True).run)
        run_points_save(run=claimed, summaries=[summary_of(0, value), summary_of(1, value)], partial=False)
        run_finish(run=claimed)
        scenario.refresh_from_db()
        assert scenario.verdict == verdict
        assert Run.objects.get(pk=claimed.pk).headline["metrics"]["latency.p95"]["value"] == value


def test_a_scenario_without_objectives_or_answers_has_no_verdict(scenario: Scenario) -> None:
    Scenario.objects.update(verdict="met")
    with transaction.atomic():
        scenario_judge(scenario_id=scenario.pk)
    scenario.refresh_from_db()
    assert scenario.verdict == ""
