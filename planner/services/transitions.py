"""The state machine of runs and other jobs: the only place that writes ``Job.status``."""

from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import Q

from planner.models import Job, Run, RunStatus

SOURCES: dict[RunStatus, frozenset[RunStatus]] = {
    # A worker died (running), or the owner tries again.
    RunStatus.QUEUED: frozenset({RunStatus.RUNNING, RunStatus.FAILED, RunStatus.CANCELLED}),
    RunStatus.RUNNING: frozenset({RunStatus.QUEUED}),
    RunStatus.CANCELLING: frozenset({RunStatus.RUNNING}),
    RunStatus.SUCCEEDED: frozenset({RunStatus.RUNNING}),
    RunStatus.FAILED: frozenset({RunStatus.RUNNING}),
    # At once while nobody works on it, else after the worker has stopped the Spark job.
    RunStatus.CANCELLED: frozenset({RunStatus.QUEUED, RunStatus.CANCELLING}),
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
    holds. Of any number of callers at the same moment exactly one gets True.
    """
    allowed = frozenset(sources) & SOURCES[to] if sources else SOURCES[to]
    rows = kind._default_manager.filter(where or Q(), pk=key, status__in=allowed)
    return rows.update(status=to, **(changes or {})) == 1


def run_transition(
    *,
    run_id: str,
    to: RunStatus,
    changes: Mapping[str, Any] | None = None,
    sources: Collection[RunStatus] = (),
    where: Q | None = None,
) -> bool:
    """``job_transition`` of a run."""
    return job_transition(Run, key=run_id, to=to, changes=changes, sources=sources, where=where)
