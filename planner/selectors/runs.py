"""Runs and experiments: where they stand, what an experiment says so far, and what can be compared.

Compared are points of runs, and versions of scenarios with their newest finished run.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_

from django.db.models import Count, Min, Q, QuerySet

from planner import models
from planner.answers.summaries import StoredPoint
from planner.errors import NotFound
from planner.jobs.turns import Place, places
from planner.models.team import beside
from planner.selectors.owned import Person, owned_by, visible
from planner.selectors.results import own_point, run_point, run_points
from planner.selectors.scenarios import scenario_get, version_get
from simulations.analysis.estimates.summary import PointSummary
from simulations.experiment import with_overrides
from simulations.experiment.questions import Question, stored_question
from simulations.scenario.spec import ScenarioSpec

RUNS = models.Run.objects.select_related("version__scenario", "repeats")
"""Runs with what every answer about one needs."""
run_get = owned_by(RUNS, "run_id")
_KEY = re.compile(r"((?:run|scn)_[a-z0-9]+)(?::(\d{1,9}))?")
_UNDER_WAY = (*models.ACTIVE, models.RunStatus.CANCELLING)
"""Rank of a run that does not answer for a version."""


def runs_list(*, user: Person, **which: str) -> QuerySet[models.Run]:
    """The runs that the user sees, newest first, each with its version and scenario; ``which`` narrows them."""
    return visible(RUNS.filter(**which), user=user)


def runs_counted(*, user: Person) -> Mapping[str, int]:
    """How many runs the user sees in each status but success, which most have."""
    counted = [status for status in models.RunStatus if status != models.RunStatus.SUCCEEDED]
    rows = visible(models.Run.objects.order_by().filter(status__in=counted), user=user).values_list("status")
    return {**dict.fromkeys(counted, 0), **dict(rows.annotate(Count("pk")))}


def runs_under_way() -> Sequence[tuple[str, int, datetime]]:
    """Status, number and oldest start of everybody's runs and experiments that are not over; they name nobody."""
    going = [status for status in models.RunStatus if not status.final]
    rows = models.Run.objects.order_by("status").filter(status__in=going).values_list("status")
    return list(rows.annotate(Count("pk"), Min("created_at")))


def runs_of_scenario(*, scenario: models.Scenario) -> QuerySet[models.Run]:
    """All runs of all versions of a scenario, newest first, experiments not among them."""
    return RUNS.filter(version__scenario=scenario, kind=models.RunKind.RUN)


def run_place(*, run: models.Run) -> Place | None:
    """Where the run stands in the line of all people's runs, and when its turn comes; None unless it waits."""
    return places([run]).get(run.pk)


def job_log(*, user: Person, key: str) -> tuple[str, ...]:
    """What the log said when a job failed last by a defect of ours; nothing for who may not read the audit record."""
    if not user.has_perm("planner.view_auditevent"):
        return ()
    event = models.AuditEvent.objects.filter(target=key, action=models.JOB_ERROR).first()
    return tuple(event.details["log"]) if event else ()


def points_counted(*, run_ids: Collection[str]) -> Mapping[str, tuple[int, int]]:
    """How many points of each run have an answer, and how many of those are not final; runs without any are left out.
    In one query."""
    rows = models.PointResult.objects.filter(run_id__in=run_ids).order_by().values_list("run_id")
    counted = rows.annotate(answered=Count("pk"), partial=Count("pk", filter=Q(partial=True)))
    return {run_id: (answered, partial) for run_id, answered, partial in counted}


@dataclass(frozen=True)
class Experiment:
    """A run with its question. ``spec`` is the scenario as the question simulates it, without overrides."""

    run: models.Run
    question: Question
    spec: ScenarioSpec
    answers: Mapping[int, PointSummary]
    partial: frozenset[int]
    """Points that still get replications."""


def experiments_list(*, user: Person) -> QuerySet[models.Run]:
    """The experiments that the user sees, newest first, each with its version and scenario."""
    return visible(RUNS, user=user).exclude(kind=models.RunKind.RUN)


