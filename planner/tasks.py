"""What workers do. A task is an envelope: it gets an id, may come twice, and leaves the work to others."""

from typing import Any

from celery import Task, shared_task
from celery.signals import worker_process_shutdown

from planner.celery import app
from planner.jobs import deliveries
from planner.jobs.calibrate import calibration_compute
from planner.jobs.execute import run_compute
from planner.jobs.housekeeping import Reaper
from planner.jobs.spark_session import close_link
from planner.jobs.turns import runs_in_turn
from planner.models import Calibration, Delivery, Run

app.steps["consumer"].add(Reaper)


@shared_task(name=Run.task, bind=True)
def run_execute(self: "Task[[str], None]", run_id: str) -> None:
    """Compute the run whose turn it is."""
    worker, task_id = str(self.request.hostname or ""), str(self.request.id or "")
    for key in runs_in_turn(run_id):
        if run_compute(run_id=key, worker=worker, task_id=task_id):
            return


@shared_task(name=Calibration.task, bind=True)
def calibration_execute(self: "Task[[str], None]", calibration_id: str) -> None:
    """Compute the calibration."""
    worker, task_id = str(self.request.hostname or ""), str(self.request.id or "")
    calibration_compute(calibration_id=calibration_id, worker=worker, task_id=task_id)


@shared_task(name=Delivery.task)
def delivery_attempt(delivery_id: str) -> None:
    """Try to deliver an event to a webhook."""
    deliveries.delivery_attempt(delivery_id=delivery_id)


@worker_process_shutdown.connect
def _close_session(**_: Any) -> None:
    """Without this the server would keep the session's Python processes until it times out."""
    close_link()
