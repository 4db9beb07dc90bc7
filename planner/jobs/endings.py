"""Computing a claimed job to its end: it ends in exactly one way, whatever happens on the way."""

import logging
import re
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar
from uuid import uuid4

from django.conf import settings
from pydantic import SecretStr
from structlog.contextvars import bound_contextvars

from planner.errors import ClaimLost
from planner.jobs.leases import MAX_ATTEMPTS, Heartbeat, job_claim, job_end, job_paused, workers_died
from planner.jobs.spark_session import interrupt_orphan
from planner.models import JOB_ERROR, Job, RunStatus, audit
from planner.settings.environment import BASE_DIR
from simulations.declarations.problems import InvalidInput
from simulations.pipeline.spark.executors import Cancelled, Paused
from simulations.pipeline.spark.session import SparkUnavailable
from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused
from simulations.pipeline.work import PointFailed

CODES: dict[type[Exception], str] = {
    InvalidInput: "invalid_input",
    TelemetryRefused: "telemetry_refused",
    PointFailed: "point_failed",
}
"""Errors whose text says what is wrong."""
FRAMES = 12
LONGEST = 500
HIDDEN = "•••"
_PASSWORD = re.compile(r"://[^/\s:@]*:[^/\s@]+@")
J = TypeVar("J", bound=Job)

logger = logging.getLogger(__name__)


def job_compute(kind: type[J], *, key: str, worker: str, task_id: str, work: Callable[[J, Heartbeat], None]) -> bool:
    """Claim a job and do its ``work`` under a heartbeat; end the job where the work did not end it. Returns False,
    having done nothing, when another worker has the job or it is over."""
    job = job_claim(kind, key=key, worker=worker, task_id=task_id)
    if job is None:
        logger.info("%s has nothing to do", key)
        return False
    with bound_contextvars(job_id=job.pk, user_id=job.owner_id), suppress(ClaimLost), Heartbeat(job) as heartbeat:
        logger.info("%s attempt %d begins", job.pk, job.attempt)
        _bring_to_its_end(job, lambda: _after_its_orphan(job, lambda: work(job, heartbeat)))
    return True


def _after_its_orphan(job: Job, work: Callable[[], None]) -> None:
    """Stop what an earlier worker left behind; then work, unless that was all there was to do."""
    interrupt_orphan(job)
    if job.status == RunStatus.CANCELLING:
        job_end(job, to=RunStatus.CANCELLED)
    elif job.status == RunStatus.PAUSING:
        raise Paused
    elif job.attempt > MAX_ATTEMPTS:
        job_end(job, to=RunStatus.FAILED, error=workers_died(job))
    else:
        work()


def _bring_to_its_end(job: Job, work: Callable[[], None]) -> None:
    fail = partial(job_end, job, to=RunStatus.FAILED)
    try:
        work()
    except Cancelled:
        # The work has confirmed that nothing runs any more. A lost claim stops it too, and then raises here.
        job_end(job, to=RunStatus.CANCELLED)
    except Paused:
        logger.info("%s gave its worker back and is %s", job.pk, job_paused(job))
    except SystemExit:
        # The worker is told to end, and the work has confirmed that nothing of it runs any more.
        logger.info("%s gave its worker back, which ends, and is %s", job.pk, job_paused(job))
        raise
    except ClaimLost:
        logger.warning("%s was taken over by another worker", job.pk)
        raise
    except SparkUnavailable as error:
        fail(error={"code": "spark_unavailable", "message": f"{error}; try again when Spark is back"})
    except tuple(CODES) as error:
        code = next(code for kind, code in CODES.items() if isinstance(error, kind))
        fail(error={"code": code, "message": str(error)})
    except Exception as error:
        number = uuid4().hex[:12]
        logger.exception("%s failed, error %s", job.pk, number)
        fail(error={"code": "internal", "message": f"Sluice failed; report the number {number}", "id": number})
        audit(actor=None, action=JOB_ERROR, row=job, number=number, log=excerpt(error))


def excerpt(error: BaseException) -> list[str]:
    """Return where the error came from, the last calls only, and its text without secrets, for the audit record."""
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    calls = [f"{_shortened(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames]
    return [*calls, f"{type(error).__name__}: {without_secrets(str(error))[:LONGEST]}"]


def without_secrets(text: str) -> str:
    """Return the text with the installation's secrets and the passwords of addresses hidden."""
    given = settings.ENVIRONMENT.model_dump().values()
    secrets = [settings.SECRET_KEY, *(value.get_secret_value() for value in given if isinstance(value, SecretStr))]
    for secret in filter(None, secrets):
        text = text.replace(secret, HIDDEN)
    return _PASSWORD.sub(f"://{HIDDEN}@", text)


def _shortened(file: str) -> str:
    """The path below the project, or below the folder of packages: where those lie is nobody's business."""
    return file.removeprefix(f"{BASE_DIR}/").rpartition("site-packages/")[2]
