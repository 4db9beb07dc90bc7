"""Calibrations and where they stand."""

from django.db.models import QuerySet

from planner.errors import Conflict
from planner.models import Calibration
from planner.selectors.owned import Person, owned
from simulations.pipeline.telemetry.changes import Change, changes_of


def calibrations_list(*, user: Person) -> QuerySet[Calibration]:
    """The user's calibrations, newest first, without their results."""
    rows = Calibration.objects.filter(owner_id=user.pk).select_related("base__scenario", "scenario")
    return rows.defer("result")


def calibration_changes(*, calibration: Calibration, since: Calibration) -> tuple[Change, ...]:
    """What differs for sure from an earlier calibration of the system; raises Conflict before both have a result."""
    if not calibration.result or not since.result:
        raise Conflict("one of the two calibrations has no result yet; wait for it")
    return changes_of(since.result, calibration.result)


def calibration_before(*, calibration: Calibration) -> Calibration | None:
    """The newest earlier calibration with a result, of a log of the same name."""
    same = Calibration.objects.filter(owner_id=calibration.owner_id, location=calibration.location)
    return same.filter(created_at__lt=calibration.created_at, result__isnull=False).order_by("created_at").last()


def calibration_get(*, user: Person, calibration_id: str) -> Calibration:
    """One calibration; raises NotFound."""
    return owned(Calibration.objects.select_related("base__scenario", "scenario"), user=user, key=calibration_id)
