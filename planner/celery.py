"""The Celery application: `celery -A planner worker`."""

import os
from pathlib import Path
from typing import Any

from celery import Celery, Task
from celery.signals import before_task_publish, task_prerun, worker_ready
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "planner.settings.django")

app = Celery("planner")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_ready.connect
def tell_supervisor(**_: object) -> None:
    """Show that this worker still works."""
    file = os.environ.get("WORKER_READY_FILE")
    if file:
        Path(file).touch()


@before_task_publish.connect
def _send_ids(headers: dict[str, Any], **_: object) -> None:
    headers["ids"] = get_contextvars()


@task_prerun.connect
def _take_ids(task: "Task[Any, Any]", **_: object) -> None:
    clear_contextvars()
    bind_contextvars(**{**(getattr(task.request, "ids", None) or {}), "task_id": task.request.id})
