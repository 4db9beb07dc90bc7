"""Baselines that are pinned, and which of them a scenario is compared with."""

from collections.abc import Collection

from django.db.models import Q, QuerySet

from planner.models import Baseline, Scenario
from planner.selectors.owned import Person, owned


def baselines_list(*, user: Person) -> QuerySet[Baseline]:
    """The user's baselines that are pinned now, newest first, each with its version and scenario."""
    return Baseline.objects.filter(owner_id=user.pk, unpinned_at=None).select_related("version__scenario", "owner")


def baseline_get(*, user: Person, baseline_id: str) -> Baseline:
    """One baseline, pinned or not any more; raises NotFound."""
    return owned(Baseline.objects.select_related("version__scenario"), user=user, key=baseline_id)


def baseline_of(*, user: Person, scenario: Scenario) -> Baseline | None:
    """The baseline that the scenario is compared with: one of its own versions, else that of its name or of a tag."""
    known = scenario.applications
    rows = baselines_list(user=user).filter(Q(application__in=known) | Q(version__scenario=scenario))

    def rank(row: Baseline) -> tuple[bool, int]:
        return row.version.scenario_id != scenario.pk, (*known, row.application).index(row.application)

    return min(rows, key=rank, default=None)


def pinned_versions(*, user: Person, version_ids: Collection[str]) -> frozenset[str]:
    """Which of these versions are baselines."""
    rows = baselines_list(user=user).filter(version_id__in=version_ids)
    return frozenset(rows.values_list("version_id", flat=True))
