"""Experiments and what they say so far: the answer is worked out from the points, whole or partial."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from planner.answers.summaries import StoredPoint
from planner.errors import NotFound
from planner.models import Run, RunKind, ScenarioVersion
from planner.selectors.owned import Person
from planner.selectors.results import run_points
from planner.selectors.runs import run_get
from simulations.analysis.estimates.summary import PointSummary
from simulations.experiment.questions import Question, stored_question
from simulations.scenario.spec import ScenarioSpec


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
    """The user's experiments, newest first, each with its version and scenario."""
    rows = Run.objects.filter(owner_id=user.pk).exclude(kind=RunKind.RUN)
    return rows.select_related("version__scenario", "repeats").order_by("-created_at", "-id")


def experiments_newest(*, version: ScenarioVersion) -> dict[str, Run]:
    """The newest experiment of each kind about a version, by kind."""
    rows = Run.objects.filter(version=version).exclude(kind=RunKind.RUN).order_by("created_at", "pk")
    return {run.kind: run for run in rows.select_related("version__scenario", "repeats")}


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
