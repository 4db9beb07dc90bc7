"""What a worker tells about the run it computes. Every call names the claim; a lost claim raises ClaimLost.

``planner.jobs.leases`` says what a claim is.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from planner.answers.summaries import result_hash, summary_plain, summary_read
from planner.jobs.leases import job_claim, job_end, job_touch, jobs_reap
from planner.jobs.verdicts import run_headline, scenario_judge
from planner.models import PointResult, Run, RunStatus
from simulations.analysis.estimates.summary import PointSummary


def run_claim(*, run_id: str, worker: str, task_id: str = "") -> Run | None:
    """``job_claim`` of a run."""
    return job_claim(Run, key=run_id, worker=worker, task_id=task_id)


def run_heartbeat(*, run_id: str, claim: str) -> RunStatus:
    """Renew the lease and return the status: ``cancelling`` asks the worker to stop."""
    return _touch(run_id, claim)


def run_progress(*, run_id: str, claim: str, progress: Mapping[str, Any]) -> RunStatus:
    """Store the progress (fraction, messages_done, precision_now, precision_target, eta_s) and renew the lease."""
    return _touch(run_id, claim, progress=dict(progress))


def run_session_save(*, run_id: str, claim: str, spark_session: str) -> RunStatus:
    """Store the Spark Connect session that computes the run, so that others can interrupt it."""
    return _touch(run_id, claim, spark_session=spark_session)


@transaction.atomic
def run_points_save(
    *,
    run_id: str,
    claim: str,
    summaries: Sequence[PointSummary],
    partial: bool,
    content_keys: Mapping[int, str] | None = None,
) -> RunStatus:
    """Store the answers of points of one round in one statement; points that are stored already are replaced.

    ``content_keys``: point -> ``replication_key`` of its scenario, by which later experiments find the replications.
    """
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
                content_key=(content_keys or {}).get(summary.index, ""),
                updated_at=now,
            )
            for summary in summaries
        ],
        update_conflicts=True,
        unique_fields=["run", "index"],
        update_fields=["overrides", "status", "summary", "partial", "content_key", "updated_at"],
        batch_size=200,
    )
    return status


@transaction.atomic
def run_finish(
    *,
    run_id: str,
    claim: str,
    store_path: str = "",
    timings: Mapping[str, float] | None = None,
    points: int | None = None,
) -> RunStatus:
    """End a run whose points are all stored; the result hash is taken from them.

    ``points``: how many an experiment turned out to need; a plain run has those of its plan. Returns ``succeeded``,
    or ``cancelled`` when the owner asked for that in the meantime.
    Raises ValueError when points are missing.
    """
    _touch(run_id, claim)
    run = Run.objects.select_related("version").get(pk=run_id)
    summaries = [summary_read(plain) for plain in run.points.values_list("summary", flat=True)]
    planned = run.plan["points"] if points is None else points
    if len(summaries) != planned:
        msg = f"{run_id} has {len(summaries)} of {planned} points"
        raise ValueError(msg)
    run.points.update(partial=False)
    progress = {**run.progress, "fraction": 1.0, "eta_s": 0.0}
    outcome = {
        "result_hash": result_hash(summaries),
        "store_path": store_path,
        "timings": dict(timings or {}),
        "plan": {**run.plan, "points": planned},
        "headline": run_headline(run=run, summaries=summaries),
    }
    status = _end(run_id, claim, RunStatus.SUCCEEDED, progress=progress, **outcome)
    if status == RunStatus.SUCCEEDED:
        scenario_judge(scenario_id=run.version.scenario_id)
    return status


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
    """``jobs_reap`` of the runs."""
    return jobs_reap(Run)


def _touch(run_id: str, claim: str, **changes: Any) -> RunStatus:
    return job_touch(Run, key=run_id, claim=claim, **changes)


def _end(run_id: str, claim: str, to: RunStatus, **changes: Any) -> RunStatus:
    return job_end(Run, key=run_id, claim=claim, to=to, **changes)
