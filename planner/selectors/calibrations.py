"""Calibrations and where they stand."""

from django.db.models import QuerySet

from planner.models import Calibration
from planner.selectors.owned import Person, owned


def calibrations_list(*, user: Person) -> QuerySet[Calibration]:
    """The user's calibrations, newest first, without their results."""
    rows = Calibration.objects.filter(owner_id=user.pk).select_related("base__scenario", "scenario")
    return rows.defer("result")


def calibration_get(*, user: Person, calibration_id: str) -> Calibration:
    """One calibration; raises NotFound."""
    return owned(Calibration.objects.select_related("base__scenario", "scenario"), user=user, key=calibration_id)
