"""What a worker tells about the calibration it computes, and where the log is that it reads."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from django.conf import settings

from planner.jobs.leases import job_claim, job_end, job_touch, jobs_reap
from planner.models import Calibration, RunStatus
from simulations.declarations.problems import InvalidInput, problem
from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused
from simulations.pipeline.telemetry.reading.sources import FORMATS, Source, allowed_source


def calibration_source(*, calibration: Calibration) -> Source:
    """Return where the log is; raises InvalidInput when this installation does not allow it (any more)."""
    folder = calibration_folder(calibration=calibration)
    location, roots = calibration.location, settings.ENVIRONMENT.telemetry_roots
    if calibration.uploaded:
        kept = folder / upload_name(location)
        if not kept.exists():
            raise InvalidInput(
                [problem(("file",), "the uploaded log is no longer kept (RETENTION_DAYS); send it again")]
            )
        location, roots = str(kept), (str(folder),)
    try:
        source = allowed_source(location, roots)
        return replace(source, name=PurePosixPath(calibration.location).stem)
    except TelemetryRefused as error:
        raise InvalidInput([problem(("location",), str(error), value=calibration.location)]) from error


def calibration_folder(*, calibration: Calibration) -> Path:
    """Return the calibration's own folder, which Spark may write."""
    store: Path = settings.ENVIRONMENT.store
    return store.resolve() / calibration.pk


def calibration_claim(*, calibration_id: str, worker: str, task_id: str = "") -> Calibration | None:
    """``job_claim`` of a calibration."""
    return job_claim(Calibration, key=calibration_id, worker=worker, task_id=task_id)


def calibration_touch(*, calibration: Calibration, **changes: Any) -> RunStatus:
    """Renew the lease, with changes of progress or spark_session; raises ClaimLost."""
    return job_touch(Calibration, key=calibration.pk, claim=calibration.claim_token, **changes)


def calibration_finish(*, calibration: Calibration, result: Mapping[str, Any]) -> RunStatus:
    """End a calibration with its result, which says whether it is validated."""
    changes = {"result": dict(result), "validated": bool(result["validated"]), "progress": {"fraction": 1.0}}
    return _end(calibration, RunStatus.SUCCEEDED, **changes)


def calibration_fail(*, calibration: Calibration, error: Mapping[str, Any]) -> RunStatus:
    """End a calibration that cannot be computed."""
    return _end(calibration, RunStatus.FAILED, error=dict(error))


def calibration_cancelled(*, calibration: Calibration) -> RunStatus:
    """End a calibration after its Spark job has been stopped."""
    return _end(calibration, RunStatus.CANCELLED)


def calibrations_reap() -> list[str]:
    """``jobs_reap`` of the calibrations."""
    return jobs_reap(Calibration)


def _end(calibration: Calibration, to: RunStatus, **changes: Any) -> RunStatus:
    return job_end(Calibration, key=calibration.pk, claim=calibration.claim_token, to=to, **changes)


def upload_name(location: str) -> str:
    """The name in the folder: only the suffix is the sender's, and only a known one."""
    suffix = PurePosixPath(location).suffix.lower()
    return f"upload{suffix if suffix in FORMATS else '.unknown'}"
