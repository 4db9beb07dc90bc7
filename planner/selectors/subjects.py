"""What can be compared: a point of a run, or a version of a scenario with its newest finished run."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial, reduce
from operator import or_

from django.db.models import Q

from planner.answers.summaries import StoredPoint
from planner.errors import NotFound
from planner.models import ACTIVE, Run, RunKind, RunStatus, ScenarioVersion
from planner.models.team import beside
from planner.selectors.owned import Person
from planner.selectors.results import own_point, run_point, run_points
from planner.selectors.runs import run_get
from planner.selectors.scenarios import scenario_get, version_get
from simulations.experiment import with_overrides
from simulations.scenario.spec import ScenarioSpec

_KEY = re.compile(r"((?:run|scn)_[a-z0-9]+)(?::(\d{1,9}))?")
_UNDER_WAY = (*ACTIVE, RunStatus.CANCELLING)
NO_ANSWER = 3
"""Rank of a run that does not answer for a version."""


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


def newest_runs(*, versions: Collection[ScenarioVersion]) -> dict[str, Run]:
    """Return, by id of version, the run that a request to run it would be answered with, else its newest one.

    It is among the runs of the same owner or team. However many versions there are, it takes two queries.
    """
    hashes = {version.pk: version.parsed.content_hash() for version in versions}
    beside_them = (beside(version.scenario, Run.held_by) for version in versions)
    mine = Run.objects.filter(reduce(or_, beside_them, Q()), kind=RunKind.RUN)
    rows = mine.filter(Q(content_hash__in=hashes.values()) | Q(version__in=versions)).order_by("-created_at", "-pk")
    lines = list(rows.values_list("pk", "version_id", "content_hash", "status"))
    chosen = {pk: min(lines, key=partial(_rank, pk, content), default=None) for pk, content in hashes.items()}
    answering = {pk: line[0] for pk, line in chosen.items() if line and _rank(pk, hashes[pk], line) < NO_ANSWER}
    runs = mine.select_related("version__scenario").in_bulk(answering.values())
    return {pk: runs[run_id] for pk, run_id in answering.items()}


def _rank(version_id: str, content_hash: str, line: tuple[str, str, str, str]) -> int:
    _, of_version, content, status = line
    finished = status == RunStatus.SUCCEEDED
    ranks = (
        finished and content == content_hash,
        finished and of_version == version_id,
        status in _UNDER_WAY and content == content_hash,
    )
    return ranks.index(True) if any(ranks) else NO_ANSWER


def _subject(key: str, version: ScenarioVersion, run: Run | None, index: int | None) -> Subject:
    spec = run.parsed if run else version.parsed
    point = None
    if run and run.status == RunStatus.SUCCEEDED:
        point = own_point(spec, run_points(run=run)) if index is None else run_point(run=run, index=index)
    return Subject(key, version, run, point, with_overrides(spec.unswept, point.overrides if point else {}))
