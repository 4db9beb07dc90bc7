"""One worker at a time computes a run: claims, heartbeats, ends, and what is done where a worker fell silent."""

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import DatabaseError
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from planner import services
from planner.errors import ClaimLost
from planner.jobs import leases
from planner.jobs.execute import run_finish, run_points_save
from planner.jobs.leases import MAX_ATTEMPTS, Heartbeat, job_claim, job_end, job_paused, job_touch, jobs_reap
from planner.models import Job, Run, RunStatus
from tests.claims import dead_on_spark, silent, taken
from tests.planner.conftest import summary_of
from tests.waiting import PATIENCE, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable


def test_a_claim_starts_the_run_and_notes_who_has_it(run: Run) -> None:
    found = taken(run, task_id="t1")
    assert (found.status, found.worker, found.task_id, found.attempt) == ("running", "w1", "t1", 1)
    assert found.claim_token
    assert found.started_at is not None


def test_a_second_claim_gets_nothing(run: Run) -> None:
    taken(run)
    assert job_claim(Run, key=run.pk, worker="w2") is None


def test_an_unknown_run_cannot_be_claimed(db: None) -> None:
    assert job_claim(Run, key="run_unknown", worker="w1") is None


def test_a_worker_learns_from_the_heartbeat_that_it_should_stop(run: Run) -> None:
    claimed = taken(run)
    assert job_touch(claimed) == "running"
    services.job_cancel(run, actor=run.owner)
    assert job_touch(claimed, progress={"fraction": 0.5}) == "cancelling"
    assert job_end(claimed, to=RunStatus.CANCELLED) == "cancelled"


@pytest.mark.parametrize("end", ["finish", "fail"])
def test_a_run_that_ends_while_cancelling_is_cancelled(run: Run, end: str) -> None:
    claimed = taken(run)
    run_points_save(run=claimed, summaries=[summary_of(0), summary_of(1)], partial=False)
    services.job_cancel(run, actor=run.owner)
    if end == "finish":
        assert run_finish(run=claimed) == "cancelled"
    else:
        assert job_end(claimed, to=RunStatus.FAILED, error={"code": "x", "message": "y"}) == "cancelled"


def test_failing_keeps_the_reason(run: Run) -> None:
    claimed = taken(run)
    error = {"code": "spark_unavailable", "message": "Spark did not answer"}
    assert job_end(claimed, to=RunStatus.FAILED, error=error) == "failed"
    run.refresh_from_db()
    assert run.error == error
    assert run.finished_at is not None


def test_a_silent_worker_loses_its_run_and_cannot_write_any_more(run: Run) -> None:
    old = taken(run)
    silent(run)
    assert jobs_reap(Run) == [run.pk]
    new = taken(run)
    assert (new.attempt, new.status) == (2, "running")
    calls: list[Callable[[], object]] = [
        lambda: job_touch(old),
        lambda: run_points_save(run=old, summaries=[summary_of(0)], partial=False),
        lambda: job_end(old, to=RunStatus.FAILED, error={}),
        lambda: run_finish(run=old),
    ]
    for call in calls:
        with pytest.raises(ClaimLost):
            call()
    assert not run.points.exists()


def test_a_worker_that_is_heard_keeps_its_run(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "LEASE", timedelta(hours=1))
    taken(run)
    silent(run, seconds=3000)
    assert jobs_reap(Run) == []


def test_a_run_that_kills_its_workers_fails(run: Run) -> None:
    for _ in range(MAX_ATTEMPTS):
        taken(run)
        silent(run)
        jobs_reap(Run)
    run.refresh_from_db()
    assert run.status == RunStatus.FAILED
    assert run.error is not None
    assert run.error["code"] == "workers_died"


@pytest.mark.parametrize("more_deaths", [0, 1])
def test_after_the_last_death_one_worker_may_stop_what_is_left_on_spark(run: Run, more_deaths: int) -> None:
    for _ in range(MAX_ATTEMPTS):
        dead_on_spark(run)
    assert run.status == RunStatus.QUEUED
    if more_deaths:
        taken(run)
        silent(run)
        jobs_reap(Run)
    run.refresh_from_db()
    assert run.status == (RunStatus.FAILED if more_deaths else RunStatus.QUEUED)
    assert run.spark_session == "s-1"


def test_a_run_that_ends_names_no_session_any_more(run: Run) -> None:
    claimed = taken(run)
    job_touch(claimed, spark_session="s-1")
    job_end(claimed, to=RunStatus.FAILED, error={"code": "x", "message": "y"})
    run.refresh_from_db()
    assert run.spark_session == ""


