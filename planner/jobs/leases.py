"""The lease of a worker on a run or another job, and what the owner may ask of it.

A claim is a lease: its holder renews it well within ``LEASE``. When it stays silent for longer, ``jobs_reap`` gives
the job to another worker, and the silent one, should it still live, can no longer write: every call that names a lost
claim raises ClaimLost.
"""

import secrets
from datetime import timedelta
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from planner.audit import audit
from planner.errors import ClaimLost, Conflict
from planner.jobs.dispatch import job_send
from planner.jobs.transitions import job_transition
from planner.models import Job, RunStatus

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
J = TypeVar("J", bound=Job)


def job_claim(kind: type[J], *, key: str, worker: str, task_id: str = "") -> J | None:
    """Claim a job for this worker; None when there is nothing to do (claimed by another, over, unknown).

    A ``spark_session`` on the job returned is one that an earlier worker may have left computing: stop its job first.
    The job returned is ``running``; ``cancelling`` or ``pausing`` when nothing is left to do but that: then end it as
    cancelled, or say that it is paused.
    With more than ``MAX_ATTEMPTS`` attempts, end it as failed. Later calls pass its ``claim_token``.
    """
    now, token = timezone.now(), secrets.token_hex(16)
    lease = {"claim_token": token, "worker": worker[:200], "task_id": task_id[:64], "heartbeat_at": now}
    counted = {"attempt": F("attempt") + 1, "started_at": Coalesce("started_at", now)}
    queued = (RunStatus.QUEUED,)
    claimed = job_transition(kind, key=key, to=RunStatus.RUNNING, sources=queued, changes={**lease, **counted})
    if not claimed:
        orphan = kind._default_manager.filter(pk=key, status__in=STOPPING, claim_token="")
        claimed = orphan.update(**lease) == 1
    return kind._default_manager.get(pk=key) if claimed else None


def job_touch(kind: type[Job], *, key: str, claim: str, **changes: Any) -> RunStatus:
    """Renew the lease with ``changes`` and return the status: ``cancelling`` and ``pausing`` ask the worker to stop.

    The UPDATE also locks the row until the transaction ends.
    """
    held = kind._default_manager.filter(pk=key, claim_token=claim, status__in=WORKED_ON).exclude(claim_token="")
    if held.update(heartbeat_at=timezone.now(), **changes) != 1:
        raise ClaimLost(f"the claim on {key} is no longer valid")
    return RunStatus(kind._default_manager.values_list("status", flat=True).get(pk=key))


def job_end(kind: type[Job], *, key: str, claim: str, to: RunStatus, **changes: Any) -> RunStatus:
    """End a job as ``to``; as ``cancelled`` when the owner asked for that in the meantime. Returns which it was.

    Who calls this has stopped all that the job ran on Spark, so its session is forgotten.
    """
    held, stopped = Q(claim_token=claim), {**_ended(), "spark_session": ""}
    if to != RunStatus.CANCELLED:
        ended = {**stopped, **changes}
        if job_transition(kind, key=key, to=to, where=held, changes=ended):
            return to
    sources = (RunStatus.CANCELLING,)
    if not job_transition(kind, key=key, to=RunStatus.CANCELLED, sources=sources, where=held, changes=stopped):
        raise ClaimLost(f"the claim on {key} is no longer valid")
    return RunStatus.CANCELLED


def jobs_reap(kind: type[Job]) -> list[str]:
    """Take up jobs whose worker died and jobs that the broker never got or lost; return their ids.

    Call it every few seconds from one or many processes: each job is taken up once.
    """
    now = timezone.now()
    rows = kind._default_manager
    silent = Q(status__in=WORKED_ON, heartbeat_at__lt=now - LEASE)
    waiting = Q(status__in=WAITING, claim_token="")
    unsent = waiting & Q(sent_at=None, created_at__lt=now - SEND_AGAIN_AFTER)
    lost = waiting & Q(sent_at__lt=now - LOST_AFTER)
    taken_up = [job.pk for job in rows.filter(silent) if _taken_up(job, silent & Q(claim_token=job.claim_token))]
    sent_again = list(rows.filter(unsent | lost).exclude(pk__in=taken_up).values_list("pk", flat=True))
    for key in sent_again:
        job_send(kind, key=key)
    return taken_up + sent_again


