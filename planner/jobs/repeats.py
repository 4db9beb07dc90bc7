"""Calibrations that are repeated: the newest of a series knows after how many hours the next one begins."""

from contextlib import suppress

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from planner.errors import Conflict
from planner.jobs.dispatch import job_send
from planner.models import Calibration, RunStatus, audit


def calibrations_repeat_due() -> None:
    """Repeat what is due, unless it is still computed or its owner may not sign in. Many processes may call it."""
    final = [status for status in RunStatus if status.final]
    series = Calibration.objects.filter(every_hours__gt=0, status__in=final, owner__is_active=True)
    for calibration in series.defer("result"):
        if calibration.due_at and calibration.due_at <= timezone.now():
            with suppress(Conflict):
                calibration_repeat(calibration)


@transaction.atomic
def calibration_repeat(calibration: Calibration, *, actor: User | None = None) -> Calibration:
    """Start a calibration of what has changed at the location since this one; the series goes on from the new one.

    Raises Conflict for an upload, and where somebody else was first.
    """
    if calibration.uploaded:
        raise Conflict("an upload cannot be read anew: send the new log under the same name, or name its location")
    known = Calibration.objects.filter(pk=calibration.pk, every_hours=calibration.every_hours)
    if not known.update(every_hours=0):
        raise Conflict("it has just been repeated; its series goes on with the newest calibration")
    made = Calibration.objects.create(
        owner_id=calibration.owner_id,
        name=calibration.name,
        location=calibration.location,
        base_id=calibration.base_id,
        since=calibration.created_at if calibration.status == RunStatus.SUCCEEDED else calibration.since,
        every_hours=calibration.every_hours,
    )
    audit(actor=actor, action="calibration.repeat", row=made, location=made.location)
    job_send(made)
    return made


@transaction.atomic
def calibration_stop(calibration: Calibration, *, actor: User | None) -> Calibration:
    """End the series after this calibration; stopping again changes nothing."""
    if Calibration.objects.filter(pk=calibration.pk, every_hours__gt=0).update(every_hours=0):
        audit(actor=actor, action="calibration.stop", row=calibration)
    calibration.refresh_from_db()
    return calibration
