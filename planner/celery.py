"""The Celery application: `celery -A planner worker`."""

import os
from pathlib import Path

from celery import Celery
from celery.signals import worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "planner.settings.django")

app = Celery("planner")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_ready.connect
def _tell_supervisor(**_: object) -> None:
    file = os.environ.get("WORKER_READY_FILE")
    if file:
        Path(file).touch()