def experiments_newest(*, version: models.ScenarioVersion) -> dict[str, models.Run]:
    """The newest experiment of each kind about a version, or about one of the same content, by kind."""
    same = {"version__scenario": version.scenario_id, "version__content_hash": version.content_hash}
    rows = RUNS.filter(**same).exclude(kind=models.RunKind.RUN).order_by("created_at", "pk")
    return {run.kind: run for run in rows}


def experiment_get(*, user: Person, experiment_id: str) -> models.Run:
    """One experiment with its version and scenario; raises NotFound, also for the id of a plain run."""
    run = run_get(user=user, run_id=experiment_id)
    if run.kind == models.RunKind.RUN:
        raise NotFound("experiment", experiment_id)
    return run


def experiment_read(*, run: models.Run, points: Sequence[StoredPoint] | None = None) -> Experiment:
    """The experiment with all its points that have an answer so far, or with some of them."""
    points = run_points(run=run) if points is None else points
    return Experiment(
        run=run,
        question=stored_question(run.question),
        spec=run.asked,
        answers={point.index: point.summary for point in points},
        partial=frozenset(point.index for point in points if point.partial),
    )


@dataclass(frozen=True)
class Subject:
    """One side of a comparison.

    Attributes:
        key: how it was asked for: ``run_…``, ``run_…:2`` (a point), ``scn_…`` or ``scn_…:7`` (a version).
        run: the run that answers, finished or under way; None when nothing of this content was run.
        point: its answer; None before there is a final one.
        spec: the scenario as simulated, the point's overrides applied, without a sweep.
    """

    key: str
    version: models.ScenarioVersion
    run: models.Run | None
    point: StoredPoint | None
    spec: ScenarioSpec


def subject_get(*, user: Person, key: str) -> Subject:
    """Return what ``key`` names; raises NotFound for anything that the user does not see."""
    match = _KEY.fullmatch(key)
    if match is None:
        raise NotFound("run or scenario", key)
    name, number = match[1], match[2]
    if name.startswith("run_"):
        run = run_get(user=user, run_id=name)
        return _subject(key, run.version, run, int(number) if number else None)
    scenario = scenario_get(user=user, scenario_id=name)
    version = version_get(scenario=scenario, number=int(number) if number else None)
    return _subject(key, version, newest_runs(versions=[version]).get(version.pk), None)


def newest_runs(*, versions: Collection[models.ScenarioVersion]) -> dict[str, models.Run]:
    """Return, by id of version, the run that a request to run it would be answered with, else its newest one. It is
    among the runs of the same owner or team. However many versions there are, it takes two queries."""
    hashes = {version.pk: version.parsed.content_hash() for version in versions}
    beside_them = (beside(version.scenario, models.Run.held_by) for version in versions)
    mine = models.Run.objects.filter(reduce(or_, beside_them, Q()), kind=models.RunKind.RUN)
    rows = mine.filter(Q(content_hash__in=hashes.values()) | Q(version__in=versions)).order_by("-created_at", "-pk")
    known = list(rows.only("version_id", "content_hash", "status"))
    answering = {pk: _answering(pk, content, known) for pk, content in hashes.items()}
    runs = mine.select_related("version__scenario").in_bulk(filter(None, answering.values()))
    return {pk: runs[run_id] for pk, run_id in answering.items() if run_id}


def _answering(version_id: str, content_hash: str, runs: Sequence[models.Run]) -> str:
    """The newest finished run of equal content, else of the version, else the one of equal content under way."""
    finished = [run for run in runs if run.status == models.RunStatus.SUCCEEDED]
    same = [run for run in finished if run.content_hash == content_hash]
    own = [run for run in finished if run.version_id == version_id]
    begun = [run for run in runs if run.status in _UNDER_WAY and run.content_hash == content_hash]
    return next((run.pk for run in (*same, *own, *begun)), "")


def _subject(key: str, version: models.ScenarioVersion, run: models.Run | None, index: int | None) -> Subject:
    spec = run.parsed if run else version.parsed
    point = None
    if run and run.status == models.RunStatus.SUCCEEDED:
        point = own_point(spec, run_points(run=run)) if index is None else run_point(run=run, index=index)
    return Subject(key, version, run, point, with_overrides(spec.unswept, point.overrides if point else {}))
