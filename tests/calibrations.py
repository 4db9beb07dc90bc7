"""Calibrations in the states that tests need, without computing one."""

from django.contrib.auth.models import User

from planner import services
from planner.jobs.calibrate import result_of
from planner.jobs.leases import job_claim, job_end
from planner.models import Calibration, RunStatus
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
    changes = {"result": result_of(story.outcome), "validated": story.outcome.validated}
    job_end(claimed, to=RunStatus.SUCCEEDED, **changes, progress={"fraction": 1.0})
    return claimed
