"""Frozen reports."""

from django.db.models import QuerySet

from planner.models import Report
from planner.selectors.owned import Person, owned


def reports_list(*, user: Person) -> QuerySet[Report]:
    """The user's reports, newest first, without their payloads."""
    return Report.objects.filter(owner_id=user.pk).select_related("run").defer("payload")


def report_get(*, user: Person, report_id: str) -> Report:
    """One report; raises NotFound."""
    return owned(Report.objects.select_related("run"), user=user, key=report_id)
