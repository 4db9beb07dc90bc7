"""A paused run keeps what it has, frees its worker and goes on; it is never lost on the way."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from planner import services
from planner.errors import ClaimLost, Conflict
from planner.jobs import leases, pausing
from planner.jobs.claims import run_claim, run_finish, run_heartbeat, run_points_save, run_session_save, runs_reap
from planner.jobs.leases import LEASE, MAX_ATTEMPTS
from planner.jobs.pausing import job_paused
from planner.jobs.transitions import job_transition
from planner.models import AuditEvent, Run, RunStatus, Scenario
from tests.claims import silent, taken
from tests.planner.conftest import summary_of


def reaped(run: Run) -> list[str]:
    silent(run)
    return runs_reap()


def paused(run: Run) -> Run:
    claim = taken(run).claim_token
    run_session_save(run_id=run.pk, claim=claim, spark_session="s-1")
    services.run_pause(run=run, actor=run.owner)
    assert job_paused(Run, key=run.pk, claim=claim) == "paused"
    run.refresh_from_db()
    return run


def test_a_run_that_no_worker_had_is_paused_at_once(run: Run) -> None:
    assert services.run_pause(run=run, actor=run.owner).status == RunStatus.PAUSED
    assert run_claim(run_id=run.pk, worker="w1") is None


def test_asking_twice_changes_nothing_and_is_noted_once(run: Run) -> None:
    for _ in range(2):
        services.run_pause(run=run, actor=run.owner)
    for _ in range(2):
        assert services.run_resume(run=run, actor=run.owner).status == RunStatus.QUEUED
    noted = AuditEvent.objects.filter(target=run.pk, action__in=("run.pause", "run.resume"))
    assert sorted(noted.values_list("action", flat=True)) == ["run.pause", "run.resume"]


def test_the_worker_hears_of_the_pause_and_gives_the_run_back(run: Run) -> None:
    claim = taken(run).claim_token
    assert services.run_pause(run=run, actor=run.owner).status == RunStatus.PAUSING
    assert run_heartbeat(run_id=run.pk, claim=claim) == "pausing"
    assert job_paused(Run, key=run.pk, claim=claim) == "paused"
    run.refresh_from_db()
    assert (run.claim_token, run.worker, run.spark_session, run.finished_at) == ("", "", "", None)
    with pytest.raises(ClaimLost):
        run_heartbeat(run_id=run.pk, claim=claim)


def test_going_on_is_one_more_claim_of_the_same_row(
    run: Run, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    paused(run)
    with django_capture_on_commit_callbacks(execute=True):
        assert services.run_resume(run=run, actor=run.owner).status == RunStatus.QUEUED
    run.refresh_from_db()
    assert run.sent_at is not None
    assert taken(run).pk == run.pk


def test_pauses_are_no_deaths_of_workers(run: Run) -> None:
    for _ in range(MAX_ATTEMPTS + 1):
        paused(run)
        services.run_resume(run=run, actor=run.owner)
    assert taken(run).attempt == 1


def test_who_changes_their_mind_in_time_keeps_the_worker(run: Run) -> None:
    claim = taken(run).claim_token
    services.run_pause(run=run, actor=run.owner)
    assert services.run_resume(run=run, actor=run.owner).status == RunStatus.RUNNING
    assert run_heartbeat(run_id=run.pk, claim=claim) == "running"


def test_who_changes_their_mind_when_the_worker_has_stopped_gets_another_one(run: Run) -> None:
    claim = taken(run).claim_token
    services.run_pause(run=run, actor=run.owner)
    services.run_resume(run=run, actor=run.owner)
    assert job_paused(Run, key=run.pk, claim=claim) == "queued"
    assert taken(run).status == RunStatus.RUNNING


@pytest.mark.parametrize("spark_session", ["", "s-1"])
def test_a_worker_that_dies_while_pausing_leaves_a_run_that_another_one_pauses(run: Run, spark_session: str) -> None:
    claim = taken(run).claim_token
    run_session_save(run_id=run.pk, claim=claim, spark_session=spark_session)
    services.run_pause(run=run, actor=run.owner)
    assert reaped(run) == [run.pk]
    holder = taken(run)
    assert (holder.status, holder.spark_session, holder.attempt) == ("pausing", spark_session, 1)
    assert job_paused(Run, key=run.pk, claim=holder.claim_token) == "paused"


def test_a_run_whose_worker_died_while_pausing_can_go_on_at_once(run: Run) -> None:
    taken(run)
    services.run_pause(run=run, actor=run.owner)
    assert reaped(run) == [run.pk]
    assert services.run_resume(run=run, actor=run.owner).status == RunStatus.QUEUED
    assert taken(run).status == RunStatus.RUNNING


def test_a_queued_run_is_not_paused_while_spark_may_compute_it(run: Run) -> None:
    claim = taken(run).claim_token
    run_session_save(run_id=run.pk, claim=claim, spark_session="s-1")
    assert reaped(run) == [run.pk]
    assert services.run_pause(run=run, actor=run.owner).status == RunStatus.PAUSING
    assert taken(run).spark_session == "s-1"


def test_a_paused_run_is_cancelled_at_once(run: Run) -> None:
    assert services.run_cancel(run=paused(run), actor=run.owner).status == RunStatus.CANCELLED


def test_a_pausing_run_is_cancelled_by_its_worker(run: Run) -> None:
    claim = taken(run).claim_token
    services.run_pause(run=run, actor=run.owner)
    assert services.run_cancel(run=run, actor=run.owner).status == RunStatus.CANCELLING
    assert run_heartbeat(run_id=run.pk, claim=claim) == "cancelling"
    assert job_paused(Run, key=run.pk, claim=claim) == "cancelled"


@pytest.mark.parametrize("action", ["cancel", "resume"])
def test_a_run_that_becomes_paused_meanwhile_does_not_escape(
    run: Run, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    """On PostgreSQL other processes may write between two statements."""
    claim = taken(run).claim_token
    services.run_pause(run=run, actor=run.owner)
    looks = []

    def moved(*about: Any, **more: Any) -> bool:
        looks.append(more["to"])
        if len(looks) == 2:
            Run.objects.filter(pk=run.pk).update(status=RunStatus.PAUSED, claim_token="")
        return job_transition(*about, **more)

    with monkeypatch.context() as patch:
        for module in (leases, pausing):
            patch.setattr(module, "job_transition", moved)
        if action == "resume":
            Run.objects.filter(pk=run.pk).update(claim_token=claim)
            looks.append("as if one statement had passed")
            assert services.run_resume(run=run, actor=run.owner).status == RunStatus.QUEUED
        else:
            assert services.run_cancel(run=run, actor=run.owner).status == RunStatus.CANCELLED


def test_a_run_in_its_last_round_ends_instead_of_pausing(run: Run) -> None:
    claim = taken(run).claim_token
    services.run_pause(run=run, actor=run.owner)
    run_points_save(run_id=run.pk, claim=claim, summaries=[summary_of(0), summary_of(1)], partial=False)
    assert run_finish(run_id=run.pk, claim=claim) == "succeeded"
    run.refresh_from_db()
    assert services.run_pause(run=run, actor=run.owner).status == RunStatus.SUCCEEDED
    assert services.run_resume(run=run, actor=run.owner).status == RunStatus.SUCCEEDED


def test_what_was_given_up_is_tried_again_and_not_resumed(run: Run) -> None:
    services.run_cancel(run=run, actor=run.owner)
    with pytest.raises(Conflict, match="try it again"):
        services.run_resume(run=run, actor=run.owner)


def test_asking_for_the_same_content_lets_the_paused_run_go_on(owner: User, scenario: Scenario, run: Run) -> None:
    paused(run)
    started = services.run_start(version=scenario.version, owner=owner)
    assert (started.run.pk, started.run.status, started.cached) == (run.pk, "queued", False)
    assert Run.objects.count() == 1


def test_nobody_sends_a_paused_run_again(run: Run) -> None:
    paused(run)
    Run.objects.update(sent_at=None, created_at=timezone.now() - 1000 * LEASE)
    assert runs_reap() == []
