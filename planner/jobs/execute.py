"""Computing a run: claim it, drive its rounds, store what they say, and end it in exactly one way.

The claim in the database, not the broker's message, decides who computes. A run whose worker died is claimed again: its
orphaned Spark job is interrupted first, and what the archive holds of it is not computed twice.
"""

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from typing import Any

from django.conf import settings

from planner.jobs.claims import (
    run_cancelled,
    run_claim,
    run_fail,
    run_finish,
    run_heartbeat,
    run_points_save,
    run_progress,
)
from planner.jobs.endings import Claimed, carry_out
from planner.jobs.heartbeat import Heartbeat
from planner.jobs.known_replications import content_keys, known_rows
from planner.jobs.spark_session import patiently, spark_executor
from planner.models import Run, RunKind
from simulations.experiment.questions import stored_question
from simulations.pipeline.archive.store import Archive, archive_of
from simulations.pipeline.experiments import run_question
from simulations.pipeline.rounds import Round, run_rounds
from simulations.pipeline.spark.executors import Executor

ExecutorOf = Callable[[Run], Executor]
"""Makes the executor of a claimed run; raises SparkUnavailable."""

logger = logging.getLogger(__name__)


def run_compute(*, run_id: str, worker: str, task_id: str = "", executor_of: ExecutorOf = spark_executor) -> None:
    """Compute the run unless another worker does or it is over. May be called again at any time, anywhere."""
    run = run_claim(run_id=run_id, worker=worker, task_id=task_id)
    if run is None:
        logger.info("run %s has nothing to do", run_id)
        return
    logger.info("run %s attempt %d begins", run.pk, run.attempt)
    about = {"run_id": run.pk, "claim": run.claim_token}
    claimed = Claimed(
        renew=partial(run_heartbeat, **about),
        fail=lambda error: run_fail(**about, error=error),
        cancelled=partial(run_cancelled, **about),
    )
    carry_out(run, claimed, partial(_compute, run, executor_of))


def _compute(run: Run, executor_of: ExecutorOf, heartbeat: Heartbeat) -> None:
    began = time.monotonic()
    archive = archive_of(settings.ENVIRONMENT.store, run.pk, run.content_hash)
    invalid = run.expansion.invalid
    if invalid:
        run_points_save(run_id=run.pk, claim=run.claim_token, summaries=invalid, partial=False)
    archive.note(invalid)
    points = 0
    for step in patiently(run, heartbeat, lambda: _begun(run, archive, executor_of(run), heartbeat)):
        _save(run, step)
        archive.note(step.decided)
        points = step.progress.points + len(invalid)
    archive.finish()
    run_finish(
        run_id=run.pk,
        claim=run.claim_token,
        store_path=run.pk,
        points=points,
        timings={"total": round(time.monotonic() - began, 3)},
    )
    _write_tables(run, archive)


def _write_tables(run: Run, archive: Archive) -> None:
    """Write the run's tables once its owner has the answer; where that fails, who asks for a table makes them."""
    if run.kind == RunKind.RUN:
        try:
            archive.write_tables(run.expansion.points)
        except OSError as error:
            logger.warning("the tables of run %s cannot be written: %s", run.pk, error)


def _begun(run: Run, archive: Archive, executor: Executor, heartbeat: Heartbeat) -> Iterator[Round]:
    """The rounds of the scenario's own points, or of the question that was asked about it."""
    stop, pause = heartbeat.must_stop, heartbeat.must_pause
    if run.kind == RunKind.RUN:
        points, spent = run.expansion.points, float(run.progress.get("spent_s", 0.0))
        return run_rounds(
            points, run.parsed.run, executor, should_stop=stop, should_pause=pause, archive=archive, spent=spent
        )
    question = stored_question(run.question)
    known = partial(known_rows, run)
    return run_question(
        question, run.parsed, executor, should_stop=stop, should_pause=pause, archive=archive, known=known
    )


def _save(run: Run, step: Round) -> None:
    about: dict[str, Any] = {"run_id": run.pk, "claim": run.claim_token}
    if step.decided:
        keys = content_keys(run, step.decided)
        run_points_save(**about, summaries=step.decided, partial=False, content_keys=keys)
    if step.open:
        run_points_save(**about, summaries=step.open, partial=True)
    run_progress(**about, progress={"round": step.number, **asdict(step.progress)})
