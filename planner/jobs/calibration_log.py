"""Where the log of a calibration is: an upload in its own folder, or a location that this installation allows."""

from dataclasses import replace
from pathlib import Path, PurePosixPath

from django.conf import settings

from planner.models import Calibration
from simulations.declarations.problems import InvalidInput, problem
from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused
from simulations.pipeline.telemetry.reading.raw import CHANGED
from simulations.pipeline.telemetry.reading.sources import FORMATS, Source, allowed_source


def calibration_source(*, calibration: Calibration) -> Source:
    """Return where the log is; raises InvalidInput when this installation does not allow it (any more)."""
    folder = calibration_folder(calibration=calibration)
    location, roots = calibration.location, settings.ENVIRONMENT.telemetry_roots
    options = {CHANGED: f"{calibration.since:%Y-%m-%dT%H:%M:%S}"} if calibration.since else {}
    if calibration.uploaded:
        upload = folder / upload_name(location)
        if not upload.exists():
            message = "the uploaded log is no longer kept (RETENTION_DAYS); send it again"
            raise InvalidInput([problem(("file",), message)])
        location, roots = str(upload), (str(folder),)
    try:
        return replace(allowed_source(location, roots), options=options)
    except TelemetryRefused as error:
        raise InvalidInput([problem(("location",), str(error), value=calibration.location)]) from error


def calibration_folder(*, calibration: Calibration) -> Path:
    """Return the calibration's own folder, which Spark may write."""
    store: Path = settings.ENVIRONMENT.store
    return store.resolve() / calibration.pk


def upload_name(location: str) -> str:
    """Return the name in the folder: only the suffix is the sender's, and only a known one."""
    suffix = PurePosixPath(location).suffix.lower()
    return f"upload{suffix if suffix in FORMATS else '.unknown'}"
