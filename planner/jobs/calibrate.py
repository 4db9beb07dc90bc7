"""Computing a calibration: read and fit on Spark, predict in this process, store the result; and repeating one.

The same claim, heartbeat and endings as for runs. Nothing is kept between two attempts: the second starts over. Of
calibrations that are repeated the newest of a series knows after how many hours the next one begins.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from planner.answers.values import plain
from planner.errors import Conflict
from planner.jobs.dispatch import job_send
from planner.jobs.endings import job_compute
from planner.jobs.leases import Heartbeat, job_end, job_touch
from planner.jobs.spark_session import patiently, spark_link, spark_tag
from planner.models import Calibration, RunStatus, audit
from simulations.declarations.problems import InvalidInput
from simulations.pipeline.spark.session import SparkLink
from simulations.pipeline.telemetry import calibrate
from simulations.pipeline.telemetry.calibrate import STEPS, WRITTEN, Calibrated
from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused
from simulations.pipeline.telemetry.reading.raw import CHANGED, FORMATS, Source, allowed_source
from simulations.scenario.spec import parse


def calibration_source(*, calibration: Calibration) -> Source:
    """Return where the log is; raises InvalidInput when this installation does not allow it (any more)."""
    folder = calibration_folder(calibration=calibration)
    location, roots = calibration.location, settings.ENVIRONMENT.telemetry_roots
    options = {CHANGED: f"{calibration.since:%Y-%m-%dT%H:%M:%S}"} if calibration.since else {}
    if calibration.uploaded:
        upload = folder / upload_name(location)
        if not upload.exists():
            raise InvalidInput.at(("file",), "the uploaded log is no longer kept (RETENTION_DAYS); send it again")
        location, roots = str(upload), (str(folder),)
    try:
        return replace(allowed_source(location, roots), options=options)
    except TelemetryRefused as error:
        raise InvalidInput.at(("location",), str(error), value=calibration.location) from error


def calibration_folder(*, calibration: Calibration) -> Path:
    """Return the calibration's own folder, which Spark may write."""
    store: Path = settings.ENVIRONMENT.store
    return store.resolve() / calibration.pk


def upload_name(location: str) -> str:
    """Return the name in the folder: only the suffix is the sender's, and only a known one."""
    suffix = PurePosixPath(location).suffix.lower()
    return f"upload{suffix if suffix in FORMATS else '.unknown'}"


def calibration_compute(
    *, calibration_id: str, worker: str, task_id: str = "", link_of: Callable[[], SparkLink] = spark_link
) -> None:
    """Compute the calibration unless another worker does or it is over. May be called again at any time, anywhere."""
    job_compute(Calibration, key=calibration_id, worker=worker, task_id=task_id, work=partial(_compute, link_of))


def result_of(outcome: Calibrated) -> dict[str, Any]:
    """Return the outcome as plain data; its keys are those of ``Calibrated``, and ``scenario`` is a body."""
    return {**plain(outcome), "scenario": outcome.scenario.body()}


def _compute(link_of: Callable[[], SparkLink], calibration: Calibration, heartbeat: Heartbeat) -> None:
    def begin() -> Iterator[Calibrated]:
        yield _calibration(calibration, heartbeat, link_of()).run()

    folder = calibration_folder(calibration=calibration)
    try:
        outcome = next(patiently(calibration, heartbeat, begin))
    finally:
        for part in WRITTEN:
            shutil.rmtree(folder / part, ignore_errors=True)
    changes = {"result": result_of(outcome), "validated": outcome.validated, "progress": {"fraction": 1.0}}
    job_end(calibration, to=RunStatus.SUCCEEDED, **changes)


def _calibration(calibration: Calibration, heartbeat: Heartbeat, link: SparkLink) -> calibrate.Calibration:
    job_touch(calibration, spark_session=link.session_id)

    def tell(step: str) -> None:
        job_touch(calibration, progress={"step": step, "fraction": STEPS.index(step) / len(STEPS)})

    folder = calibration_folder(calibration=calibration)
    folder.mkdir(parents=True, exist_ok=True)
    return calibrate.Calibration(
        link=link,
        source=calibration_source(calibration=calibration),
        scratch=f"file://{folder}",
        name=calibration.name,
        tag=spark_tag(calibration),
        base=parse(calibration.base.spec) if calibration.base else None,
        tell=tell,
        should_stop=heartbeat.must_stop,
    )


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
    Raises Conflict for an upload, and where somebody else was first."""
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
