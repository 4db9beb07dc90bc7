"""Baselines that are pinned, and which of them a scenario is compared with."""

from collections.abc import Collection

from django.db.models import QuerySet

from planner.models import Baseline, Run, Scenario
from planner.selectors.owned import Person, owned
from planner.selectors.subjects import newest_run


def baselines_list(*, user: Person, application: str = "") -> QuerySet[Baseline]:
    """The user's baselines that are pinned now, newest first, each with its version and scenario."""
    rows = Baseline.objects.filter(owner_id=user.pk, unpinned_at=None).select_related("version__scenario", "owner")
    return rows.filter(application=application) if application else rows


def baseline_get(*, user: Person, baseline_id: str) -> Baseline:
    """One baseline, pinned or not any more; raises NotFound."""
    return owned(Baseline.objects.select_related("version__scenario"), user=user, key=baseline_id)


def baseline_of(*, user: Person, scenario: Scenario) -> Baseline | None:
    """The baseline of the scenario's first application that has one."""
    known = scenario.applications
    rows = baselines_list(user=user).filter(application__in=known)
    return min(rows, key=lambda row: known.index(row.application), default=None)


def baseline_run(*, user: Person, baseline: Baseline) -> Run | None:
    """The newest run that answers for the pinned version, finished where there is one."""
    return newest_run(user, baseline.version)


def pinned_versions(*, user: Person, version_ids: Collection[str]) -> frozenset[str]:
    """Which of these versions are baselines."""
    rows = baselines_list(user=user).filter(version_id__in=version_ids)
    return frozenset(rows.values_list("version_id", flat=True))
