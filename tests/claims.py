"""A worker that has a run: it takes it, and falls silent."""

from datetime import timedelta

from django.utils import timezone

from planner.jobs.claims import run_claim
from planner.models import Run


def taken(run: Run, *, worker: str = "w1", task_id: str = "") -> Run:
    """Return the run as the worker has it that took it."""
    found = run_claim(run_id=run.pk, worker=worker, task_id=task_id)
    assert found is not None
    return found


def silent(run: Run, *, seconds: float = 31) -> None:
    """Let the worker have given no sign of life for so long, a second more than its lease if nothing else is said."""
    Run.objects.filter(pk=run.pk).update(heartbeat_at=timezone.now() - timedelta(seconds=seconds))
