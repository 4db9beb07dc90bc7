"""Computing a calibration: claim it, read and fit on Spark, predict in this process, store what came out.

The same claim, heartbeat and endings as for runs. Nothing is kept between two attempts: the second begins anew.
"""

import json
import logging
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from typing import Any

from pydantic_core import to_json

from planner.jobs.calibration_claims import (
    calibration_cancelled,
    calibration_claim,
    calibration_fail,
    calibration_finish,
    calibration_folder,
    calibration_source,
    calibration_touch,
)
from planner.jobs.endings import Claimed, carry_out
from planner.jobs.heartbeat import Heartbeat
from planner.jobs.spark_session import patiently, spark_link, spark_tag
from planner.models import Calibration
from simulations.pipeline.spark.session import SparkLink
from simulations.pipeline.telemetry import calibrate
from simulations.pipeline.telemetry.calibrate import STEPS, WRITTEN, Calibrated
from simulations.pipeline.telemetry.fitting.fit import QueueFit
from simulations.scenario.spec import parse

logger = logging.getLogger(__name__)


def calibration_compute(
    *, calibration_id: str, worker: str, task_id: str = "", link_of: Callable[[], SparkLink] = spark_link
) -> None:
    """Compute the calibration unless another worker does or it is over. May be called again at any time, anywhere."""
    found = calibration_claim(calibration_id=calibration_id, worker=worker, task_id=task_id)
    if found is None:
        logger.info("calibration %s has nothing to do", calibration_id)
        return
    logger.info("calibration %s attempt %d begins", found.pk, found.attempt)
    claimed = Claimed(
        renew=partial(calibration_touch, calibration=found),
        fail=lambda error: calibration_fail(calibration=found, error=error),
        cancelled=partial(calibration_cancelled, calibration=found),
    )
    carry_out(found, claimed, partial(_compute, found, link_of))


def result_of(outcome: Calibrated) -> dict[str, Any]:
    """Return the outcome as plain data; its keys are those of ``Calibrated``, and ``scenario`` is a body."""
    plain = asdict(outcome)
    plain["scenario"] = outcome.scenario.body()
    plain["quarantine"]["sentence"] = outcome.quarantine.sentence
    for fit, body in zip(outcome.queues, plain["queues"], strict=True):
        if isinstance(fit, QueueFit):
            body["service"]["goodness"] = fit.service.goodness
    for check, body in zip(outcome.checks, plain["checks"], strict=True):
        body["deviation"] = check.deviation
    found: dict[str, Any] = json.loads(to_json(plain, inf_nan_mode="null"))
    return found


def _compute(calibration: Calibration, link_of: Callable[[], SparkLink], heartbeat: Heartbeat) -> None:
    def begin() -> Iterator[Calibrated]:
        yield _asked(calibration, heartbeat, link_of()).run()

    folder = calibration_folder(calibration=calibration)
    try:
        outcome = next(patiently(calibration, heartbeat, begin))
    finally:
        for part in WRITTEN:
            shutil.rmtree(folder / part, ignore_errors=True)
    calibration_finish(calibration=calibration, result=result_of(outcome))


def _asked(calibration: Calibration, heartbeat: Heartbeat, link: SparkLink) -> calibrate.Calibration:
    calibration_touch(calibration=calibration, spark_session=link.session_id)

    def tell(step: str) -> None:
        progress = {"step": step, "fraction": STEPS.index(step) / len(STEPS)}
        calibration_touch(calibration=calibration, progress=progress)

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
