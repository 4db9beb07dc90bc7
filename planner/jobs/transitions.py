"""The state machine of runs and other jobs, the only place that writes ``Job.status``, and what their owner may ask."""

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from planner.errors import Conflict, conflict_where_taken
from planner.jobs.deliveries import calibration_announce, run_announce
from planner.jobs.dispatch import job_send
from planner.models import Calibration, Job, Run, RunStatus, audit

JOBS: tuple[type[Job], ...] = (Run, Calibration)
SOURCES: dict[RunStatus, frozenset[RunStatus]] = {
    # A worker died (running), or the owner goes on (paused, and pausing without a worker) or tries again.
    RunStatus.QUEUED: frozenset(
        {RunStatus.RUNNING, RunStatus.PAUSING, RunStatus.PAUSED, RunStatus.FAILED, RunStatus.CANCELLED}
    ),
    # Pausing: the owner changed their mind before the round ended.
    RunStatus.RUNNING: frozenset({RunStatus.QUEUED, RunStatus.PAUSING}),
    # Queued: a dead worker may have left a Spark job, which a worker has to stop first.
    RunStatus.PAUSING: frozenset({RunStatus.RUNNING, RunStatus.QUEUED}),
    # At once while no worker has it, otherwise after the round.
    RunStatus.PAUSED: frozenset({RunStatus.QUEUED, RunStatus.PAUSING}),
    RunStatus.CANCELLING: frozenset({RunStatus.RUNNING, RunStatus.QUEUED, RunStatus.PAUSING}),
    # Pausing: its last round was under way.
    RunStatus.SUCCEEDED: frozenset({RunStatus.RUNNING, RunStatus.PAUSING}),
    RunStatus.FAILED: frozenset({RunStatus.RUNNING, RunStatus.PAUSING}),
    # At once while no worker has it, otherwise after a worker has stopped the Spark job.
    RunStatus.CANCELLED: frozenset({RunStatus.QUEUED, RunStatus.PAUSED, RunStatus.CANCELLING}),
}
"""Target status -> the statuses it may follow."""
RETRIED = (RunStatus.FAILED, RunStatus.CANCELLED)
"""What can be tried again."""
UNTOUCHED, CLAIMED = Q(spark_session=""), ~Q(claim_token="")
J = TypeVar("J", bound=Job)


def job_transition(
    job: Job,
    *,
    to: RunStatus,
    changes: Mapping[str, Any] | None = None,
    sources: Collection[RunStatus] = (),
    where: Q | None = None,
) -> bool:
    """Move a job to ``to`` and write ``changes`` in one conditional UPDATE; True when it touched the row.

    ``sources`` narrows the statuses it may come from, ``where`` adds a condition, for example that a claim still
    holds. Of concurrent callers exactly one gets True. The owner's webhooks learn of the end in the same transaction.
    """
    allowed = frozenset(sources) & SOURCES[to] if sources else SOURCES[to]
    rows = type(job)._default_manager.filter(where or Q(), pk=job.pk, status__in=allowed)
    moved = rows.update(status=to, **(changes or {})) == 1
    if moved and to.final and isinstance(job, Run):
        run_announce(run_id=job.pk, status=to)
    elif moved and to.final:
        calibration_announce(calibration_id=job.pk, status=to)
    return moved


@transaction.atomic
def job_cancel(job: J, *, actor: User | None) -> J:
    """Ask for the end of a job; asking again changes nothing.

    A job that no worker had and a paused one are cancelled at once. A running one, and a queued one whose dead worker
    may have left a Spark job, become ``cancelling`` until a worker has stopped it. A job that is over stays as it is.
    """
    # The second try finds a job that becomes paused between the two statements of the first.
    if _cancelled(job) or _cancelled(job):
        audit(actor=actor, action=f"{job_word(job)}.cancel", row=job)
    job.refresh_from_db()
    return job


@transaction.atomic
def job_retry(job: J, *, actor: User | None) -> J:
    """Send a failed or cancelled job again: same row, same numbers. Raises Conflict for any other status."""
    fresh: dict[str, Any] = {"attempt": 0, "error": None, "progress": {}, "task_id": ""}
    fresh |= {"sent_at": None, "finished_at": None}
    with conflict_where_taken(f"a {job_word(job)} of the same content is under way; wait for it or cancel it"):
        again = job_transition(job, to=RunStatus.QUEUED, sources=RETRIED, changes=fresh)
    job.refresh_from_db()
    if not again:
        raise Conflict(f"only failed and canceled {job_word(job)}s can be tried again; this one is {job.status_word}")
    audit(actor=actor, action=f"{job_word(job)}.retry", row=job)
    job_send(job)
    return job


@transaction.atomic
def job_pause(job: J, *, actor: User | None) -> J:
    """Ask a job to pause; asking again changes nothing.

    A job that no worker had is paused at once. A running one, and a queued one whose dead worker may have left a Spark
    job, are ``pausing`` until a worker has ended the present round or stopped what was left. A job that is over, or
    ends before the pause, stays as it is.
    """
    paused = job_transition(job, to=RunStatus.PAUSED, sources=(RunStatus.QUEUED,), where=UNTOUCHED)
    if paused or job_transition(job, to=RunStatus.PAUSING):
        audit(actor=actor, action=f"{job_word(job)}.pause", row=job)
    job.refresh_from_db()
    return job


@transaction.atomic
def job_resume(job: J, *, actor: User | None) -> J:
    """Let a paused job go on: same row, same numbers. A job that goes on already, or has succeeded, stays as it is.
    Raises Conflict for one that failed or was cancelled: retry that instead."""
    # The second try finds a job that becomes paused between the statements of the first.
    if _resumed(job) or _resumed(job):
        audit(actor=actor, action=f"{job_word(job)}.resume", row=job)
    job.refresh_from_db()
    if job.status in (RunStatus.CANCELLING, RunStatus.CANCELLED, RunStatus.FAILED):
        raise Conflict(f"only paused {job_word(job)}s can go on; this one is {job.status_word}, try it again instead")
    return job


def job_word(job: Job) -> str:
    """Return what the job is called: run or calibration."""
    return str(job._meta.model_name)


def end_fields() -> dict[str, Any]:
    """Return what every end of a job writes along with its status."""
    return {"finished_at": timezone.now(), "claim_token": "", "heartbeat_at": None}


def _cancelled(job: Job) -> bool:
    idle = (RunStatus.QUEUED, RunStatus.PAUSED)
    ended = job_transition(job, to=RunStatus.CANCELLED, sources=idle, where=UNTOUCHED, changes=end_fields())
    # Wherever the job went between the two statements, claimed or taken up again, the second one finds it.
    return ended or job_transition(job, to=RunStatus.CANCELLING)


def _resumed(job: Job) -> bool:
    """Workers that died before the pause no longer count; a worker that still ends its round just goes on."""
    if job_transition(job, to=RunStatus.RUNNING, sources=(RunStatus.PAUSING,), where=CLAIMED):
        return True
    idle = (RunStatus.PAUSED, RunStatus.PAUSING)
    again = {"sent_at": None, "attempt": 0}
    queued = job_transition(job, to=RunStatus.QUEUED, sources=idle, where=~CLAIMED, changes=again)
    if queued:
        job_send(job)
    return queued
