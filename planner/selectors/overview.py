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
    """A version's newest finished run: its id, the hash of what it computed, and its headline (planner.headlines)."""

    version: int
    run_id: str
    content_hash: str
    headline: Mapping[str, Any]


@dataclass(frozen=True)
class Overview:
    """The newest run of a scenario, and the answers of its versions, the newest answer last."""

    newest: Run
    answers: tuple[Answered, ...]


def scenario_overviews(*, scenario_ids: Sequence[str]) -> dict[str, Overview]:
    """Return the overview of each scenario that has a run, by scenario, in two queries."""
    runs = Run.objects.filter(version__scenario_id__in=scenario_ids, kind=RunKind.RUN)
    newest = runs.annotate(place=_place("version__scenario_id")).filter(place=1)
    newest = newest.select_related("version").defer(*HEAVY)
    answers: dict[str, list[Answered]] = {}
    done = runs.filter(status=RunStatus.SUCCEEDED).annotate(place=_place("version_id")).filter(place=1)
    columns = ("version__scenario_id", "version__number", "pk", "version__content_hash", "headline")
    for scenario_id, *values in done.order_by("created_at", "pk").values_list(*columns):
        answers.setdefault(scenario_id, []).append(Answered(*values))
    found = ((run.version.scenario_id, run) for run in newest)
    return {key: Overview(run, tuple(answers.get(key, ())[-MOST_VERSIONS:])) for key, run in found}


def _place(group: str) -> Window:
    """The place of a run among those of its group, the newest first."""
    return Window(RowNumber(), partition_by=F(group), order_by=(F("created_at").desc(), F("pk").desc()))