def test_the_empty_claim_is_no_claim(run: Run) -> None:
    taken(run)
    services.job_cancel(run, actor=run.owner)
    silent(run)
    jobs_reap(Run)
    run.refresh_from_db()
    assert (run.status, run.claim_token) == (RunStatus.CANCELLING, "")
    with pytest.raises(ClaimLost):
        job_touch(run)


def test_a_run_the_broker_never_got_is_sent_again(
    run: Run, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    Run.objects.filter(pk=run.pk).update(created_at=timezone.now() - timedelta(seconds=11))
    with django_capture_on_commit_callbacks(execute=True):
        assert jobs_reap(Run) == [run.pk]
    run.refresh_from_db()
    assert run.sent_at is not None
    assert jobs_reap(Run) == []


def test_the_worker_hears_of_the_pause_and_gives_the_run_back(run: Run) -> None:
    claimed = taken(run)
    assert services.job_pause(run, actor=run.owner).status == RunStatus.PAUSING
    assert job_touch(claimed) == "pausing"
    assert job_paused(claimed) == "paused"
    run.refresh_from_db()
    assert (run.claim_token, run.worker, run.spark_session, run.finished_at) == ("", "", "", None)
    with pytest.raises(ClaimLost):
        job_touch(claimed)


@pytest.mark.parametrize("spark_session", ["", "s-1"])
def test_a_worker_that_dies_while_pausing_leaves_a_run_that_another_one_pauses(run: Run, spark_session: str) -> None:
    claimed = taken(run)
    job_touch(claimed, spark_session=spark_session)
    services.job_pause(run, actor=run.owner)
    silent(run)
    assert jobs_reap(Run) == [run.pk]
    holder = taken(run)
    assert (holder.status, holder.spark_session, holder.attempt) == ("pausing", spark_session, 1)
    assert job_paused(holder) == "paused"


@pytest.fixture
def beating(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run as its worker has it; heartbeats come fast."""
    monkeypatch.setattr(leases, "BEAT_SECONDS", 0.02)
    return taken(run)


def is_fresh(run: Run) -> bool:
    beat = Run.objects.get(pk=run.pk).heartbeat_at
    return beat is not None and beat > timezone.now() - timedelta(seconds=10)


@pytest.mark.django_db(transaction=True)
def test_the_lease_is_renewed_while_the_block_lasts(beating: Run) -> None:
    with Heartbeat(beating) as life:
        silent(beating)
        wait_until(lambda: is_fresh(beating), "the lease is renewed")
        assert not life.must_stop()
    silent(beating)
    assert not is_fresh(beating)


@pytest.mark.django_db(transaction=True)
def test_a_cancel_is_heard(beating: Run) -> None:
    with Heartbeat(beating) as life:
        services.job_cancel(Run.objects.get(pk=beating.pk), actor=beating.owner)
        assert life.wait(PATIENCE)


@pytest.mark.django_db(transaction=True)
def test_a_pause_is_heard_and_its_withdrawal_too(beating: Run) -> None:
    with Heartbeat(beating) as life:
        services.job_pause(Run.objects.get(pk=beating.pk), actor=beating.owner)
        wait_until(life.must_pause, "the pause is heard")
        services.job_resume(Run.objects.get(pk=beating.pk), actor=beating.owner)
        wait_until(lambda: not life.must_pause(), "the work goes on")
        assert not life.must_stop()


@pytest.mark.django_db(transaction=True)
def test_a_lost_claim_stops_the_work(beating: Run) -> None:
    beating.claim_token = "another worker's claim"
    with Heartbeat(beating) as life:
        assert life.wait(PATIENCE)


@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_away_for_a_moment_stops_nothing(
    beating: Run, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(job: Job) -> None:
        raise DatabaseError("away")

    with monkeypatch.context() as patch, Heartbeat(beating) as life:
        patch.setattr(leases, "job_touch", away)
        wait_until(lambda: "no heartbeat" in caplog.text, "a beat fails")
        patch.undo()
        silent(beating)
        wait_until(lambda: is_fresh(beating), "the lease is renewed again")
        assert not life.must_stop()


def test_a_worker_without_work_finds_what_the_broker_lost(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(sent_at=timezone.now() - 2 * leases.SEND_AGAIN_AFTER)
    assert jobs_reap(Run) == []
    assert jobs_reap(Run, idle=True) == [run.pk]
    Run.objects.filter(pk=run.pk).update(sent_at=timezone.now())
    assert jobs_reap(Run, idle=True) == []
