"""Scenarios, their versions and what differs between two of them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast

from planner.errors import NotFound
from planner.models import Report, ReportState, Scenario, ScenarioVersion
from planner.selectors.owned import Person, owned
from simulations.declarations.path_text import path_of, step

IN_REVIEW = (ReportState.IN_REVIEW, ReportState.REVIEWED)


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
) -> QuerySet[Scenario]:
    """The user's scenarios, last changed first, each with its current version.

    ``archived``: None for both kinds. ``verdict``: what their newest answer says of the objectives, empty for nothing.
    ``shipped``: whether the product brought them. ``awaiting``: only those with a report that waits for a signature.
    """
    rows = Scenario.objects.filter(owner_id=user.pk)
    if archived is not None:
        rows = rows.filter(archived_at__isnull=not archived)
    if platform:
        rows = rows.filter(platform=platform)
    if search:
        rows = rows.filter(name__icontains=search)
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
    return rows.select_related("current")


def scenarios_grouped(rows: QuerySet[Scenario], by: str) -> QuerySet[Scenario]:
    """Order scenarios so that those of one ``platform``, ``verdict`` or set of ``tags`` follow each other.

    The versions are read after sorting: their bodies would make the sort of ten thousand rows slow.
    """
    key = Cast("tags", TextField()) if by == "tags" else F(by)
    light = rows.select_related(None).prefetch_related("current")
    return light.annotate(group_key=key).order_by("group_key", "-updated_at", "-id")


def scenario_get(*, user: Person, scenario_id: str) -> Scenario:
    """One scenario, archived or not, with its current version; raises NotFound."""
    return owned(Scenario.objects.select_related("current"), user=user, key=scenario_id)


def versions_list(*, scenario: Scenario) -> QuerySet[ScenarioVersion]:
    """All versions, newest first."""
    return scenario.versions.select_related("author").order_by("-number")


def version_get(*, scenario: Scenario, number: int | None) -> ScenarioVersion:
    """One version, the current one without a number; raises NotFound."""
    if number is None:
        return scenario.version
    version = scenario.versions.filter(number=number).first()
    if version is None:
        raise NotFound("version", number)
    return version


def versions_diff(*, before: ScenarioVersion, after: ScenarioVersion) -> tuple[Difference, ...]:
    """Only what differs, by path with the names of servers and queues."""
    left, right = dict(leaves(before.spec)), dict(leaves(after.spec))
    paths = sorted(left.keys() | right.keys())
    pairs = ((path, left.get(path), right.get(path)) for path in paths)
    return tuple(Difference(path, old, new) for path, old, new in pairs if old != new)


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every single value of a scenario's body with its path; items of lists are named, not numbered."""
    if isinstance(value, dict) and value:
        items = [(key, item) for key, item in value.items()]
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        items = [(item.get("name", str(i)) if isinstance(item, dict) else str(i), item) for i, item in enumerate(value)]
    else:
        yield path, value
        return
    for key, item in items:
        yield from leaves(item, f"{path}{step(key)}" if path else path_of(key))
