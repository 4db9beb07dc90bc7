"""The lease of a worker on a run or another job: claim, renew, give back, end; and taking up what dead workers left.

A claim is a lease: its holder renews it well within ``LEASE``. When it stays silent for longer, ``jobs_reap`` gives
the job to another worker, and the silent one, should it still live, can no longer write: every call with a job whose
claim is lost raises ClaimLost.
"""

import logging
import secrets
from datetime import timedelta
from threading import Event, Thread
from typing import Any, Self, TypeVar

from django.db import Error, connections, transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from planner.errors import ClaimLost
from planner.jobs.dispatch import job_send
from planner.jobs.transitions import end_fields, job_transition, job_word
from planner.models import Job, RunStatus, audit
from simulations.pipeline.spark.executors import Cancelled, Paused

BEAT_SECONDS = 1.0
"""How often the lease is renewed and the worker learns whether it should stop."""
LEASE = timedelta(seconds=30)
"""Silence after which a worker counts as dead."""
SEND_AGAIN_AFTER = timedelta(seconds=10)
"""A queued job that the broker did not take is sent again after this time."""
LOST_AFTER = timedelta(minutes=5)
"""A job that no worker claimed for so long is sent again: the broker may have lost it; a claim turns doubles away."""
MAX_ATTEMPTS = 5
"""A job whose workers died this often fails: it is likely to be what kills them. One more worker may claim it, only to
stop what the last one left on Spark."""
STOPPING = (RunStatus.PAUSING, RunStatus.CANCELLING)
"""A worker stops the job; where it died, another one stops what it left."""
WORKED_ON = (RunStatus.RUNNING, *STOPPING)
WAITING = (RunStatus.QUEUED, *STOPPING)
FREED: dict[str, Any] = {"claim_token": "", "worker": "", "heartbeat_at": None, "spark_session": "", "task_id": ""}
"""What a job forgets about the worker that gave it back and has ended its Spark job."""
J = TypeVar("J", bound=Job)

logger = logging.getLogger(__name__)


def job_claim(kind: type[J], *, key: str, worker: str, task_id: str = "") -> J | None:
    """Claim a job for this worker; None when there is nothing to do (claimed by another, over, unknown).

    A ``spark_session`` on the job returned is one that an earlier worker may have left computing: stop its job first.
    The job returned is ``running``; ``cancelling`` or ``pausing`` when nothing is left to do but that: then end it as
    cancelled, or give it back paused. With more than ``MAX_ATTEMPTS`` attempts, end it as failed. Later calls take the
    job returned, which holds its claim.
    """
    now = timezone.now()
    token = secrets.token_hex(16)
    lease = {"claim_token": token, "worker": worker[:200], "task_id": task_id[:64], "heartbeat_at": now}
    counted = {**lease, "attempt": F("attempt") + 1, "started_at": Coalesce("started_at", now)}
    claimed = job_transition(kind(pk=key), to=RunStatus.RUNNING, sources=(RunStatus.QUEUED,), changes=counted)
    if not claimed:
        claimed = kind._default_manager.filter(pk=key, status__in=STOPPING, claim_token="").update(**lease) == 1
    return kind._default_manager.get(pk=key) if claimed else None


def job_touch(job: Job, **changes: Any) -> RunStatus:
    """Renew the lease with ``changes`` and return the status: ``cancelling`` and ``pausing`` ask the worker to stop.
    The UPDATE also locks the row until the transaction ends."""
    rows = type(job)._default_manager
    held = rows.filter(pk=job.pk, claim_token=job.claim_token, status__in=WORKED_ON).exclude(claim_token="")
    if held.update(heartbeat_at=timezone.now(), **changes) != 1:
        raise ClaimLost(f"the claim on {job.pk} is no longer valid")
    return RunStatus(rows.values_list("status", flat=True).get(pk=job.pk))


@transaction.atomic
def job_end(job: Job, *, to: RunStatus, **changes: Any) -> RunStatus:
    """End a job as ``to``; as ``cancelled`` when the owner asked for that in the meantime. Returns which. The caller
    has stopped all that the job ran on Spark, so its session is forgotten."""
    held = Q(claim_token=job.claim_token)
    stopped = {**end_fields(), "spark_session": ""}
    if to != RunStatus.CANCELLED and job_transition(job, to=to, where=held, changes={**stopped, **changes}):
        return to
    sources = (RunStatus.CANCELLING,)
    if not job_transition(job, to=RunStatus.CANCELLED, sources=sources, where=held, changes=stopped):
        raise ClaimLost(f"the claim on {job.pk} is no longer valid")
    return RunStatus.CANCELLED


