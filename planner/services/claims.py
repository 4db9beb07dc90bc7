"""What a worker tells about the run it computes. Every call names the claim; a lost claim raises ClaimLost.

A claim is a lease: its holder calls ``run_heartbeat`` (or any other function here) well within ``LEASE``. When it
stays silent for longer, ``runs_reap`` gives the run to another worker, and the silent one, should it still live,
can no longer write.
"""

import secrets
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from planner.errors import ClaimLost
from planner.models import PointResult, Run, RunStatus
from planner.results import result_hash, summary_plain, summary_read
from planner.services.audit import audit
from planner.services.dispatch import run_send
from planner.services.transitions import run_transition
from simulations.analysis.summary import PointSummary

LEASE = timedelta(seconds=30)
"""Silence after which a worker counts as dead."""
SEND_AGAIN_AFTER = timedelta(seconds=10)
"""A queued run that the broker did not take is sent again after this time."""
LOST_AFTER = timedelta(minutes=5)
"""A run that no worker claimed for so long is sent again: the broker may have lost it; a claim turns doubles away."""
MAX_ATTEMPTS = 5
"""A run whose workers died this often fails: it is likely to be what kills them."""
WORKED_ON = (RunStatus.RUNNING, RunStatus.CANCELLING)
WAITING = (RunStatus.QUEUED, RunStatus.CANCELLING)


def run_claim(*, run_id: str, worker: str, task_id: str = "") -> Run | None:
    """Claim a run for this worker; None when there is nothing to do (claimed by another, over, unknown).

    The run returned is ``running``, or ``cancelling`` when its worker died before it had stopped the Spark job of
    ``spark_session``: then stop that job and call ``run_cancelled``. Later calls pass ``run.claim_token``.
    """
    now, token = timezone.now(), secrets.token_hex(16)
    lease = {"claim_token": token, "worker": worker[:200], "task_id": task_id[:64], "heartbeat_at": now}
    counted = {"attempt": F("attempt") + 1, "started_at": Coalesce("started_at", now)}
    claimed = run_transition(run_id=run_id, to=RunStatus.RUNNING, changes={**lease, **counted})
    if not claimed:
        orphan = Run.objects.filter(pk=run_id, status=RunStatus.CANCELLING, claim_token="")
        claimed = orphan.update(**lease) == 1
    return Run.objects.get(pk=run_id) if claimed else None


def run_heartbeat(*, run_id: str, claim: str) -> RunStatus:
    """Renew the lease and return the status: ``cancelling`` asks the worker to stop."""
    return _touch(run_id, claim)


def run_progress(*, run_id: str, claim: str, progress: Mapping[str, Any]) -> RunStatus:
    """Store the progress (fraction, messages_done, precision_now, precision_target, eta_s) and renew the lease."""
    return _touch(run_id, claim, progress=dict(progress))


def run_session_save(*, run_id: str, claim: str, spark_session: str) -> RunStatus:
    """Store the Spark Connect session that computes the run, so that others can interrupt it."""
    return _touch(run_id, claim, spark_session=spark_session)


def run_point_save(*, run_id: str, claim: str, summary: PointSummary, partial: bool) -> RunStatus:
    """Store one point's answer; a second call replaces the first."""
    return run_points_save(run_id=run_id, claim=claim, summaries=(summary,), partial=partial)


@transaction.atomic
def run_points_save(*, run_id: str, claim: str, summaries: Sequence[PointSummary], partial: bool) -> RunStatus:
    """Store the answers of points of one round in one statement; points that are stored already are replaced."""
    status = _touch(run_id, claim)
    now = timezone.now()
    PointResult.objects.bulk_create(
        [
            PointResult(
                run_id=run_id,
                index=summary.index,
                overrides=dict(summary.overrides),
                status=summary.status,
                summary=summary_plain(summary),
                partial=partial,
                updated_at=now,
            )
            for summary in summaries
        ],
        update_conflicts=True,
        unique_fields=["run", "index"],
        update_fields=["overrides", "status", "summary", "partial", "updated_at"],
        batch_size=200,
    )
    return status


