"""The worker's housekeeping: it takes up jobs that lost their worker, and tidies the results store.

A step of Celery's consumer rather than a process of its own (Celery beat): every worker has it, any number may do it
at once, and while there is no broker it rests, when it could send nothing anyway. It runs on the worker's event loop,
so never while the worker forks.
"""

import logging
from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any

from celery import bootsteps
from celery.worker import state
from celery.worker.consumer import Tasks
from django.conf import settings
from django.db import Error, connections
from django.db.models import Q
from django.utils import timezone

from planner.celery import tell_supervisor
from planner.jobs.calibrate import calibrations_repeat_due
from planner.jobs.deliveries import deliveries_forget, deliveries_send_due
from planner.jobs.leases import jobs_reap
from planner.jobs.transitions import JOBS
from planner.models import RunStatus
from simulations.pipeline.archive.retention import Removal, orphans, remove, worn

REAP_SECONDS = 5.0
TIDY_SECONDS = 3600.0
DAY = 86_400.0
ORPHAN_SECONDS = DAY
"""A folder whose run is gone stays for this time after its last change: it may belong to a database restored later."""

logger = logging.getLogger(__name__)


class Reaper(bootsteps.StartStopStep):
    """Calls the housekeeping for as long as the worker is connected to its broker."""

    requires = (Tasks,)
    _timers: Sequence[Any] = ()

    def start(self, consumer: Any) -> None:
        self._timers = [
            consumer.timer.call_repeatedly(REAP_SECONDS, _reap_for, (consumer.app.amqp.queues.consume_from,)),
            consumer.timer.call_repeatedly(TIDY_SECONDS, tidy),
        ]

    def stop(self, consumer: Any) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers = ()


def _reap_for(queues: Collection[str]) -> None:
    """Reap for a worker that takes tasks from these queues, and show that it still works."""
    tell_supervisor()
    reap(idle="celery" in queues and not state.reserved_requests)


def reap(*, idle: bool = False) -> None:
    """Take up jobs whose worker died and jobs that got lost on their way; send deliveries and repeat what is due.

    ``idle``: this worker has no task, so none waits for it at the broker.

    A database that is away is tried again later.
    """
    try:
        taken = [key for kind in JOBS for key in jobs_reap(kind, idle=idle)]
        deliveries_send_due()
        calibrations_repeat_due()
    except Error as error:
        logger.warning("the reaper cannot reach the database: %s", error)
        return
    finally:
        connections.close_all()  # a child that is forked later must not inherit an open connection
    for key in taken:
        logger.info("%s is sent again", key)


def tidy() -> None:
    """Delete what the results store no longer needs, and log what it was; forget deliveries as old as that."""
    days = settings.ENVIRONMENT.retention_days
    try:
        deliveries_forget(days=days)
        due = removals(days=days)
        remove(due)
    except (Error, OSError) as error:
        logger.warning("the results store cannot be tidied: %s", error)
        return
    finally:
        connections.close_all()
    for removal in due:
        logger.info("removed of run %s: %.1f MB, %s", removal.run, removal.size / 1e6, removal.why)
    logger.info("the results store is tidy; removed: %s", removals_text(due))


def removals(*, days: int) -> list[Removal]:
    """Return what is due: folders of runs that are gone, and the raw files of what ended ``days`` ago (0: none). Raw
    are the replications of runs and the uploaded logs of calibrations."""
    store = settings.ENVIRONMENT.store
    known = {key for kind in JOBS for key in kind._default_manager.values_list("pk", flat=True)}
    due = orphans(store, known, older_than=ORPHAN_SECONDS)
    if not days:
        return due
    final = [status for status in RunStatus if status.final]
    recent = Q(finished_at__gt=timezone.now() - timedelta(days=days))
    rows = [kind._default_manager.filter(status__in=final).exclude(recent) for kind in JOBS]
    over = {key for row in rows for key in row.values_list("pk", flat=True)}
    return [*due, *worn(store, over, older_than=days * DAY)]


def removals_text(due: Collection[Removal]) -> str:
    """Return how much that is, in words."""
    return f"{len(due)} run{'' if len(due) == 1 else 's'}, {sum(removal.size for removal in due) / 1e6:.1f} MB"
