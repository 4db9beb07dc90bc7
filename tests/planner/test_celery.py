"""The Celery application: its settings, and the file by which a worker tells the supervisor that it is ready."""

from pathlib import Path

import pytest
from celery.signals import worker_ready

from planner.celery import app


def test_a_task_is_delivered_until_it_is_done_and_not_while_it_runs() -> None:
    assert (app.conf.task_acks_late, app.conf.task_reject_on_worker_lost) == (True, True)
    assert app.conf.broker_transport_options["visibility_timeout"] > 24 * 3600


def test_a_worker_that_is_ready_leaves_the_file_that_the_supervisor_waits_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WORKER_READY_FILE", raising=False)
    worker_ready.send(sender=None)
    file = tmp_path / "worker.ready"
    monkeypatch.setenv("WORKER_READY_FILE", str(file))
    worker_ready.send(sender=None)
    assert file.exists()
