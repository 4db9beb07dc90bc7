"""What lists show of scenarios: the newest run, the newest answer and the answers before, in two queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F
from django.db.models.expressions import Window
from django.db.models.functions import RowNumber

from planner.models import Run, RunKind, RunStatus

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
    told = about.filter(status=RunStatus.SUCCEEDED, kind__in=(RunKind.RUN, RunKind.HEADROOM))
    told = told.annotate(place=_place("version_id", "kind")).filter(place=1)
    columns = ("kind", "version__scenario_id", "version__number", "pk", "version__content_hash", "headline")
    for kind, scenario_id, *values in told.order_by("created_at", "pk").values_list(*columns):
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
