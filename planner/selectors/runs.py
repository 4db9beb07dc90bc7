"""Runs and experiments: where they stand, and what an experiment says so far."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q, QuerySet

from planner.answers.summaries import StoredPoint
from planner.errors import NotFound
from planner.jobs.turns import Place, places
from planner.models import JOB_ERROR, AuditEvent, PointResult, Run, RunKind, RunStatus, Scenario, ScenarioVersion
from planner.selectors.owned import Person, owned, visible
from planner.selectors.results import run_points
from simulations.analysis.estimates.summary import PointSummary
from simulations.experiment.questions import Question, stored_question
from simulations.scenario.spec import ScenarioSpec

RUNS = Run.objects.select_related("version__scenario", "repeats")
"""Runs with what every answer about one needs."""


@dataclass(frozen=True)
class PointCount:
    """Points of a run that have an answer, and how many of those answers are not final."""

    answered: int = 0
    partial: int = 0


def runs_list(*, user: Person, status: str = "") -> QuerySet[Run]:
    """The runs that the user sees, newest first, each with its version and scenario."""
    rows = visible(RUNS, user=user)
    return rows.filter(status=status) if status else rows


def runs_counted(*, user: Person) -> Mapping[str, int]:
    """How many runs the user sees in each status, in one query."""
    rows = visible(Run.objects.order_by(), user=user).values_list("status").annotate(Count("pk"))
    return {**dict.fromkeys(RunStatus.values, 0), **dict(rows)}


def runs_under_way() -> Sequence[tuple[str, int, datetime]]:
    """Status, number and oldest start of everybody's runs and experiments that are not over; they name nobody."""
    rows = Run.objects.order_by("status").filter(finished_at=None).values_list("status")
    return list(rows.annotate(Count("pk"), Min("created_at")))


def runs_of_scenario(*, scenario: Scenario) -> QuerySet[Run]:
    """All runs of all versions of a scenario, newest first, experiments not among them."""
    return RUNS.filter(version__scenario=scenario, kind=RunKind.RUN)


def run_get(*, user: Person, run_id: str) -> Run:
    """One run with its version and scenario; raises NotFound."""
    return owned(RUNS, user=user, key=run_id)


def run_place(*, run: Run) -> Place | None:
    """Where the run stands in the line of all people's runs, and when its turn comes; None unless it waits."""
    return places([run]).get(run.pk)


def job_log(*, user: Person, key: str) -> tuple[str, ...]:
    """What the log said when a job failed last by a defect of ours; nothing for who may not read the audit record."""
    if not user.has_perm("planner.view_auditevent"):
        return ()
    event = AuditEvent.objects.filter(target=key, action=JOB_ERROR).first()
    return tuple(event.details["log"]) if event else ()


def points_counted(*, run_ids: Collection[str]) -> Mapping[str, PointCount]:
    """How far each run's points are, in one query; runs without any answer are left out."""
    rows = PointResult.objects.filter(run_id__in=run_ids).order_by().values_list("run_id")
    counted = rows.annotate(answered=Count("pk"), partial=Count("pk", filter=Q(partial=True)))
    return {run_id: PointCount(answered, partial) for run_id, answered, partial in counted}


@dataclass(frozen=True)
class Experiment:
    """A run with its question. ``spec`` is the scenario as the question simulates it, without overrides."""

    run: Run
    question: Question
    spec: ScenarioSpec
    answers: Mapping[int, PointSummary]
    partial: frozenset[int]
    """Points that still get replications."""


def experiments_list(*, user: Person) -> QuerySet[Run]:
    """The experiments that the user sees, newest first, each with its version and scenario."""
    return visible(RUNS, user=user).exclude(kind=RunKind.RUN)


def experiments_newest(*, version: ScenarioVersion) -> dict[str, Run]:
    """The newest experiment of each kind about a version, by kind."""
    rows = RUNS.filter(version=version).exclude(kind=RunKind.RUN).order_by("created_at", "pk")
    return {run.kind: run for run in rows}


def experiment_get(*, user: Person, experiment_id: str) -> Run:
    """One experiment with its version and scenario; raises NotFound, also for the id of a plain run."""
    run = run_get(user=user, run_id=experiment_id)
    if run.kind == RunKind.RUN:
        raise NotFound("experiment", experiment_id)
    return run


def experiment_read(*, run: Run, points: Sequence[StoredPoint] | None = None) -> Experiment:
    """The experiment with all its points that have an answer so far, or with some of them."""
    points = run_points(run=run) if points is None else points
    return Experiment(
        run=run,
        question=stored_question(run.question),
        spec=run.asked,
        answers={point.index: point.summary for point in points},
        partial=frozenset(point.index for point in points if point.partial),
    )
