"""The sign of life of a worker that computes a job, and the ear that hears its owner cancel or pause it."""

import logging
from collections.abc import Callable
from threading import Event, Thread
from typing import Self

from django.db import Error, connections

from planner.errors import ClaimLost
from planner.models import RunStatus

BEAT_SECONDS = 1.0
"""How often the lease is renewed and the wish to cancel is noticed."""

logger = logging.getLogger(__name__)


class Heartbeat:
    """Renews the claim in a thread of its own for as long as the ``with`` block lasts."""

    def __init__(self, job_id: str, renew: Callable[[], RunStatus]) -> None:
        self._job_id = job_id
        self._renew_claim = renew
        self._stop_work = Event()
        self._pause_work = Event()
        self._over = Event()
        self._thread = Thread(target=self._beat, name=f"heartbeat-{job_id}", daemon=True)

    def must_stop(self) -> bool:
        """Whether the work shall stop: the owner cancelled, or the claim is lost."""
        return self._stop_work.is_set()

    def must_pause(self) -> bool:
        """Whether the work shall stop after its present round; the owner may change their mind before."""
        return self._pause_work.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait, but no longer than until the work shall stop; return ``must_stop()``."""
        return self._stop_work.wait(seconds)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *reason: object) -> None:
        self._over.set()
        self._thread.join()

    def _beat(self) -> None:
        try:
            while not self._over.wait(BEAT_SECONDS) and not self._stop_work.is_set():
                self._renew()
        finally:
            connections.close_all()

    def _renew(self) -> None:
        try:
            status = self._renew_claim()
        except ClaimLost:
            self._stop_work.set()
        except Error as error:
            # The lease lasts many beats; a database that stays away ends the claim by itself.
            logger.warning("no heartbeat for %s: %s", self._job_id, error)
            connections.close_all()
        else:
            self._hear(status)

    def _hear(self, status: RunStatus) -> None:
        if status == RunStatus.CANCELLING:
            self._stop_work.set()
        if status == RunStatus.PAUSING:
            self._pause_work.set()
        else:
            self._pause_work.clear()
