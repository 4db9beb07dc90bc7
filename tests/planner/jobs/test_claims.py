"""A run is computed by one worker at a time and ends once."""

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from planner import services
from planner.errors import ClaimLost
from planner.jobs import leases
from planner.jobs.claims import (
    run_cancelled,
    run_claim,
    run_fail,
    run_finish,
    run_heartbeat,
    run_points_save,
    run_progress,
    run_session_save,
    runs_reap,
)
from planner.jobs.leases import MAX_ATTEMPTS
from planner.jobs.transitions import job_transition
from planner.models import Run, RunStatus
from tests.claims import silent, taken
from tests.planner.conftest import summary_of

if TYPE_CHECKING:
    from collections.abc import Callable


def test_a_claim_starts_the_run_and_notes_who_has_it(run: Run) -> None:
    found = taken(run, task_id="t1")
    assert (found.status, found.worker, found.task_id, found.attempt) == ("running", "w1", "t1", 1)
    assert found.claim_token
    assert found.started_at is not None


def test_a_second_claim_gets_nothing(run: Run) -> None:
    taken(run)
    assert run_claim(run_id=run.pk, worker="w2") is None


def test_an_unknown_run_cannot_be_claimed(db: None) -> None:
    assert run_claim(run_id="run_unknown", worker="w1") is None


def test_saving_a_point_twice_keeps_the_last(run: Run) -> None:
    claim = taken(run).claim_token
    run_points_save(run_id=run.pk, claim=claim, summaries=[summary_of(0, 0.9)], partial=True)
    run_points_save(run_id=run.pk, claim=claim, summaries=[summary_of(0, 0.3)], partial=False)
    row = run.points.get()
    assert (row.summary["metrics"]["latency.p95"]["value"], row.partial) == (0.3, False)


def test_finishing_takes_the_hash_of_all_points(run: Run) -> None:
    claim = taken(run).claim_token
    run_points_save(run_id=run.pk, claim=claim, summaries=[summary_of(0), summary_of(1)], partial=True)
    assert run_finish(run_id=run.pk, claim=claim, store_path="x", timings={"spark": 1.5}) == "succeeded"
    run.refresh_from_db()
    assert len(run.result_hash) == 64
    assert run.progress["fraction"] == 1.0
    assert not run.points.filter(partial=True).exists()
    assert run.claim_token == ""


def test_a_run_with_missing_points_cannot_finish(run: Run) -> None:
    claim = taken(run).claim_token
    run_points_save(run_id=run.pk, claim=claim, summaries=[summary_of(0)], partial=False)
    with pytest.raises(ValueError, match="1 of 2 points"):
        run_finish(run_id=run.pk, claim=claim)
    assert Run.objects.get(pk=run.pk).status == RunStatus.RUNNING


def test_the_database_refuses_success_without_a_hash(run: Run) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Run.objects.filter(pk=run.pk).update(status=RunStatus.SUCCEEDED)


def test_a_worker_learns_from_the_heartbeat_that_it_should_stop(run: Run) -> None:
    claim = taken(run).claim_token
    assert run_heartbeat(run_id=run.pk, claim=claim) == "running"
    services.run_cancel(run=run, actor=run.owner)
    assert run_progress(run_id=run.pk, claim=claim, progress={"fraction": 0.5}) == "cancelling"
    assert run_cancelled(run_id=run.pk, claim=claim) == "cancelled"


@pytest.mark.parametrize("end", [run_finish, run_fail])
def test_a_run_that_ends_while_cancelling_is_cancelled(run: Run, end: object) -> None:
    claim = taken(run).claim_token
    run_points_save(run_id=run.pk, claim=claim, summaries=[summary_of(0), summary_of(1)], partial=False)
    services.run_cancel(run=run, actor=run.owner)
    if end is run_finish:
        assert run_finish(run_id=run.pk, claim=claim) == "cancelled"
    else:
        assert run_fail(run_id=run.pk, claim=claim, error={"code": "x", "message": "y"}) == "cancelled"


def test_failing_keeps_the_reason(run: Run) -> None:
    claim = taken(run).claim_token
    error = {"code": "spark_unavailable", "message": "Spark did not answer"}
    assert run_fail(run_id=run.pk, claim=claim, error=error) == "failed"
    run.refresh_from_db()
    assert run.error == error
    assert run.finished_at is not None


def test_a_silent_worker_loses_its_run_and_cannot_write_any_more(run: Run) -> None:
    old = taken(run).claim_token
    silent(run)
    assert runs_reap() == [run.pk]
    new = taken(run)
    assert (new.attempt, new.status) == (2, "running")
    calls: list[Callable[[], object]] = [
        lambda: run_heartbeat(run_id=run.pk, claim=old),
        lambda: run_points_save(run_id=run.pk, claim=old, summaries=[summary_of(0)], partial=False),
        lambda: run_fail(run_id=run.pk, claim=old, error={}),
        lambda: run_finish(run_id=run.pk, claim=old),
    ]
    for call in calls:
        with pytest.raises(ClaimLost):
            call()
    assert not run.points.exists()


