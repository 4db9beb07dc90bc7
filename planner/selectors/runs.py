"""Runs and where they stand."""

from django.db.models import QuerySet

from planner.models import Run, RunStatus, Scenario
from planner.selectors.owned import Person, owned


def runs_list(*, user: Person, status: str = "") -> QuerySet[Run]:
    """The user's runs, newest first, each with its version and scenario."""
    rows = Run.objects.filter(owner_id=user.pk).select_related("version__scenario", "repeats")
    return rows.filter(status=status) if status else rows


def runs_active(*, user: Person) -> QuerySet[Run]:
    """The user's runs that are not over."""
    active = (RunStatus.QUEUED, RunStatus.RUNNING, RunStatus.CANCELLING)
    return runs_list(user=user).filter(status__in=active)


def runs_of_scenario(*, scenario: Scenario) -> QuerySet[Run]:
    """All runs of all versions of a scenario, newest first."""
    return Run.objects.filter(version__scenario=scenario).select_related("version__scenario", "repeats")


def run_get(*, user: Person, run_id: str) -> Run:
    """One run with its version and scenario; raises NotFound."""
    return owned(Run.objects.select_related("version__scenario", "repeats"), user=user, key=run_id)
