"""The worker's housekeeping: every few seconds it takes up runs that nobody works on any more.

A step of Celery's consumer rather than a process of its own (Celery beat): every worker has it, any number may do it
at once, and while there is no broker it rests, when it could send nothing anyway. It runs on the worker's event loop,
so never while the worker forks.
"""

import logging
from typing import Any

from celery import bootsteps
from celery.worker.consumer import Tasks
from django.conf import settings
from django.db import Error, connections

from planner import services
from planner.models import Run
from simulations.pipeline.store import retain

REAP_SECONDS = 5.0
TIDY_SECONDS = 3600.0
KEPT_SECONDS = 24 * 3600.0
"""Archives of runs that no longer exist are deleted after this time without a change."""

logger = logging.getLogger(__name__)


class Reaper(bootsteps.StartStopStep):
    """Calls the housekeeping for as long as the worker is connected to its broker."""

    requires = (Tasks,)

    def __init__(self, consumer: Any, **options: Any) -> None:
        super().__init__(consumer, **options)
        self._timers: list[Any] = []

    def start(self, consumer: Any) -> None:
        """Begin."""
        self._timers = [
            consumer.timer.call_repeatedly(REAP_SECONDS, reap),
            consumer.timer.call_repeatedly(TIDY_SECONDS, tidy),
        ]

    def stop(self, consumer: Any) -> None:
        """Rest."""
        for timer in self._timers:
            timer.cancel()
        self._timers = []


def reap() -> None:
    """Take up runs whose worker died or which got lost on their way; a database that is away is tried again later."""
    try:
        taken = services.runs_reap()
    except Error as error:
        logger.warning("the reaper cannot reach the database: %s", error)
        return
    finally:
        connections.close_all()  # a child that is forked later must not inherit an open connection
    for run_id in taken:
        logger.info("run %s is sent again", run_id)


def tidy() -> None:
    """Delete archives whose run is gone."""
    try:
        kept = set(Run.objects.values_list("pk", flat=True))
        gone = retain(settings.ENVIRONMENT.store, kept, older_than=KEPT_SECONDS)
    except (Error, OSError) as error:
        logger.warning("the archives cannot be tidied: %s", error)
        return
    finally:
        connections.close_all()
    logger.info("deleted %d archives of runs that no longer exist", len(gone))