@transaction.atomic
def job_paused(job: Job) -> RunStatus:
    """Give a job back whose round has ended, with its Spark job. Returns its new status.

    ``paused``; ``queued`` when the owner let it go on in the meantime or its worker was told to end, which is no death
    that counts; ``cancelled`` when they gave it up. Raises ClaimLost.
    """
    held = Q(claim_token=job.claim_token)
    if job_transition(job, to=RunStatus.PAUSED, sources=(RunStatus.PAUSING,), where=held, changes=FREED):
        return RunStatus.PAUSED
    again = {**FREED, "sent_at": None, "attempt": F("attempt") - 1}
    if job_transition(job, to=RunStatus.QUEUED, sources=(RunStatus.RUNNING,), where=held, changes=again):
        job_send(job)
        return RunStatus.QUEUED
    return job_end(job, to=RunStatus.CANCELLED)


def jobs_reap(kind: type[Job], *, idle: bool = False) -> list[str]:
    """Take up jobs whose worker died and jobs that the broker never got or lost; return their ids.

    Call it every few seconds from one or many processes: each job is taken up once. ``idle``: the caller's worker has
    nothing to do, so a job that was sent some seconds ago is lost.
    """
    now = timezone.now()
    rows = kind._default_manager
    silent = Q(status__in=WORKED_ON, heartbeat_at__lt=now - LEASE)
    waiting = Q(status__in=WAITING, claim_token="")
    unsent = waiting & Q(sent_at=None, created_at__lt=now - SEND_AGAIN_AFTER)
    lost = waiting & Q(sent_at__lt=now - (SEND_AGAIN_AFTER if idle else LOST_AFTER))
    taken_up = [job.pk for job in rows.filter(silent) if _taken_up(job, silent & Q(claim_token=job.claim_token))]
    sent_again = list(rows.filter(unsent | lost).exclude(pk__in=taken_up).only("pk"))
    for job in sent_again:
        job_send(job)
    return taken_up + [job.pk for job in sent_again]


def workers_died(job: Job) -> dict[str, str]:
    """Return the error of a job that is given up."""
    return {"code": "workers_died", "message": f"{MAX_ATTEMPTS} workers died while they computed this {job_word(job)}"}


@transaction.atomic
def _taken_up(job: Job, still_silent: Q) -> bool:
    """Give up, queue again, or free for a stop the job of a silent worker; False where another process was faster."""
    # After the last attempt another worker may still come, to stop what that left on Spark.
    tired = job.attempt > MAX_ATTEMPTS or (job.attempt == MAX_ATTEMPTS and not job.spark_session)
    if job.status == RunStatus.RUNNING and tired:
        changes = {**end_fields(), "error": workers_died(job)}
        return job_transition(job, to=RunStatus.FAILED, where=still_silent, changes=changes)
    released = {"claim_token": "", "worker": "", "heartbeat_at": None, "sent_at": None}
    stopping = type(job)._default_manager.filter(still_silent, pk=job.pk, status__in=STOPPING)
    running = (RunStatus.RUNNING,)
    queued = job_transition(job, to=RunStatus.QUEUED, sources=running, where=still_silent, changes=released)
    if not queued and not stopping.update(**released):
        return False
    audit(actor=None, action=f"{job_word(job)}.reap", row=job, worker=job.worker, attempt=job.attempt)
    job_send(job)
    return True


class Heartbeat:
    """Renews the claim in a thread of its own for as long as the ``with`` block lasts; hears a cancel or a pause."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._stop_work, self._pause_work, self._over = Event(), Event(), Event()
        self.must_stop = self._stop_work.is_set
        """Whether the work must stop: the owner cancelled, or the claim is lost."""
        self.must_pause = self._pause_work.is_set
        """Whether the work must stop after its present round; the owner may change their mind before."""
        self._thread = Thread(target=self._beat, name=f"heartbeat-{job.pk}", daemon=True)

    def look(self) -> None:
        """Raise Cancelled or Paused where that was asked for: for work that has not begun, and loses nothing."""
        if self.must_stop():
            raise Cancelled
        if self.must_pause():
            raise Paused

    def wait(self, seconds: float) -> bool:
        """Wait, but no longer than until the work must stop; return ``must_stop()``."""
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
            status = job_touch(self._job)
        except ClaimLost:
            self._stop_work.set()
        except Error as error:
            # The lease lasts many beats; a database that stays away ends the claim by itself.
            logger.warning("no heartbeat for %s: %s", self._job.pk, error)
            connections.close_all()
        else:
            if status == RunStatus.CANCELLING:
                self._stop_work.set()
            if status == RunStatus.PAUSING:
                self._pause_work.set()
            else:
                self._pause_work.clear()