@transaction.atomic
def run_finish(
    *, run_id: str, claim: str, store_path: str = "", timings: Mapping[str, float] | None = None
) -> RunStatus:
    """End a run whose points are all stored; the result hash is taken from them.

    Returns ``succeeded``, or ``cancelled`` when the owner asked for that in the meantime.
    Raises ValueError when points are missing.
    """
    _touch(run_id, claim)
    run = Run.objects.get(pk=run_id)
    summaries = [summary_read(plain) for plain in run.points.values_list("summary", flat=True)]
    if len(summaries) != run.plan["points"]:
        msg = f"{run_id} has {len(summaries)} of {run.plan['points']} points"
        raise ValueError(msg)
    run.points.update(partial=False)
    progress = {**run.progress, "fraction": 1.0, "eta_s": 0.0}
    outcome = {"result_hash": result_hash(summaries), "store_path": store_path, "timings": dict(timings or {})}
    return _end(run_id, claim, RunStatus.SUCCEEDED, progress=progress, **outcome)


@transaction.atomic
def run_fail(*, run_id: str, claim: str, error: Mapping[str, Any]) -> RunStatus:
    """End a run that cannot be computed; ``error`` has code and message and, where ours, the id to report.

    Returns ``failed``, or ``cancelled`` when the owner asked for that: stopping a job looks like a failure.
    """
    return _end(run_id, claim, RunStatus.FAILED, error=dict(error))


@transaction.atomic
def run_cancelled(*, run_id: str, claim: str) -> RunStatus:
    """End a run after its Spark job has been stopped."""
    return _end(run_id, claim, RunStatus.CANCELLED)


def runs_reap() -> list[str]:
    """Take up runs whose worker died and runs that the broker never got or lost; return their ids.

    Call it every few seconds from one or many processes: each run is taken up once.
    """
    now = timezone.now()
    silent = Q(status__in=WORKED_ON, heartbeat_at__lt=now - LEASE)
    waiting = Q(status__in=WAITING, claim_token="")
    unsent = waiting & Q(sent_at=None, created_at__lt=now - SEND_AGAIN_AFTER)
    lost = waiting & Q(sent_at__lt=now - LOST_AFTER)
    taken_up = [run.pk for run in Run.objects.filter(silent) if _taken_up(run, silent & Q(claim_token=run.claim_token))]
    sent_again = list(Run.objects.filter(unsent | lost).exclude(pk__in=taken_up).values_list("pk", flat=True))
    for run_id in sent_again:
        run_send(run_id=run_id)
    return taken_up + sent_again


@transaction.atomic
def _taken_up(run: Run, still_silent: Q) -> bool:
    if run.status == RunStatus.RUNNING and run.attempt >= MAX_ATTEMPTS:
        error = {"code": "workers_died", "message": f"{run.attempt} workers died while they computed this run"}
        changes = {**_ended(), "error": error}
        return run_transition(run_id=run.pk, to=RunStatus.FAILED, where=still_silent, changes=changes)
    released = {"claim_token": "", "worker": "", "heartbeat_at": None, "sent_at": None}
    taken = run_transition(run_id=run.pk, to=RunStatus.QUEUED, where=still_silent, changes=released)
    if not taken:
        cancelling = Run.objects.filter(still_silent, pk=run.pk, status=RunStatus.CANCELLING)
        taken = cancelling.update(**released) == 1
    if taken:
        audit(actor=None, action="run.reap", target=run.pk, worker=run.worker, attempt=run.attempt)
        run_send(run_id=run.pk)
    return taken


def _touch(run_id: str, claim: str, **changes: Any) -> RunStatus:
    """Renew the lease with ``changes``; the UPDATE also locks the row until the transaction ends."""
    held = Run.objects.filter(pk=run_id, claim_token=claim, status__in=WORKED_ON).exclude(claim_token="")
    if held.update(heartbeat_at=timezone.now(), **changes) != 1:
        raise ClaimLost(f"the claim on {run_id} is no longer valid")
    return RunStatus(Run.objects.values_list("status", flat=True).get(pk=run_id))


def _end(run_id: str, claim: str, to: RunStatus, **changes: Any) -> RunStatus:
    held = Q(claim_token=claim)
    if to != RunStatus.CANCELLED and run_transition(run_id=run_id, to=to, where=held, changes={**_ended(), **changes}):
        return to
    stopped = run_transition(
        run_id=run_id, to=RunStatus.CANCELLED, sources=(RunStatus.CANCELLING,), where=held, changes=_ended()
    )
    if not stopped:
        raise ClaimLost(f"the claim on {run_id} is no longer valid")
    return RunStatus.CANCELLED


def _ended() -> dict[str, Any]:
    return {"finished_at": timezone.now(), "claim_token": "", "heartbeat_at": None}
