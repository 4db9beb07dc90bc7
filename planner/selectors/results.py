"""Results of a run as plain dataclasses, for pages, charts and the API."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max

from planner.errors import NotFound
from planner.models import PointResult, Run
from planner.results import summary_read
from simulations.analysis.summary import Finding, PointSummary
from simulations.experiment import with_overrides
from simulations.platforms.base import Claim
from simulations.scenario import ScenarioSpec, parse


@dataclass(frozen=True)
class StoredPoint:
    """One point's answer; ``partial`` while more replications are to come."""

    index: int
    overrides: Mapping[str, Any]
    partial: bool
    summary: PointSummary


def run_points(*, run: Run) -> tuple[StoredPoint, ...]:
    """All points that have an answer so far, in the plan's order."""
    return tuple(_stored(row) for row in run.points.order_by("index"))


def run_points_mark(*, run: Run) -> str:
    """A text that changes whenever an answer does: how many points have one, and when the last was written."""
    found = run.points.aggregate(count=Count("pk"), last=Max("updated_at"))
    return f"{found['count']}-{found['last'].timestamp() if found['last'] else 0}"


def run_point(*, run: Run, index: int) -> StoredPoint:
    """One point; raises NotFound when it has no answer yet or does not exist."""
    row = run.points.filter(index=index).first()
    if row is None:
        raise NotFound("point", index)
    return _stored(row)


def own_point(spec: ScenarioSpec, points: Sequence[StoredPoint]) -> StoredPoint | None:
    """The point at the scenario's own settings, else the first valid one; None without any."""
    bare = spec.model_copy(update={"sweep": ()})
    valid = [item for item in points if item.summary.status != "invalid"]
    own = [item for item in valid if with_overrides(bare, item.overrides).body() == bare.body()]
    return next(iter([*own, *valid]), None)


def run_findings(*, points: Sequence[StoredPoint]) -> tuple[tuple[int, Finding], ...]:
    """Rule verdicts of all points, each with the point's index."""
    return tuple((point.index, finding) for point in points for finding in point.summary.findings)


def run_claims(*, run: Run, point: StoredPoint) -> tuple[Claim, ...]:
    """The sentences that explain a point, most important first; none of an invalid one."""
    if point.summary.status == "invalid":
        return ()
    spec = parse(run.spec)
    return spec.family.explain(with_overrides(spec, point.overrides).system, point.summary)


def run_series(
    *,
    point: StoredPoint,
    queue: str,
    name: str,
    server: str = "",
    start: float | None = None,
    stop: float | None = None,
    most: int = 512,
) -> Mapping[str, list[float | None]]:
    """A column between two instants (s) with its time axis, thinned to ``most`` values.

    It is one of the queue's timeline or, with ``server``, of that server's threads by state. Raises NotFound for an
    unknown queue, server or column.
    """
    summary = point.summary
    columns = summary.threads.get(server) if server else summary.timeline.get(queue)
    if columns is None:
        raise NotFound("server with threads over time" if server else "queue with a timeline", server or queue)
    banded = server or name in ("p50", "p95", "p99", "p95_low", "p95_high")
    axis = "band_time" if banded else "time"
    if name not in columns or axis not in columns:
        raise NotFound("series", name)
    kept = [
        (at, value)
        for at, value in zip(columns[axis], columns[name], strict=True)
        if at is not None and (start is None or at >= start) and (stop is None or at <= stop)
    ]
    step = -(-len(kept) // most) or 1
    return {"time": [at for at, _ in kept[::step]], name: [value for _, value in kept[::step]]}


def _stored(row: PointResult) -> StoredPoint:
    return StoredPoint(row.index, row.overrides, row.partial, summary_read(row.summary))
