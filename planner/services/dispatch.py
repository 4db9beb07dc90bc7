"""Sending runs to the workers: only the id travels, after the commit."""

import logging
from functools import partial

from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from planner.celery import app
from planner.models import Run

RUN_TASK = "planner.tasks.run_execute"
"""Name of the task that computes a run; its only argument is the run's id."""

logger = logging.getLogger(__name__)


def run_send(*, run_id: str) -> None:
    """Send the run to a worker once the present transaction is committed."""
    transaction.on_commit(partial(_send, run_id), robust=True)


def _send(run_id: str) -> None:
    """A broker that is away loses nothing: ``sent_at`` stays empty and ``runs_reap`` sends the run later."""
    try:
        app.send_task(RUN_TASK, args=[run_id], retry=False)
    except OperationalError as error:
        logger.warning("run %s waits for the broker: %s", run_id, error)
    else:
        Run.objects.filter(pk=run_id).update(sent_at=timezone.now())
