"""Computing a run: drive its rounds, store what they say, its end, its headline and its scenario's verdict.

The claim in the database, not the broker's message, decides who computes. A run whose worker died is claimed again: its
orphaned Spark job is interrupted first, and what the archive holds of it is not computed twice.

Neither are replications that another run of the same owner computed: a point's key says everything that decides its
replications, so that two experiments that touch the same setting, or an experiment and a run, share them. A forced run
shares nothing: it is there to compare.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from planner.answers.choice import run_headline, verdict_word
from planner.answers.summaries import result_hash, summary_plain, summary_read
from planner.answers.values import turn_body
from planner.jobs.endings import job_compute
from planner.jobs.leases import Heartbeat, job_end, job_touch
from planner.jobs.spark_session import patiently, spark_executor
from planner.models import PointResult, Run, RunKind, RunStatus, Scenario
from simulations.analysis.estimates.summary import PointSummary
from simulations.experiment import Point, expansion, replication_key, with_overrides
from simulations.experiment.questions import stored_question
from simulations.experiment.turns import found_turn, turn_of
from simulations.pipeline.archive.store import Archive, borrowed, run_folder
from simulations.pipeline.experiments import run_question
from simulations.pipeline.rounds import Round, run_rounds
from simulations.pipeline.spark.executors import Executor
from simulations.scenario.runsettings import Objective

ExecutorOf = Callable[[Run], Executor]
"""Makes the executor of a claimed run; raises SparkUnavailable."""

logger = logging.getLogger(__name__)


def run_compute(*, run_id: str, worker: str, task_id: str = "", executor_of: ExecutorOf = spark_executor) -> bool:
    """Compute the run unless another worker does or it is over; return whether it was computed here. May be called
    again at any time, anywhere."""
    return job_compute(Run, key=run_id, worker=worker, task_id=task_id, work=partial(_compute, executor_of))


def _compute(executor_of: ExecutorOf, run: Run, heartbeat: Heartbeat) -> None:
    began = time.monotonic()
    archive = Archive(run_folder(settings.ENVIRONMENT.store, run.pk), run.content_hash)
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
    run_finish(run=run, points=points, timings=timings)
    # The owner has the answer; where this fails, who asks for a table makes them.
    try:
        archive.settle()
        if run.kind == RunKind.RUN:
            archive.write_tables(run.expansion.points)
    except OSError as error:
        logger.warning("the tables of run %s cannot be written: %s", run.pk, error)


def _search_turn(executor_of: ExecutorOf, run: Run, heartbeat: Heartbeat) -> None:
    """Keep in the headline where the first objective turns, searched for between two values of the sweep. Nothing is
    kept where nothing turns and where the time is limited: then the sweep alone tells it."""
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
    fraction = min(step.progress.fraction, 0.99)  # the end is said by ``run_finish``
    job_touch(run, progress={"round": step.number, **asdict(step.progress), "fraction": fraction})


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
        yield from borrowed(Archive(run_folder(settings.ENVIRONMENT.store, run_id), content), places)


@transaction.atomic
def run_points_save(
    *, run: Run, summaries: Sequence[PointSummary], partial: bool, content_keys: Mapping[int, str] | None = None
) -> None:
    """Store the answers of points of one round in one statement; points that are stored already are replaced.

    ``run`` holds the worker's claim; raises ClaimLost. ``content_keys``: point -> ``replication_key`` of its scenario,
    by which later experiments find the replications.
    """
    job_touch(run)
    now = timezone.now()
    PointResult.objects.bulk_create(
        [
            PointResult(
                run_id=run.pk,
                index=summary.index,
                overrides=dict(summary.overrides),
                status=summary.status,
                summary=summary_plain(summary),
                partial=partial,
                content_key=(content_keys or {}).get(summary.index, ""),
                updated_at=now,
            )
            for summary in summaries
        ],
        update_conflicts=True,
        unique_fields=["run", "index"],
        update_fields=["overrides", "status", "summary", "partial", "content_key", "updated_at"],
        batch_size=200,
    )


@transaction.atomic
def run_finish(*, run: Run, timings: Mapping[str, float] | None = None, points: int | None = None) -> RunStatus:
    """End a run whose points are all stored; the result hash is taken from them.

    ``points``: how many an experiment turned out to need; a plain run has those of its plan. Returns ``succeeded``,
    or ``cancelled`` when the owner asked for that in the meantime.
    Raises ClaimLost, and ValueError when points are missing.
    """
    job_touch(run)
    stored = Run.objects.select_related("version").get(pk=run.pk)
    summaries = [summary_read(plain) for plain in stored.points.values_list("summary", flat=True)]
    planned = stored.plan["points"] if points is None else points
    if len(summaries) != planned:
        raise ValueError(f"{run.pk} has {len(summaries)} of {planned} points")
    stored.points.update(partial=False)
    status = job_end(
        run,
        to=RunStatus.SUCCEEDED,
        progress={**stored.progress, "fraction": 1.0, "eta_s": 0.0},
        result_hash=result_hash(summaries),
        store_path=run.pk,
        timings=dict(timings or {}),
        plan={**stored.plan, "points": planned},
        headline=stored.headline | run_headline(stored, summaries),
    )
    if status == RunStatus.SUCCEEDED:
        scenario_judge(scenario_id=stored.version.scenario_id)
    return status


def scenario_judge(*, scenario_id: str) -> None:
    """Keep with the scenario the verdict of its newest answer, so that lists can be filtered by it. Call it inside the
    transaction of what may change the answer or the objectives."""
    scenario = Scenario.objects.select_for_update().select_related(None).get(pk=scenario_id)
    verdict = _verdict(scenario)
    if verdict != scenario.verdict:
        Scenario.objects.filter(pk=scenario_id).update(verdict=verdict)


def _verdict(scenario: Scenario) -> str:
    # Reading the rest of a large scenario would take seconds, in which no other process could write.
    objectives = [Objective.model_validate(item) for item in scenario.version.spec["objectives"]]
    done = Run.objects.filter(version__scenario=scenario, kind=RunKind.RUN, status=RunStatus.SUCCEEDED)
    newest = done.order_by("-created_at", "-pk").values_list("pk", "headline").first() if objectives else None
    if newest is None or not newest[1]:
        return ""
    run_id, headline = newest
    stored = PointResult.objects.get(run_id=run_id, index=headline["index"])
    return verdict_word(objectives, summary_read(stored.summary))
