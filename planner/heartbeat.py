"""The sign of life of a worker that computes a run, and the ear that hears its owner cancel."""

import logging
from threading import Event, Thread
from typing import Self

from django.db import Error, connections

from planner import services
from planner.errors import ClaimLost
from planner.models import RunStatus

BEAT_SECONDS = 1.0
"""How often the lease is renewed and the wish to cancel is noticed."""

logger = logging.getLogger(__name__)


class Heartbeat:
    """Renews the claim in a thread of its own for as long as the ``with`` block lasts."""

    def __init__(self, run_id: str, claim: str) -> None:
        self._run_id = run_id
        self._claim = claim
        self._stop_work = Event()
        self._over = Event()
        self._thread = Thread(target=self._beat, name=f"heartbeat-{run_id}", daemon=True)

    def must_stop(self) -> bool:
        """Whether the work shall stop: the owner cancelled, or the claim is lost."""
        return self._stop_work.is_set()

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
            status = services.run_heartbeat(run_id=self._run_id, claim=self._claim)
        except ClaimLost:
            self._stop_work.set()
        except Error as error:
            # The lease lasts many beats; a database that stays away ends the claim by itself.
            logger.warning("no heartbeat for run %s: %s", self._run_id, error)
            connections.close_all()
        else:
            if status == RunStatus.CANCELLING:
                self._stop_work.set()
