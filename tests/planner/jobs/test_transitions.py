"""Which changes of status exist, and what the owner may ask of a run: cancel, pause, go on. No run gets lost."""

import itertools
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from planner import services
from planner.errors import Conflict
from planner.jobs import transitions
from planner.jobs.execute import run_finish, run_points_save
from planner.jobs.leases import LEASE, MAX_ATTEMPTS, job_claim, job_end, job_paused, job_touch, jobs_reap
from planner.jobs.transitions import SOURCES, job_transition
from planner.models import AuditEvent, Run, RunStatus, Scenario
from tests.claims import dead_on_spark, silent, taken
from tests.planner.conftest import summary_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ALLOWED = {
    ("queued", "running"),
    ("queued", "cancelled"),
    ("running", "queued"),
    ("running", "cancelling"),
    ("queued", "cancelling"),
    ("running", "succeeded"),
    ("running", "failed"),
    ("cancelling", "cancelled"),
    ("failed", "queued"),
    ("cancelled", "queued"),
    ("queued", "paused"),
    ("queued", "pausing"),
    ("running", "pausing"),
    ("pausing", "paused"),
    ("pausing", "running"),
    ("pausing", "queued"),
    ("pausing", "succeeded"),
    ("pausing", "failed"),
    ("pausing", "cancelling"),
    ("paused", "queued"),
    ("paused", "cancelled"),
}


@pytest.mark.parametrize(("before", "after"), list(itertools.product(RunStatus, RunStatus)))
def test_only_these_changes_of_status_exist(run: Run, before: RunStatus, after: RunStatus) -> None:
    Run.objects.filter(pk=run.pk).update(status=before, claim_token="c", result_hash="h")
    assert job_transition(run, to=after) is ((before.value, after.value) in ALLOWED)
    run.refresh_from_db()
    assert run.status == (after if (before.value, after.value) in ALLOWED else before)


def test_every_status_can_be_reached_and_every_end_is_final() -> None:
    assert set(SOURCES) == set(RunStatus)
    assert {status for status in RunStatus if status.final} == {"succeeded", "failed", "cancelled"}
    assert {status for status in RunStatus if status.at_rest and not status.final} == {"paused"}


def test_a_queued_run_is_not_cancelled_while_spark_may_compute_it(run: Run) -> None:
    assert dead_on_spark(run).status == RunStatus.QUEUED
    assert services.job_cancel(run, actor=run.owner).status == RunStatus.CANCELLING
    holder = taken(run)
    assert (holder.status, holder.spark_session) == ("cancelling", "s-1")
    job_end(holder, to=RunStatus.CANCELLED)
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
    moves: Iterator[Callable[[], object]] = iter([lambda: jobs_reap(Run) if meanwhile == "reaped" else taken(run)])

    def moved(*about: Any, **more: Any) -> bool:
        done = job_transition(*about, **more)
        if more["to"] == RunStatus.CANCELLED and not done:
            next(moves)()
        return done

    if meanwhile == "claimed":
        dead_on_spark(run)
    monkeypatch.setattr(transitions, "job_transition", moved)
    assert services.job_cancel(run, actor=run.owner).status == RunStatus.CANCELLING


def test_a_queued_run_that_no_worker_had_is_cancelled_at_once(run: Run) -> None:
    cancelled = services.job_cancel(run, actor=run.owner)
    assert cancelled.status == RunStatus.CANCELLED
    assert cancelled.finished_at is not None


def test_a_cancelling_run_of_a_dead_worker_is_finished_by_another(run: Run) -> None:
    claimed = taken(run)
    job_touch(claimed, spark_session="s-1")
    services.job_cancel(run, actor=run.owner)
    silent(run)
    assert jobs_reap(Run) == [run.pk]
    holder = taken(run)
    assert (holder.status, holder.spark_session) == ("cancelling", "s-1")
    assert job_end(holder, to=RunStatus.CANCELLED) == "cancelled"


def reaped(run: Run) -> list[str]:
    silent(run)
    return jobs_reap(Run)


def paused(run: Run) -> Run:
    claimed = taken(run)
    job_touch(claimed, spark_session="s-1")
    services.job_pause(run, actor=run.owner)
    assert job_paused(claimed) == "paused"
    run.refresh_from_db()
    return run


def test_a_run_that_no_worker_had_is_paused_at_once(run: Run) -> None:
    assert services.job_pause(run, actor=run.owner).status == RunStatus.PAUSED
    assert job_claim(Run, key=run.pk, worker="w1") is None


def test_asking_twice_changes_nothing_and_is_noted_once(run: Run) -> None:
    for _ in range(2):
        services.job_pause(run, actor=run.owner)
    for _ in range(2):
        assert services.job_resume(run, actor=run.owner).status == RunStatus.QUEUED
    noted = AuditEvent.objects.filter(target=run.pk, action__in=("run.pause", "run.resume"))
    assert sorted(noted.values_list("action", flat=True)) == ["run.pause", "run.resume"]


