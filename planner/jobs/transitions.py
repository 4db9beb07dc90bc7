"""The state machine of runs and other jobs: the only place that writes ``Job.status``."""

from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import Q

from planner.jobs.deliveries import run_announce
from planner.models import Job, Run, RunStatus

SOURCES: dict[RunStatus, frozenset[RunStatus]] = {
    # A worker died (running), or the owner goes on (paused, and pausing without a worker) or tries again.
    RunStatus.QUEUED: frozenset(
        {RunStatus.RUNNING, RunStatus.PAUSING, RunStatus.PAUSED, RunStatus.FAILED, RunStatus.CANCELLED}
    ),
    # Pausing: the owner changed their mind before the round ended.
    RunStatus.RUNNING: frozenset({RunStatus.QUEUED, RunStatus.PAUSING}),
    # Queued: a dead worker may have left a Spark job, which somebody has to stop first.
    RunStatus.PAUSING: frozenset({RunStatus.RUNNING, RunStatus.QUEUED}),
    # At once while nobody works on it, else after the round.
    RunStatus.PAUSED: frozenset({RunStatus.QUEUED, RunStatus.PAUSING}),
    RunStatus.CANCELLING: frozenset({RunStatus.RUNNING, RunStatus.QUEUED, RunStatus.PAUSING}),
    # Pausing: its last round was under way.
    RunStatus.SUCCEEDED: frozenset({RunStatus.RUNNING, RunStatus.PAUSING}),
    RunStatus.FAILED: frozenset({RunStatus.RUNNING, RunStatus.PAUSING}),
    # At once while nobody works on it, else after a worker has stopped the Spark job.
    RunStatus.CANCELLED: frozenset({RunStatus.QUEUED, RunStatus.PAUSED, RunStatus.CANCELLING}),
}
"""Target status -> the statuses it may follow."""


def job_transition(
    kind: type[Job],
    *,
    key: str,
    to: RunStatus,
    changes: Mapping[str, Any] | None = None,
    sources: Collection[RunStatus] = (),
    where: Q | None = None,
) -> bool:
    """Move a job to ``to`` and write ``changes`` in one conditional UPDATE; True when it touched the row.

    ``sources`` narrows the statuses it may come from, ``where`` adds a condition, for example that a claim still
    holds. Of any number of callers at the same moment exactly one gets True. The end of a run is told to the
    webhooks of its owner, in the same transaction.
    """
    allowed = frozenset(sources) & SOURCES[to] if sources else SOURCES[to]
    rows = kind._default_manager.filter(where or Q(), pk=key, status__in=allowed)
    moved = rows.update(status=to, **(changes or {})) == 1
    if moved and to.final and kind is Run:
        run_announce(run_id=key, status=to)
    return moved
