"""What can be compared: a point of a run, or a version of a scenario with its newest finished run."""

import re
from dataclasses import dataclass

from planner.answers.summaries import StoredPoint
from planner.errors import NotFound
from planner.models import ACTIVE, Run, RunKind, RunStatus, ScenarioVersion
from planner.selectors.owned import Person
from planner.selectors.results import own_point, run_point, run_points
from planner.selectors.runs import run_get
from planner.selectors.scenarios import scenario_get, version_get
from simulations.experiment import with_overrides
from simulations.scenario import ScenarioSpec

_KEY = re.compile(r"((?:run|scn)_[a-z0-9]+)(?::(\d{1,9}))?")
_UNDER_WAY = (*ACTIVE, RunStatus.CANCELLING)


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
    version: ScenarioVersion
    run: Run | None
    point: StoredPoint | None
    spec: ScenarioSpec


def subject_get(*, user: Person, key: str) -> Subject:
    """Return what ``key`` names; raises NotFound for anything that is not the user's."""
    match = _KEY.fullmatch(key)
    if match is None:
        raise NotFound("run or scenario", key)
    name, number = match[1], match[2]
    if name.startswith("run_"):
        run = run_get(user=user, run_id=name)
        return _subject(key, run.version, run, int(number) if number else None)
    scenario = scenario_get(user=user, scenario_id=name)
    version = version_get(scenario=scenario, number=int(number) if number else None)
    return _subject(key, version, newest_run(user, version), None)


def newest_run(user: Person, version: ScenarioVersion) -> Run | None:
    """The run that a request to run this version would be answered with, else the newest of the version."""
    mine = Run.objects.filter(owner_id=user.pk, kind=RunKind.RUN).select_related("version__scenario")
    same = mine.filter(content_hash=version.parsed.content_hash()).order_by("-created_at", "-pk")
    of_version = mine.filter(version=version).order_by("-created_at", "-pk")
    looks = (
        same.filter(status=RunStatus.SUCCEEDED),
        of_version.filter(status=RunStatus.SUCCEEDED),
        same.filter(status__in=_UNDER_WAY),
    )
    return next((found for rows in looks if (found := rows.first())), None)


def _subject(key: str, version: ScenarioVersion, run: Run | None, index: int | None) -> Subject:
    spec = run.parsed if run else version.parsed
    point = _point(run, spec, index) if run and run.status == RunStatus.SUCCEEDED else None
    return Subject(key, version, run, point, with_overrides(spec.unswept, point.overrides if point else {}))


def _point(run: Run, spec: ScenarioSpec, index: int | None) -> StoredPoint | None:
    if index is not None:
        return run_point(run=run, index=index)
    return own_point(spec, run_points(run=run))
