"""Computing a run: drive its rounds and store what they say.

The claim in the database, not the broker's message, decides who computes. A run whose worker died is claimed again: its
orphaned Spark job is interrupted first, and what the archive holds of it is not computed twice.

Neither are replications that another run of the same owner computed: a point's key says everything that decides its
replications, so that two experiments that touch the same setting, or an experiment and a run, share them. A forced run
shares nothing: it is there to compare.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from django.conf import settings

from planner.answers.summaries import summary_read
from planner.answers.values import turn_body
from planner.jobs.endings import job_compute
from planner.jobs.leases import Heartbeat, job_touch
from planner.jobs.results import run_finish, run_points_save
from planner.jobs.spark_session import patiently, spark_executor
from planner.models import PointResult, Run, RunKind
from simulations.analysis.estimates.summary import PointSummary
from simulations.experiment import Point, expansion, replication_key, with_overrides
from simulations.experiment.questions import stored_question
from simulations.experiment.turns import found_turn, turn_of
from simulations.pipeline.archive.store import Archive, archive_of, borrowed
from simulations.pipeline.experiments import run_question
from simulations.pipeline.rounds import Round, run_rounds
from simulations.pipeline.spark.executors import Executor

ExecutorOf = Callable[[Run], Executor]
"""Makes the executor of a claimed run; raises SparkUnavailable."""

logger = logging.getLogger(__name__)


def run_compute(*, run_id: str, worker: str, task_id: str = "", executor_of: ExecutorOf = spark_executor) -> bool:
    """Compute the run unless another worker does or it is over; return whether it was computed here.

    May be called again at any time, anywhere.
    """
    return job_compute(Run, key=run_id, worker=worker, task_id=task_id, work=partial(_compute, executor_of))


def _compute(executor_of: ExecutorOf, run: Run, heartbeat: Heartbeat) -> None:
    began = time.monotonic()
    archive = archive_of(settings.ENVIRONMENT.store, run.pk, run.content_hash)
    if run.kind == RunKind.RUN:
        run.expansion = expansion(run.parsed, heartbeat.look)
    invalid = run.expansion.invalid
    if invalid:
        run_points_save(run=run, summaries=invalid, partial=False)
    archive.note(invalid)
    points = 0
    for step in patiently(run, heartbeat, lambda: _begun(run, archive, executor_of(run), heartbeat)):
        _save(run, step)
        archive.note(step.decided)
        points = step.progress.points + len(invalid)
    _search_turn(executor_of, run, heartbeat)
    archive.finish()
    timings = {"total": round(time.monotonic() - began, 3)}
    run_finish(run=run, store_path=run.pk, points=points, timings=timings)
    # The owner has the answer; where this fails, who asks for a table makes them.
    try:
        archive.settle()
        if run.kind == RunKind.RUN:
            archive.write_tables(run.expansion.points)
    except OSError as error:
        logger.warning("the tables of run %s cannot be written: %s", run.pk, error)


def _search_turn(executor_of: ExecutorOf, run: Run, heartbeat: Heartbeat) -> None:
    """Keep in the headline where the first objective turns, searched for between two values of the sweep.

    Nothing is kept where nothing turns and where the time is limited: then the sweep alone tells it.
    """
    spec = run.parsed
    if run.kind != RunKind.RUN or len(spec.sweep) != 1 or not spec.objectives or spec.run.max_time is not None:
        return
    stop, pause = heartbeat.must_stop, heartbeat.must_pause

    def rounds(points: Sequence[Point]) -> Iterator[Round]:
        return run_rounds(points, points[0].spec.run, executor_of(run), should_stop=stop, should_pause=pause)

    def simulate(points: Sequence[Point]) -> Iterator[PointSummary]:
        for step in patiently(run, heartbeat, partial(rounds, points)):
            yield from step.decided

    summaries = [*map(summary_read, run.points.order_by("index").values_list("summary", flat=True))]
    if turn_of(spec, summaries):
        job_touch(run, headline={"turn": turn_body(spec, found_turn(spec, summaries, simulate))})


def _begun(run: Run, archive: Archive, executor: Executor, heartbeat: Heartbeat) -> Iterator[Round]:
    """The rounds of the scenario's own points, or of the experiment's question."""
    about: dict[str, Any] = {
        "should_stop": heartbeat.must_stop,
        "should_pause": heartbeat.must_pause,
        "archive": archive,
    }
    if run.kind == RunKind.RUN:
        spent = float(run.progress.get("spent_s", 0.0))
        return run_rounds(run.expansion.points, run.parsed.run, executor, spent=spent, **about)
    question = stored_question(run.question)
    return run_question(question, run.parsed, executor, known=partial(_known_rows, run), **about)


def _save(run: Run, step: Round) -> None:
    if step.decided:
        own = {point.index: point.spec for point in run.expansion.points}
        specs = {item.index: own.get(item.index) or with_overrides(run.asked, item.overrides) for item in step.decided}
        keys = {index: replication_key(spec) for index, spec in specs.items()}
        run_points_save(run=run, summaries=step.decided, partial=False, content_keys=keys)
    if step.open:
        run_points_save(run=run, summaries=step.open, partial=True)
    job_touch(run, progress={"round": step.number, **asdict(step.progress)})


def _known_rows(run: Run, points: Sequence[Point]) -> Iterator[Any]:
    """Yield the rows of ``points`` that other runs of the owner hold, as batches of ``REPLICATION``."""
    if run.forced:
        return
    wanted = {replication_key(point.spec): point.index for point in points}
    rows = (
        PointResult.objects.filter(run__owner_id=run.owner_id, content_key__in=wanted, partial=False)
        .exclude(run_id=run.pk)
        .order_by("content_key", "-updated_at")
        .values_list("content_key", "run_id", "run__content_hash", "index")
    )
    newest = {key: (run_id, content, index) for key, run_id, content, index in reversed(rows)}
    loans: dict[tuple[str, str], dict[int, int]] = {}
    for key, (run_id, content, index) in newest.items():
        loans.setdefault((run_id, content), {})[index] = wanted[key]
    for (run_id, content), places in loans.items():
        yield from borrowed(archive_of(settings.ENVIRONMENT.store, run_id, content), places)
