"""Starting runs: what a run keeps, and when an equal one is the answer."""

from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError
from django.test import override_settings

from planner import selectors, services
from planner.errors import Conflict, QuotaReached
from planner.models import AuditEvent, Run, RunStatus, Scenario
from planner.services import runs
from simulations import ENGINE_VERSION
from simulations.declarations.problems import InvalidInput
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import parse


def test_a_run_keeps_a_copy_of_all_that_decides_its_numbers(owner: User, scenario: Scenario) -> None:
    run = services.run_start(version=scenario.version, owner=owner).run
    services.scenario_replace(scenario=scenario, author=owner, spec=parse({**scenario.version.spec, "name": "New"}))
    run.refresh_from_db()
    assert run.spec["name"] == "Surge backlog"
    assert run.plan["points"] == 2
    assert run.plan["axes"] == [{"path": "queues.orders.settings.maximum_sessions", "values": 2}]
    assert (run.engine_version, run.rules_version, run.seed) == (
        ENGINE_VERSION,
        PLATFORMS["websphere-zos"].rules_version,
        42,
    )
    assert run.content_hash == scenario.version.content_hash


def test_equal_content_of_two_scenarios_is_computed_once(owner: User, scenario: Scenario) -> None:
    first = services.run_start(version=scenario.version, owner=owner)
    copy = services.scenario_store(owner=owner, spec=services.scenario_copied(scenario=scenario))
    assert services.run_start(version=copy.version, owner=owner) == first


@pytest.mark.parametrize("ended", [RunStatus.QUEUED, RunStatus.SUCCEEDED, RunStatus.FAILED])
def test_a_start_that_loses_a_race_answers_with_what_became_of_the_other(
    owner: User, scenario: Scenario, monkeypatch: pytest.MonkeyPatch, ended: RunStatus
) -> None:
    create = runs._created
    others: list[Run] = []

    def overtaken(*about: Any) -> Run:
        if others:
            return create(*about)
        others.append(create(*about))
        with pytest.raises(IntegrityError) as refused:
            create(*about)
        Run.objects.filter(pk=others[0].pk).update(status=ended, result_hash="h")
        raise refused.value

    monkeypatch.setattr(runs, "_created", overtaken)
    started = services.run_start(version=scenario.version, owner=owner)
    assert started.cached is (ended == RunStatus.SUCCEEDED)
    assert (started.run == others[0]) is (ended != RunStatus.FAILED)


def test_people_do_not_share_runs(owner: User, stranger: User, scenario: Scenario) -> None:
    theirs = services.scenario_store(owner=stranger, spec=services.scenario_copied(scenario=scenario))
    first = services.run_start(version=scenario.version, owner=owner).run
    assert services.run_start(version=theirs.version, owner=stranger).run != first


def test_a_cancelled_run_is_no_answer(owner: User, scenario: Scenario) -> None:
    first = services.run_start(version=scenario.version, owner=owner).run
    services.job_cancel(first, actor=owner)
    assert services.run_start(version=scenario.version, owner=owner).run != first


def test_a_retry_waits_for_the_run_that_took_its_place(owner: User, scenario: Scenario) -> None:
    first = services.run_start(version=scenario.version, owner=owner).run
    services.job_cancel(first, actor=owner)
    services.run_start(version=scenario.version, owner=owner)
    with pytest.raises(Conflict, match="under way"):
        services.run_retry(first, actor=owner)


def test_a_run_that_cannot_be_tried_again_is_refused_for_that_whatever_the_quota(run: Run) -> None:
    one = settings.ENVIRONMENT.model_copy(update={"max_person_runs": 1})
    with override_settings(ENVIRONMENT=one), pytest.raises(Conflict, match="only failed and canceled runs"):
        services.run_retry(run, actor=run.owner)


def test_cancelling_a_run_that_is_over_changes_nothing(owner: User, run: Run) -> None:
    services.job_cancel(run, actor=owner)
    events = AuditEvent.objects.filter(action="run.cancel").count()
    assert services.job_cancel(run, actor=owner).status == RunStatus.CANCELLED
    assert AuditEvent.objects.filter(action="run.cancel").count() == events == 1


def test_a_wrong_plan_is_refused_before_anything_is_stored(owner: User, body: dict[str, Any]) -> None:
    forbidden = {**body, "sweep": [{**body["sweep"][0], "values": [18, 0]}]}
    with pytest.raises(InvalidInput, match="must be at least 1"):
        services.scenario_store(owner=owner, spec=parse(forbidden))
    assert not Scenario.objects.exists()
    misfit = {**body, "sweep": [{"path": "servers.payments.settings.max_servants", "values": [1, 2]}]}
    scenario = services.scenario_store(owner=owner, spec=parse(misfit))
    with pytest.raises(InvalidInput, match="below min_servants"):
        services.run_start(version=scenario.version, owner=owner)
    assert not Run.objects.exists()


def test_a_team_cannot_fill_the_installation(run: Run, owner: User, stranger: User) -> None:
    team = services.team_create(actor=owner, name="Payments")
    services.member_set(team=team, actor=owner, name=stranger.username, role="planner")
    services.hand_over(row=run.version.scenario, actor=owner, team=team)
    version = selectors.scenario_get(user=stranger, scenario_id=run.version.scenario_id).version
    little = run.plan["work"]["cpu_s"] * 1.5
    for limit, most, text in (
        ("max_team_runs", 1, r"1 of the runs of the team Payments wait.*\(MAX_TEAM_RUNS\); wait for one or cancel"),
        ("max_team_cpu_seconds", little, r"the team Payments under way and this one.*\(MAX_TEAM_CPU_SECONDS\); wait"),
    ):
        narrow = settings.ENVIRONMENT.model_copy(update={limit: most})
        with override_settings(ENVIRONMENT=narrow):
            with pytest.raises(QuotaReached, match=text):
                services.run_start(version=version, owner=stranger, seed=7)
            own = services.scenario_store(owner=stranger, spec=version.parsed)
            started = services.run_start(version=own.version, owner=stranger).run
            assert started.status == RunStatus.QUEUED, "what is theirs alone is no run of the team"


def test_a_person_cannot_fill_the_installation(run: Run) -> None:
    one = settings.ENVIRONMENT.model_copy(update={"max_person_runs": 1})
    with override_settings(ENVIRONMENT=one), pytest.raises(QuotaReached, match="MAX_PERSON_RUNS"):
        services.run_start(version=run.version, owner=run.owner, seed=7)
    little = settings.ENVIRONMENT.model_copy(update={"max_person_cpu_seconds": run.plan["work"]["cpu_s"] * 1.5})
    with override_settings(ENVIRONMENT=little):
        with pytest.raises(QuotaReached, match="MAX_PERSON_CPU_SECONDS"):
            services.run_start(version=run.version, owner=run.owner, seed=7)
        services.job_cancel(run, actor=run.owner)
        services.run_start(version=run.version, owner=run.owner, seed=7)
        with pytest.raises(QuotaReached):
            services.run_retry(run, actor=run.owner)
