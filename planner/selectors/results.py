"""Results of a run as plain dataclasses, for pages, charts and the API, and its tables in the results store."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from django.conf import settings
from django.db.models import Count, Max

from planner.answers.choice import choice_of
from planner.answers.summaries import StoredPoint, summary_read
from planner.errors import NotFound
from planner.models import PointResult, Run, RunKind, RunStatus
from planner.selectors.owned import first_of
from simulations.experiment import with_overrides
from simulations.pipeline.archive.store import FOR_READING, Archive, run_folder
from simulations.platforms.shared.claims import explained
from simulations.platforms.shared.family import Claim
from simulations.scenario.spec import ScenarioSpec

Sample = tuple[float, float | None]
"""An instant (s) and a value."""


def run_points(*, run: Run) -> tuple[StoredPoint, ...]:
    """All points that have an answer so far, in the plan's order."""
    return tuple(point_read(row) for row in run.points.order_by("index"))


def run_points_mark(*, run: Run) -> str:
    """A text that changes whenever an answer does: how many points have one, and when the last was written."""
    points = run.points.aggregate(count=Count("pk"), last=Max("updated_at"))
    return f"{points['count']}-{points['last'].timestamp() if points['last'] else 0}"


def run_point(*, run: Run, index: int) -> StoredPoint:
    """One point; raises NotFound when it has no answer yet or does not exist."""
    return point_read(first_of(run.points.filter(index=index), "point", index))


def own_point(spec: ScenarioSpec, points: Sequence[StoredPoint]) -> StoredPoint | None:
    """The point at the scenario's own settings, else the recommended one; None without a valid one."""
    choice = choice_of(spec, [item for item in points if item.summary.status != "invalid"])
    return choice.present or choice.chosen


def run_claims(*, run: Run, point: StoredPoint) -> tuple[Claim, ...]:
    """The sentences that explain a point, most important first; none of an invalid one."""
    if point.summary.status == "invalid":
        return ()
    spec = run.parsed.unswept
    return explained(spec.family, with_overrides(spec, point.overrides).system, point.summary)


def run_series(
    *, point: StoredPoint, queue: str, server: str, name: str, start: float, stop: float, most: int
) -> Mapping[str, list[float | None]]:
    """A column between two instants (s) with its time axis; of more than ``most`` values the lowest and the highest
    of each part of the time.

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
        if at is not None and start <= at <= stop
    ]
    thin = _thinned(kept, most)
    return {"time": [at for at, _ in thin], name: [value for _, value in thin]}


def _thinned(samples: Sequence[Sample], most: int) -> Sequence[Sample]:
    """At most so many samples: the lowest and the highest of each part of the time, so that no peak is lost."""
    if len(samples) <= most:
        return samples
    width = -(-len(samples) // max(1, most // 2))
    thinned: list[Sample] = []
    for first in range(0, len(samples), width):
        part = samples[first : first + width]
        known = [(value, at) for at, value in part if value is not None]
        ends = {min(known), max(known)} if known else {(None, part[0][0])}
        thinned += sorted((at, value) for value, at in ends)
    return thinned[:most]


def point_read(row: PointResult) -> StoredPoint:
    """Return a stored row as a point."""
    return StoredPoint(row.index, row.overrides, row.partial, summary_read(row.summary))


DOWNLOADS = ("summaries", *FOR_READING)
"""Tables for people and other programs; the raw replications are for Sluice alone."""


def run_table(*, run: Run, table: str) -> Path:
    """The file of a run's table. Raises NotFound: no such table, the run is not over, or its replications are gone."""
    if table not in DOWNLOADS:
        raise NotFound("table", table)
    path = run_folder(settings.ENVIRONMENT.store, run.pk) / f"{table}.parquet"
    if not path.exists() and run.kind == RunKind.RUN and run.status == RunStatus.SUCCEEDED:
        # What the worker had no time for; nothing when the replications are gone.
        archive = Archive(run_folder(settings.ENVIRONMENT.store, run.pk), run.content_hash)
        points = run.expansion.points
        if any(True for _ in archive.read([points[0].index])):
            archive.note(stored.summary for stored in run_points(run=run))
            archive.write_tables(points)
    if not path.exists():
        raise NotFound("table", table)
    return path
