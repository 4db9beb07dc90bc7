"""What the results store of this installation may forget."""

from collections.abc import Collection
from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from planner.models import Job, RunStatus
from simulations.pipeline.archive.retention import Removal, orphans, worn

DAY = 86_400.0
ORPHAN_SECONDS = DAY
"""A folder whose run is gone stays for this time after its last change: it may belong to a database restored later."""
OVER = (RunStatus.SUCCEEDED, RunStatus.FAILED, RunStatus.CANCELLED)


def removals(*, days: int) -> list[Removal]:
    """Return what is due: folders of runs that are gone, and the raw files of what ended ``days`` ago (0: none).

    Raw are the replications of runs and the uploaded logs of calibrations.
    """
    store = settings.ENVIRONMENT.store
    known: set[str] = set()
    for kind in Job.__subclasses__():
        known |= set(kind._default_manager.values_list("pk", flat=True))
    due = orphans(store, known, older_than=ORPHAN_SECONDS)
    return [*due, *worn(store, _over(days), older_than=days * DAY)] if days else due


def sentence(found: Collection[Removal]) -> str:
    """Return how much that is, in words."""
    size = sum(removal.size for removal in found)
    return f"{len(found)} run{'' if len(found) == 1 else 's'}, {size / 1e6:.1f} MB"


def _over(days: int) -> set[str]:
    recent = Q(finished_at__gt=timezone.now() - timedelta(days=days))
    rows = [kind._default_manager.filter(status__in=OVER).exclude(recent) for kind in Job.__subclasses__()]
    return {key for row in rows for key in row.values_list("pk", flat=True)}
