"""Calibrations and where they stand."""

from django.db.models import QuerySet

from planner.models import Calibration
from planner.selectors.owned import Person, owned_by, visible

CALIBRATIONS = Calibration.objects.select_related("base__scenario", "scenario")
calibration_get = owned_by(CALIBRATIONS, "calibration_id")


def calibrations_list(*, user: Person) -> QuerySet[Calibration]:
    """The user's calibrations, newest first, without their results."""
    return visible(CALIBRATIONS, user=user).defer("result")
