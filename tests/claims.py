"""A worker that has a run: it takes it, and falls silent."""

from datetime import timedelta

from django.utils import timezone

from planner.jobs.leases import job_claim, job_touch, jobs_reap
from planner.models import Run


def taken(run: Run, *, worker: str = "w1", task_id: str = "") -> Run:
    """Return the run as the worker has it that took it."""
    found = job_claim(Run, key=run.pk, worker=worker, task_id=task_id)
    assert found is not None
    return found


def silent(run: Run, *, seconds: float = 31) -> None:
    """Let the worker have given no sign of life for so long, a second more than its lease if nothing else is said."""
    Run.objects.filter(pk=run.pk).update(heartbeat_at=timezone.now() - timedelta(seconds=seconds))


def dead_on_spark(run: Run) -> Run:
    """Return the run, queued again after its worker died, which may have left a job on Spark."""
    claimed = taken(run)
    job_touch(claimed, spark_session="s-1")
    silent(run)
    assert jobs_reap(Run) == [run.pk]
    run.refresh_from_db()
    return run
