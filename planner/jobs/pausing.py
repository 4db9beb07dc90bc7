"""Pausing a job: the worker ends its round and is free; what was computed stays, and the same job goes on later."""

from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from planner.audit import audit
from planner.errors import Conflict
from planner.jobs.dispatch import job_send
from planner.jobs.leases import job_end, job_word
from planner.jobs.transitions import job_transition
from planner.models import Job, RunStatus

FREED: dict[str, Any] = {"claim_token": "", "worker": "", "heartbeat_at": None, "spark_session": "", "task_id": ""}
"""What a job forgets of the worker that gave it back, after that has ended its Spark job."""
AGAIN: dict[str, Any] = {"sent_at": None}
ENDED_OTHERWISE = (RunStatus.CANCELLING, RunStatus.CANCELLED, RunStatus.FAILED)
UNTOUCHED, CLAIMED = Q(spark_session=""), ~Q(claim_token="")
J = TypeVar("J", bound=Job)


@transaction.atomic
def job_pause(job: J, *, actor: User | None) -> J:
    """Ask a job to pause; asking again changes nothing.

    A job that no worker had is paused at once. A running one, and a queued one whose dead worker may have left a Spark
    job, are ``pausing`` until a worker has ended the present round or stopped what was left. A job that is over, or
    ends before the pause, stays as it is.
    """
    kind = type(job)
    paused = job_transition(kind, key=job.pk, to=RunStatus.PAUSED, sources=(RunStatus.QUEUED,), where=UNTOUCHED)
    if paused or job_transition(kind, key=job.pk, to=RunStatus.PAUSING):
        audit(actor=actor, action=f"{job_word(job)}.pause", target=job.pk)
    job.refresh_from_db()
    return job


@transaction.atomic
def job_resume(job: J, *, actor: User | None) -> J:
    """Let a paused job go on: same row, same numbers. A job that goes on already, or has succeeded, stays as it is.

    Raises Conflict for one that failed or was cancelled: that is tried again instead.
    """
    # A job that becomes paused between the statements of the first try is found by the second.
    if _resumed(job) or _resumed(job):
        audit(actor=actor, action=f"{job_word(job)}.resume", target=job.pk)
    job.refresh_from_db()
    if job.status in ENDED_OTHERWISE:
        raise Conflict(f"only paused {job_word(job)}s can go on; this one is {job.status}, try it again instead")
    return job


@transaction.atomic
def job_paused(kind: type[Job], *, key: str, claim: str) -> RunStatus:
    """Give a job back whose round has ended, with its Spark job. Returns what it is now.

    ``paused``; ``queued`` when the owner let it go on in the meantime, ``cancelled`` when they gave it up. Raises
    ClaimLost.
    """
    held = Q(claim_token=claim)
    if job_transition(kind, key=key, to=RunStatus.PAUSED, sources=(RunStatus.PAUSING,), where=held, changes=FREED):
        return RunStatus.PAUSED
    changes = {**FREED, **AGAIN}
    if job_transition(kind, key=key, to=RunStatus.QUEUED, sources=(RunStatus.RUNNING,), where=held, changes=changes):
        job_send(kind, key=key)
        return RunStatus.QUEUED
    return job_end(kind, key=key, claim=claim, to=RunStatus.CANCELLED)


def _resumed(job: Job) -> bool:
    """Workers that died before the pause count no more; a worker that still ends its round just goes on."""
    kind, key, pausing = type(job), job.pk, (RunStatus.PAUSING,)
    if job_transition(kind, key=key, to=RunStatus.RUNNING, sources=pausing, where=CLAIMED):
        return True
    idle = (RunStatus.PAUSED, RunStatus.PAUSING)
    changes = {**AGAIN, "attempt": 0}
    queued = job_transition(kind, key=key, to=RunStatus.QUEUED, sources=idle, where=~CLAIMED, changes=changes)
    if queued:
        job_send(kind, key=key)
    return queued