@transaction.atomic
def job_cancel(job: J, *, actor: User | None) -> J:
    """Ask for the end of a job; asking again changes nothing.

    A job that no worker had and a paused one are cancelled at once. A running one, and a queued one whose dead worker
    may have left a Spark job, become ``cancelling`` until a worker has stopped the Spark job. A job that is over stays
    as it is.
    """
    # A job that becomes paused between the two statements of the first try is found by the second.
    if _cancelled(job) or _cancelled(job):
        audit(actor=actor, action=f"{job_word(job)}.cancel", target=job.pk)
    job.refresh_from_db()
    return job


@transaction.atomic
def job_retry(job: J, *, actor: User | None) -> J:
    """Send a failed or cancelled job again: same row, same numbers. Raises Conflict for any other status."""
    fresh: dict[str, Any] = {
        "attempt": 0,
        "error": None,
        "progress": {},
        "sent_at": None,
        "finished_at": None,
        "task_id": "",
    }
    sources = (RunStatus.FAILED, RunStatus.CANCELLED)
    try:
        with transaction.atomic():
            again = job_transition(type(job), key=job.pk, to=RunStatus.QUEUED, sources=sources, changes=fresh)
    except IntegrityError:
        raise Conflict(f"a {job_word(job)} of the same content is under way; wait for it or cancel it") from None
    job.refresh_from_db()
    if not again:
        raise Conflict(f"only failed and cancelled {job_word(job)}s can be tried again; this one is {job.status}")
    audit(actor=actor, action=f"{job_word(job)}.retry", target=job.pk)
    job_send(type(job), key=job.pk)
    return job


def _cancelled(job: Job) -> bool:
    kind, untouched, idle = type(job), Q(spark_session=""), (RunStatus.QUEUED, RunStatus.PAUSED)
    ended = job_transition(kind, key=job.pk, to=RunStatus.CANCELLED, sources=idle, where=untouched, changes=_ended())
    # Wherever the job went between the two statements, claimed or taken up again, the second one finds it.
    return ended or job_transition(kind, key=job.pk, to=RunStatus.CANCELLING)


@transaction.atomic
def _taken_up(job: Job, still_silent: Q) -> bool:
    kind, key = type(job), job.pk
    if job.status == RunStatus.RUNNING and _given_up(job):
        changes = {**_ended(), "error": workers_died(job)}
        return job_transition(kind, key=key, to=RunStatus.FAILED, where=still_silent, changes=changes)
    released = {"claim_token": "", "worker": "", "heartbeat_at": None, "sent_at": None}
    running = (RunStatus.RUNNING,)
    taken = job_transition(kind, key=key, to=RunStatus.QUEUED, sources=running, where=still_silent, changes=released)
    if not taken:
        stopping = kind._default_manager.filter(still_silent, pk=key, status__in=STOPPING)
        taken = stopping.update(**released) == 1
    if taken:
        audit(actor=None, action=f"{job_word(job)}.reap", target=key, worker=job.worker, attempt=job.attempt)
        job_send(kind, key=key)
    return taken


def workers_died(job: Job) -> dict[str, str]:
    """Return the error of a job that is given up."""
    return {"code": "workers_died", "message": f"{MAX_ATTEMPTS} workers died while they computed this {job_word(job)}"}


def _given_up(job: Job) -> bool:
    """Whether nobody tries again: not even to stop a Spark job, which the last worker may have left but one cannot."""
    return job.attempt > MAX_ATTEMPTS or (job.attempt == MAX_ATTEMPTS and not job.spark_session)


def _ended() -> dict[str, Any]:
    return {"finished_at": timezone.now(), "claim_token": "", "heartbeat_at": None}


def job_word(job: Job) -> str:
    """Return what the job is called: run or calibration."""
    return str(job._meta.model_name)
