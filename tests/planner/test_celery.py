"""The Celery application: its settings, and the file by which a worker tells the supervisor that it is ready."""

from pathlib import Path

import pytest
from celery.signals import before_task_publish, task_prerun, worker_ready
from structlog.contextvars import bound_contextvars, clear_contextvars, get_contextvars

from planner.celery import app
from planner.tasks import run_execute


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


def test_a_task_takes_the_ids_along_of_whoever_sent_it() -> None:
    clear_contextvars()
    headers: dict[str, object] = {}
    with bound_contextvars(request_id="r1"):
        before_task_publish.send(sender="x", headers=headers)
    assert headers == {"ids": {"request_id": "r1"}}
    run_execute.push_request(id="t1", **headers)  # type: ignore[call-arg]
    try:
        with bound_contextvars(job_id="of the task before"):
            task_prerun.send(sender=None, task=run_execute)
            assert get_contextvars() == {"request_id": "r1", "task_id": "t1"}
    finally:
        run_execute.pop_request()
        clear_contextvars()