def test_a_worker_that_is_heard_keeps_its_run(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "LEASE", timedelta(hours=1))
    taken(run)
    silent(run, seconds=3000)
    assert runs_reap() == []


def test_a_run_that_kills_its_workers_fails(run: Run) -> None:
    for _ in range(MAX_ATTEMPTS):
        taken(run)
        silent(run)
        runs_reap()
    run.refresh_from_db()
    assert run.status == RunStatus.FAILED
    assert run.error is not None
    assert run.error["code"] == "workers_died"


def dead_on_spark(run: Run) -> Run:
    """Queued again after its worker died, which may have left a job on Spark."""
    claim = taken(run).claim_token
    run_session_save(run_id=run.pk, claim=claim, spark_session="s-1")
    silent(run)
    assert runs_reap() == [run.pk]
    run.refresh_from_db()
    return run


def test_a_queued_run_is_not_cancelled_while_spark_may_compute_it(run: Run) -> None:
    assert dead_on_spark(run).status == RunStatus.QUEUED
    assert services.run_cancel(run=run, actor=run.owner).status == RunStatus.CANCELLING
    holder = taken(run)
    assert (holder.status, holder.spark_session) == ("cancelling", "s-1")
    run_cancelled(run_id=run.pk, claim=holder.claim_token)
    run.refresh_from_db()
    assert (run.status, run.spark_session) == (RunStatus.CANCELLED, "")


@pytest.mark.parametrize("meanwhile", ["reaped", "claimed"])
def test_a_run_that_moves_while_it_is_cancelled_does_not_escape(
    run: Run, monkeypatch: pytest.MonkeyPatch, meanwhile: str
) -> None:
    """On PostgreSQL other processes may write between the two statements of a cancel."""
    if meanwhile == "reaped":
        taken(run)
        silent(run)
    moves = iter([runs_reap if meanwhile == "reaped" else lambda: taken(run)])

    def moved(*about: Any, **more: Any) -> bool:
        done = job_transition(*about, **more)
        if more["to"] == RunStatus.CANCELLED and not done:
            next(moves)()
        return done

    if meanwhile == "claimed":
        dead_on_spark(run)
    monkeypatch.setattr(leases, "job_transition", moved)
    assert services.run_cancel(run=run, actor=run.owner).status == RunStatus.CANCELLING


def test_a_queued_run_that_no_worker_had_is_cancelled_at_once(run: Run) -> None:
    cancelled = services.run_cancel(run=run, actor=run.owner)
    assert cancelled.status == RunStatus.CANCELLED
    assert cancelled.finished_at is not None


@pytest.mark.parametrize("more_deaths", [0, 1])
def test_after_the_last_death_one_worker_may_stop_what_is_left_on_spark(run: Run, more_deaths: int) -> None:
    for _ in range(MAX_ATTEMPTS):
        dead_on_spark(run)
    assert run.status == RunStatus.QUEUED
    if more_deaths:
        taken(run)
        silent(run)
        runs_reap()
    run.refresh_from_db()
    assert run.status == (RunStatus.FAILED if more_deaths else RunStatus.QUEUED)
    assert run.spark_session == "s-1"


def test_a_run_that_ends_names_no_session_any_more(run: Run) -> None:
    claim = taken(run).claim_token
    run_session_save(run_id=run.pk, claim=claim, spark_session="s-1")
    run_fail(run_id=run.pk, claim=claim, error={"code": "x", "message": "y"})
    run.refresh_from_db()
    assert run.spark_session == ""


def test_a_cancelling_run_of_a_dead_worker_is_finished_by_another(run: Run) -> None:
    claim = taken(run).claim_token
    run_session_save(run_id=run.pk, claim=claim, spark_session="s-1")
    services.run_cancel(run=run, actor=run.owner)
    silent(run)
    assert runs_reap() == [run.pk]
    holder = taken(run)
    assert (holder.status, holder.spark_session) == ("cancelling", "s-1")
    assert run_cancelled(run_id=run.pk, claim=holder.claim_token) == "cancelled"


def test_the_empty_claim_is_no_claim(run: Run) -> None:
    taken(run)
    services.run_cancel(run=run, actor=run.owner)
    silent(run)
    runs_reap()
    with pytest.raises(ClaimLost):
        run_heartbeat(run_id=run.pk, claim="")


def test_a_run_the_broker_never_got_is_sent_again(
    run: Run, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    Run.objects.filter(pk=run.pk).update(created_at=timezone.now() - timedelta(seconds=11))
    with django_capture_on_commit_callbacks(execute=True):
        assert runs_reap() == [run.pk]
    run.refresh_from_db()
    assert run.sent_at is not None
    assert runs_reap() == []
