"""Calibrations in the states that tests need, without computing one."""

from django.contrib.auth.models import User

from planner import services
from planner.jobs.calibrate import calibration_finish
from planner.jobs.leases import job_claim
from planner.models import Calibration
from tests.telemetry import Story


def waiting(owner: User) -> Calibration:
    """Return an upload that no worker has taken."""
    return services.calibration_store(
        draft=services.calibration_draft(owner=owner, location="orders.csv", content=[b"arrival,start,end,queue\n"])
    )


def completed(calibration: Calibration, story: Story) -> Calibration:
    """Return the calibration with the result of the tests' log."""
    claimed = job_claim(Calibration, key=calibration.pk, worker="w1")
    assert claimed is not None
    calibration_finish(calibration=claimed, outcome=story.outcome)
    return claimed
