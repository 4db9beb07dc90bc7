"""Every job ends in exactly one way, whatever happens while it is computed."""

import logging
from collections.abc import Callable, Mapping
from typing import Any
from uuid import uuid4

from planner.errors import ClaimLost
from planner.models import Job
from simulations.pipeline.executors import Cancelled
from simulations.pipeline.session import SparkUnavailable
from simulations.pipeline.telemetry.columns import TelemetryRefused
from simulations.pipeline.work import PointFailed
from simulations.problems import InvalidInput

CODES: tuple[tuple[type[Exception], str], ...] = (
    (InvalidInput, "invalid_input"),
    (TelemetryRefused, "telemetry_refused"),
    (PointFailed, "point_failed"),
)
"""Errors that say themselves what is wrong."""

logger = logging.getLogger(__name__)


def bring_to_its_end(
    job: Job, work: Callable[[], None], *, fail: Callable[[Mapping[str, Any]], Any], cancelled: Callable[[], Any]
) -> None:
    """Do the ``work`` of a claimed job; end the job by ``cancelled`` or ``fail`` where the work did not end it.

    Raises ClaimLost when another worker has the job.
    """
    try:
        work()
    except Cancelled:
        # The work has confirmed that nothing runs any more. A lost claim stops it too, and then raises here.
        cancelled()
    except ClaimLost:
        logger.warning("%s was taken over by another worker", job.pk)
        raise
    except SparkUnavailable as error:
        fail({"code": "spark_unavailable", "message": f"{error}; try again when Spark is back"})
    except tuple(kind for kind, _ in CODES) as error:
        code = next(code for kind, code in CODES if isinstance(error, kind))
        fail({"code": code, "message": str(error)})
    except Exception:
        number = uuid4().hex[:12]
        logger.exception("%s failed, error %s", job.pk, number)
        fail({"code": "internal", "message": f"Sluice failed; report the number {number}", "id": number})
