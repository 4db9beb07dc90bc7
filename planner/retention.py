"""What the results store of this installation may forget."""

from collections.abc import Collection

from django.conf import settings

from planner.models import Job, Run, RunStatus
from simulations.pipeline.retention import Removal, orphans, worn

DAY = 86_400.0
ORPHAN_SECONDS = DAY
"""A folder whose run is gone stays for this time after its last change: it may belong to a database restored later."""
OVER = (RunStatus.SUCCEEDED, RunStatus.FAILED, RunStatus.CANCELLED)


def removals(*, days: int) -> list[Removal]:
    """Return what is due: folders of runs that are gone, and replications of runs that ended ``days`` ago (0: none)."""
    store = settings.ENVIRONMENT.store
    known: set[str] = set()
    for kind in Job.__subclasses__():
        known |= set(kind._default_manager.values_list("pk", flat=True))
    due = orphans(store, known, older_than=ORPHAN_SECONDS)
    return [*due, *worn(store, _over(), older_than=days * DAY)] if days else due


def sentence(found: Collection[Removal]) -> str:
    """Return how much that is, in words."""
    size = sum(removal.size for removal in found)
    return f"{len(found)} run{'' if len(found) == 1 else 's'}, {size / 1e6:.1f} MB"


def _over() -> set[str]:
    return set(Run.objects.filter(status__in=OVER).values_list("pk", flat=True))
