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

from planner.jobs.calibration_claims import calibrations_reap
from planner.jobs.claims import runs_reap
from planner.jobs.deliveries import deliveries_forget, deliveries_send_due
from planner.jobs.retention import removals, sentence
from simulations.pipeline.archive.retention import remove

REAP_SECONDS = 5.0
TIDY_SECONDS = 3600.0

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
    """Take up runs whose worker died or which got lost on their way, and send deliveries that are due.

    A database that is away is tried again later.
    """
    try:
        taken = [*runs_reap(), *calibrations_reap()]
        deliveries_send_due()
    except Error as error:
        logger.warning("the reaper cannot reach the database: %s", error)
        return
    finally:
        connections.close_all()  # a child that is forked later must not inherit an open connection
    for key in taken:
        logger.info("%s is sent again", key)


def tidy() -> None:
    """Delete what the results store no longer needs, and say what it was; forget deliveries as old as that."""
    try:
        deliveries_forget(days=settings.ENVIRONMENT.retention_days)
        found = removals(days=settings.ENVIRONMENT.retention_days)
        remove(found)
    except (Error, OSError) as error:
        logger.warning("the results store cannot be tidied: %s", error)
        return
    finally:
        connections.close_all()
    for removal in found:
        logger.info("removed of run %s: %.1f MB, %s", removal.run, removal.size / 1e6, removal.why)
    logger.info("the results store is tidy; removed: %s", sentence(found))
