"""Sending runs and other jobs to the workers: only the id travels, after the commit."""

import logging
from functools import partial

from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from planner.celery import app
from planner.models import Job, Run

RUN_TASK = Run.task

logger = logging.getLogger(__name__)


def job_send(kind: type[Job], *, key: str) -> None:
    """Send the job to a worker once the present transaction is committed."""
    transaction.on_commit(partial(_send, kind, key), robust=True)


def run_send(*, run_id: str) -> None:
    """``job_send`` of a run."""
    job_send(Run, key=run_id)


def _send(kind: type[Job], key: str) -> None:
    """A broker that is away loses nothing: ``sent_at`` stays empty and the reaper sends the job later."""
    try:
        app.send_task(kind.task, args=[key], retry=False)
    except OperationalError as error:
        logger.warning("%s waits for the broker: %s", key, error)
    else:
        kind._default_manager.filter(pk=key).update(sent_at=timezone.now())
