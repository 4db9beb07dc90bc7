"""Every job ends in exactly one way, whatever happens while it is computed."""

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from planner.audit import audit
from planner.errors import ClaimLost
from planner.jobs.heartbeat import Heartbeat
from planner.jobs.leases import MAX_ATTEMPTS, workers_died
from planner.jobs.log_excerpts import excerpt
from planner.jobs.pausing import job_paused
from planner.jobs.spark_session import interrupt_orphan
from planner.models import JOB_ERROR, Job, RunStatus
from simulations.declarations.problems import InvalidInput
from simulations.pipeline.spark.executors import Cancelled, Paused
from simulations.pipeline.spark.session import SparkUnavailable
from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused
from simulations.pipeline.work import PointFailed

CODES: tuple[tuple[type[Exception], str], ...] = (
    (InvalidInput, "invalid_input"),
    (TelemetryRefused, "telemetry_refused"),
    (PointFailed, "point_failed"),
)
"""Errors that say themselves what is wrong."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Claimed:
    """What the holder of a claim says about its job; each call raises ClaimLost when another worker has the job."""

    renew: Callable[[], RunStatus]
    fail: Callable[[Mapping[str, Any]], Any]
    cancelled: Callable[[], Any]


def carry_out(job: Job, claimed: Claimed, work: Callable[[Heartbeat], None]) -> None:
    """Do the ``work`` of a claimed job under its heartbeat; end the job where the work did not end it."""
    with suppress(ClaimLost), Heartbeat(job.pk, claimed.renew) as heartbeat:
        _bring_to_its_end(job, claimed, lambda: _after_its_orphan(job, claimed, lambda: work(heartbeat)))


def _after_its_orphan(job: Job, claimed: Claimed, work: Callable[[], None]) -> None:
    """Stop what an earlier worker left behind; then work, unless that was all there was to do."""
    interrupt_orphan(job)
    if job.status == RunStatus.CANCELLING:
        claimed.cancelled()
    elif job.status == RunStatus.PAUSING:
        raise Paused
    elif job.attempt > MAX_ATTEMPTS:
        claimed.fail(workers_died(job))
    else:
        work()


def _bring_to_its_end(job: Job, claimed: Claimed, work: Callable[[], None]) -> None:
    fail = claimed.fail
    try:
        work()
    except Cancelled:
        # The work has confirmed that nothing runs any more. A lost claim stops it too, and then raises here.
        claimed.cancelled()
    except Paused:
        status = job_paused(type(job), key=job.pk, claim=job.claim_token)
        logger.info("%s gave its worker back and is %s", job.pk, status)
    except ClaimLost:
        logger.warning("%s was taken over by another worker", job.pk)
        raise
    except SparkUnavailable as error:
        fail({"code": "spark_unavailable", "message": f"{error}; try again when Spark is back"})
    except tuple(kind for kind, _ in CODES) as error:
        code = next(code for kind, code in CODES if isinstance(error, kind))
        fail({"code": code, "message": str(error)})
    except Exception as error:
        number = uuid4().hex[:12]
        logger.exception("%s failed, error %s", job.pk, number)
        fail({"code": "internal", "message": f"Sluice failed; report the number {number}", "id": number})
        audit(actor=None, action=JOB_ERROR, target=job.pk, number=number, log=excerpt(error))
