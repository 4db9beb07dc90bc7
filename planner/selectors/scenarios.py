"""Scenarios with what lists show of them, their versions, baselines, and the saved views of the scenario table."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, TextField
from django.db.models.expressions import Window
from django.db.models.functions import Cast, RowNumber

from planner.models import Baseline, Report, ReportState, Run, RunKind, RunStatus, SavedView, Scenario, ScenarioVersion
from planner.models.team import beside
from planner.selectors.owned import Person, first_of, owned_by, visible
from simulations.declarations.texts import differing

IN_REVIEW = (ReportState.IN_REVIEW, ReportState.REVIEWED)
scenario_get = owned_by(Scenario.objects.select_related("current", "team", "owner"), "scenario_id")
baseline_get = owned_by(Baseline.objects.select_related("version__scenario", "owner"), "baseline_id")
view_get = owned_by(SavedView.objects.select_related("owner"), "view_id")
"""Archived scenarios, baselines that were taken off and deleted views are found, too."""


@dataclass(frozen=True)
class Difference:
    """A value that differs: ``before`` and ``after`` are None where one version has no such value."""

    path: str
    before: Any
    after: Any


def scenarios_list(
    *,
    user: Person,
    archived: bool | None = False,
    platform: str = "",
    search: str = "",
    tag: str = "",
    verdict: str | None = None,
    shipped: bool | None = None,
    awaiting: bool = False,
    team: str = "",
) -> QuerySet[Scenario]:
    """The scenarios that the user sees, last changed first, each with its current version.

    ``archived``: None for both kinds. ``verdict``: what their newest answer says of the objectives, empty for nothing.
    ``shipped``: whether the product brought them. ``awaiting``: only with a report to be signed. ``team``: an id.
    """
    asked = {"team": team, "platform": platform, "name__icontains": search}
    given = {name: value for name, value in asked.items() if value}
    rows = visible(Scenario.objects.filter(**given), user=user)
    if archived is not None:
        rows = rows.filter(archived_at__isnull=not archived)
    if verdict is not None:
        rows = rows.filter(verdict=verdict)
    if shipped is not None:
        rows = rows.exclude(preset="") if shipped else rows.filter(preset="")
    if awaiting:
        rows = rows.filter(Exists(Report.objects.filter(run__version__scenario=OuterRef("pk"), state__in=IN_REVIEW)))
    if tag:
        # One database keeps letters beyond ASCII as they are in JSON, another escapes them.
        written = Q(tags_text__contains=json.dumps(tag)) | Q(tags_text__contains=json.dumps(tag, ensure_ascii=False))
        rows = rows.annotate(tags_text=Cast("tags", TextField())).filter(written)
    return rows.select_related("current", "team", "owner")


def scenarios_grouped(rows: QuerySet[Scenario], by: str) -> QuerySet[Scenario]:
    """Order scenarios so that those of one ``platform``, ``verdict`` or set of ``tags`` follow each other. The versions
    are read after sorting: their bodies would make the sort of ten thousand rows slow."""
    key = Cast("tags", TextField()) if by == "tags" else F(by)
    light = rows.select_related("team", "owner").prefetch_related("current")
    return light.annotate(group_key=key).order_by("group_key", "-updated_at", "-id")


def versions_list(*, scenario: Scenario) -> QuerySet[ScenarioVersion]:
    """All versions, newest first."""
    return scenario.versions.select_related("author").order_by("-number")


def version_get(*, scenario: Scenario, number: int | None) -> ScenarioVersion:
    """One version, the current one without a number; raises NotFound."""
    if number is None:
        return scenario.version
    return first_of(scenario.versions.filter(number=number), "version", number)


def versions_diff(*, before: ScenarioVersion, after: ScenarioVersion) -> tuple[Difference, ...]:
    """Only what differs, by path with the names of servers and queues."""
    return tuple(Difference(*row) for row in differing(before.spec, after.spec))


MOST_VERSIONS = 12
"""Versions with an answer that a row remembers, the newest ones."""
HEAVY = ("spec", "plan", "timings", "question", "version__spec")
"""Large columns of a run that no list needs."""


@dataclass(frozen=True)
class Answered:
    """A version's newest finished run: its id, the hash of what it computed, and its headline (``headlines``)."""

    version: int
    run_id: str
    content_hash: str
    headline: Mapping[str, Any]


@dataclass(frozen=True)
class Overview:
    """What a scenario's row tells: its runs and the experiments that were finished.

    Attributes:
        newest: the newest run; None where only experiments were made.
        answers: those of the versions, the newest answer last.
        headroom: the newest answer to how far the arrivals can grow.
    """

    newest: Run | None
    answers: tuple[Answered, ...]
    headroom: Answered | None = None


def scenario_overviews(*, scenario_ids: Sequence[str]) -> dict[str, Overview]:
    """Return the overview of each scenario that has a run or a headroom, by scenario, in two queries."""
    about = Run.objects.filter(version__scenario_id__in=scenario_ids)
    newest = about.filter(kind=RunKind.RUN).annotate(place=_place("version__scenario_id")).filter(place=1)
    newest = newest.select_related("version").defer(*HEAVY)
    runs = {run.version.scenario_id: run for run in newest}
    answers: dict[str, list[Answered]] = {}
    headrooms: dict[str, Answered] = {}
    finished = about.filter(status=RunStatus.SUCCEEDED, kind__in=(RunKind.RUN, RunKind.HEADROOM))
    finished = finished.annotate(place=_place("version_id", "kind")).filter(place=1)
    columns = ("kind", "version__scenario_id", "version__number", "pk", "version__content_hash", "headline")
    for kind, scenario_id, *values in finished.order_by("created_at", "pk").values_list(*columns):
        if kind == RunKind.HEADROOM:
            headrooms[scenario_id] = Answered(*values)
        else:
            answers.setdefault(scenario_id, []).append(Answered(*values))
    return {
        key: Overview(runs.get(key), tuple(answers.get(key, ())[-MOST_VERSIONS:]), headrooms.get(key))
        for key in {*runs, *headrooms}
    }


def _place(*groups: str) -> Window:
    """The place of a run among those of its group, the newest first."""
    return Window(
        RowNumber(), partition_by=[F(group) for group in groups], order_by=(F("created_at").desc(), F("pk").desc())
    )


def baselines_list(*, user: Person) -> QuerySet[Baseline]:
    """The baselines that are pinned now and the user sees, newest first, each with its version and scenario."""
    return visible(Baseline.objects.filter(unpinned_at=None), user=user).select_related("version__scenario", "owner")


def baseline_of(*, user: Person, scenario: Scenario) -> Baseline | None:
    """The baseline that the scenario is compared with: one of its own versions, else that of its name or of a tag."""
    known = scenario.applications
    here = baselines_list(user=user).filter(beside(scenario, Baseline.held_by))
    rows = here.filter(Q(application__in=known) | Q(version__scenario=scenario))

    def rank(row: Baseline) -> tuple[bool, int]:
        return row.version.scenario_id != scenario.pk, (*known, row.application).index(row.application)

    return min(rows, key=rank, default=None)


def pinned_versions(*, user: Person, version_ids: Collection[str]) -> frozenset[str]:
    """Which of these versions are baselines."""
    rows = baselines_list(user=user).filter(version_id__in=version_ids)
    return frozenset(rows.values_list("version_id", flat=True))


def views_list(*, user: Person) -> QuerySet[SavedView]:
    """The user's views by name, deleted ones left out."""
    return SavedView.objects.filter(owner_id=user.pk, archived_at=None)
