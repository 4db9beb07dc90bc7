"""Sending work to the workers: only the id travels, after the commit."""

import logging
from functools import partial

from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from planner.celery import app
from planner.models import Delivery, Job

logger = logging.getLogger(__name__)


def job_send(row: Job | Delivery) -> None:
    """Send the row's task to a worker once the present transaction is committed."""
    transaction.on_commit(partial(send_now, row), robust=True)


def send_now(row: Job | Delivery) -> None:
    """Send the row's task. A broker that is away loses nothing: ``sent_at`` stays, and the reaper sends it later."""
    try:
        app.send_task(row.task, args=[row.pk], retry=False)
    except OperationalError as error:
        logger.warning("%s waits for the broker: %s", row.pk, error)
    else:
        type(row)._default_manager.filter(pk=row.pk).update(sent_at=timezone.now())
