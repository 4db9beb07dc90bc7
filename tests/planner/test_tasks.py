"""The envelope around a run, and the worker's housekeeping."""

import os
import time
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from planner import services
from planner.celery import app
from planner.jobs.housekeeping import ORPHAN_SECONDS, Reaper, reap, tidy
from planner.jobs.leases import job_claim
from planner.models import Job, Run, RunStatus
from planner.tasks import run_execute
from tests.claims import silent

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_task_has_the_name_under_which_runs_are_sent() -> None:
    assert app.tasks[Run.task].name == run_execute.name


def test_a_task_for_a_run_that_is_over_does_nothing(run: Run) -> None:
    services.job_cancel(run, actor=run.owner)
    run_execute.apply(args=(run.pk,), throw=True)
    run.refresh_from_db()
    assert (run.status, run.attempt) == (RunStatus.CANCELLED, 0)


def test_every_worker_keeps_house() -> None:
    assert Reaper in app.steps["consumer"]


def test_the_reaper_sends_a_run_whose_worker_fell_silent(run: Run) -> None:
    job_claim(Run, key=run.pk, worker="w1")
    silent(run)
    reap()
    run.refresh_from_db()
    assert run.status == RunStatus.QUEUED
    assert run.sent_at is not None


def test_the_reaper_sends_a_run_again_that_got_lost_in_the_broker(run: Run) -> None:
    sent = timezone.now() - timedelta(hours=1)
    Run.objects.filter(pk=run.pk).update(sent_at=sent)
    reap()
    run.refresh_from_db()
    assert run.sent_at is not None
    assert run.sent_at > sent


def test_a_database_that_is_away_does_not_end_the_reaper(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(kind: type[Job], *, idle: bool) -> list[str]:
        raise DatabaseError("away")

    monkeypatch.setattr("planner.jobs.housekeeping.jobs_reap", away)
    reap()
    assert "cannot reach the database" in caplog.text


def test_archives_of_runs_that_are_gone_are_deleted(run: Run) -> None:
    store = settings.ENVIRONMENT.store
    old = time.time() - 2 * ORPHAN_SECONDS
    for name in (run.pk, "run_gone"):
        (store / name).mkdir(parents=True)
        os.utime(store / name, (old, old))
    tidy()
    assert (store / run.pk).exists()
    assert not (store / "run_gone").exists()
