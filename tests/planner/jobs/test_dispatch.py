"""Only the id of a run travels to the workers, and only after the commit; a broker that is away loses nothing."""

import pytest
from celery import Celery
from django.contrib.auth.models import User
from pytest_django import DjangoCaptureOnCommitCallbacks

from planner import services
from planner.celery import app
from planner.models import Run, RunStatus, Scenario
from tests.waiting import PATIENCE


def test_only_the_id_travels_and_only_after_the_commit(
    owner: User, scenario: Scenario, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with app.connection_for_write() as link, link.SimpleQueue("celery") as mailbox:
        mailbox.clear()
        with django_capture_on_commit_callbacks(execute=True):
            run = services.run_start(version=scenario.version, owner=owner).run
            assert mailbox.qsize() == 0
        message = mailbox.get(timeout=PATIENCE)
        message.ack()
    assert message.headers["task"] == Run.task
    assert message.payload[0] == [run.pk]
    run.refresh_from_db()
    assert run.sent_at is not None


def test_a_broker_that_is_away_does_not_lose_the_run(
    owner: User,
    scenario: Scenario,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    lonely = Celery("lonely", broker="redis://127.0.0.1:1/0")
    monkeypatch.setattr("planner.jobs.dispatch.app", lonely)
    with django_capture_on_commit_callbacks(execute=True):
        run = services.run_start(version=scenario.version, owner=owner).run
    run.refresh_from_db()
    assert (run.status, run.sent_at) == (RunStatus.QUEUED, None)