def test_going_on_is_one_more_claim_of_the_same_row(
    run: Run, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    paused(run)
    with django_capture_on_commit_callbacks(execute=True):
        assert services.job_resume(run, actor=run.owner).status == RunStatus.QUEUED
    run.refresh_from_db()
    assert run.sent_at is not None
    assert taken(run).pk == run.pk


def test_pauses_are_no_deaths_of_workers(run: Run) -> None:
    for _ in range(MAX_ATTEMPTS + 1):
        paused(run)
        services.job_resume(run, actor=run.owner)
    assert taken(run).attempt == 1


def test_who_changes_their_mind_in_time_keeps_the_worker(run: Run) -> None:
    claimed = taken(run)
    services.job_pause(run, actor=run.owner)
    assert services.job_resume(run, actor=run.owner).status == RunStatus.RUNNING
    assert job_touch(claimed) == "running"


def test_who_changes_their_mind_when_the_worker_has_stopped_gets_another_one(run: Run) -> None:
    claimed = taken(run)
    services.job_pause(run, actor=run.owner)
    services.job_resume(run, actor=run.owner)
    assert job_paused(claimed) == "queued"
    assert taken(run).status == RunStatus.RUNNING


def test_a_run_whose_worker_died_while_pausing_can_go_on_at_once(run: Run) -> None:
    taken(run)
    services.job_pause(run, actor=run.owner)
    assert reaped(run) == [run.pk]
    assert services.job_resume(run, actor=run.owner).status == RunStatus.QUEUED
    assert taken(run).status == RunStatus.RUNNING


def test_a_queued_run_is_not_paused_while_spark_may_compute_it(run: Run) -> None:
    claimed = taken(run)
    job_touch(claimed, spark_session="s-1")
    assert reaped(run) == [run.pk]
    assert services.job_pause(run, actor=run.owner).status == RunStatus.PAUSING
    assert taken(run).spark_session == "s-1"


def test_a_paused_run_is_cancelled_at_once(run: Run) -> None:
    assert services.job_cancel(paused(run), actor=run.owner).status == RunStatus.CANCELLED


def test_a_pausing_run_is_cancelled_by_its_worker(run: Run) -> None:
    claimed = taken(run)
    services.job_pause(run, actor=run.owner)
    assert services.job_cancel(run, actor=run.owner).status == RunStatus.CANCELLING
    assert job_touch(claimed) == "cancelling"
    assert job_paused(claimed) == "cancelled"


@pytest.mark.parametrize("action", ["cancel", "resume"])
def test_a_run_that_becomes_paused_meanwhile_does_not_escape(
    run: Run, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    """On PostgreSQL other processes may write between two statements."""
    claimed = taken(run)
    services.job_pause(run, actor=run.owner)
    looks = []

    def moved(*about: Any, **more: Any) -> bool:
        looks.append(more["to"])
        if len(looks) == 2:
            Run.objects.filter(pk=run.pk).update(status=RunStatus.PAUSED, claim_token="")
        return job_transition(*about, **more)

    with monkeypatch.context() as patch:
        patch.setattr(transitions, "job_transition", moved)
        if action == "resume":
            Run.objects.filter(pk=run.pk).update(claim_token=claimed.claim_token)
            looks.append("as if one statement had passed")
            assert services.job_resume(run, actor=run.owner).status == RunStatus.QUEUED
        else:
            assert services.job_cancel(run, actor=run.owner).status == RunStatus.CANCELLED


def test_a_run_in_its_last_round_ends_instead_of_pausing(run: Run) -> None:
    claimed = taken(run)
    services.job_pause(run, actor=run.owner)
    run_points_save(run=claimed, summaries=[summary_of(0), summary_of(1)], partial=False)
    assert run_finish(run=claimed) == "succeeded"
    run.refresh_from_db()
    assert services.job_pause(run, actor=run.owner).status == RunStatus.SUCCEEDED
    assert services.job_resume(run, actor=run.owner).status == RunStatus.SUCCEEDED


def test_what_was_given_up_is_tried_again_and_not_resumed(run: Run) -> None:
    services.job_cancel(run, actor=run.owner)
    with pytest.raises(Conflict, match="try it again"):
        services.job_resume(run, actor=run.owner)


def test_asking_for_the_same_content_lets_the_paused_run_go_on(owner: User, scenario: Scenario, run: Run) -> None:
    paused(run)
    started = services.run_start(version=scenario.version, owner=owner)
    assert (started.run.pk, started.run.status, started.cached) == (run.pk, "queued", False)
    assert Run.objects.count() == 1


def test_nobody_sends_a_paused_run_again(run: Run) -> None:
    paused(run)
    Run.objects.update(sent_at=None, created_at=timezone.now() - 1000 * LEASE)
    assert jobs_reap(Run) == []
