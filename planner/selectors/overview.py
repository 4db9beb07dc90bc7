"""What lists show of scenarios: the newest run and its headline numbers, in a fixed number of queries."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F
from django.db.models.expressions import Window
from django.db.models.fields.json import KeyTransform
from django.db.models.functions import RowNumber

from planner.models import PointResult, Run, RunKind


@dataclass(frozen=True)
class Headline:
    """One point of a run: its overrides, status, and the estimates of latency.p95 and throughput as plain data."""

    overrides: Mapping[str, Any]
    status: str
    p95: Mapping[str, Any] | None
    throughput: Mapping[str, Any] | None


@dataclass(frozen=True)
class NewestRun:
    """The newest run of a scenario with its points."""

    run: Run
    points: tuple[Headline, ...]


def newest_runs(*, scenario_ids: Sequence[str]) -> dict[str, NewestRun]:
    """Return the newest run of each scenario that has one, by scenario, in two queries."""
    newest = Window(
        RowNumber(), partition_by=F("version__scenario_id"), order_by=(F("created_at").desc(), F("pk").desc())
    )
    runs = list(
        Run.objects.filter(version__scenario_id__in=scenario_ids, kind=RunKind.RUN)
        .select_related("version")
        .annotate(place=newest)
        .filter(place=1)
    )
    points = _headlines(run.pk for run in runs)
    return {run.version.scenario_id: NewestRun(run, tuple(points.get(run.pk, ()))) for run in runs}


def _headlines(run_ids: Iterable[str]) -> dict[str, list[Headline]]:
    metrics = KeyTransform("metrics", "summary")
    rows = (
        PointResult.objects.filter(run_id__in=list(run_ids))
        .annotate(p95=KeyTransform("latency.p95", metrics), throughput=KeyTransform("throughput", metrics))
        .order_by("run", "index")
        .values_list("run_id", "overrides", "status", "p95", "throughput")
    )
    found: dict[str, list[Headline]] = {}
    for run_id, *values in rows:
        found.setdefault(run_id, []).append(Headline(*values))
    return found
