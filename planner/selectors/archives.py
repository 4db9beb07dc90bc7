"""What the results store holds of a run, read without Spark."""

from pathlib import Path

from django.conf import settings

from planner.errors import NotFound
from planner.models import Run, RunKind, RunStatus
from planner.selectors.results import run_points
from simulations.pipeline.archive.store import FOR_READING, archive_of, run_folder

DOWNLOADS = ("summaries", *FOR_READING)
"""Tables for people and other programs; the raw replications are for Sluice alone."""


def run_table(*, run: Run, table: str) -> Path:
    """The file of a run's table. Raises NotFound: no such table, the run is not over, or its replications are gone."""
    if table not in DOWNLOADS:
        raise NotFound("table", table)
    path = run_folder(settings.ENVIRONMENT.store, run.pk) / f"{table}.parquet"
    if not path.exists() and run.kind == RunKind.RUN and run.status == RunStatus.SUCCEEDED:
        _write_tables(run)
    if not path.exists():
        raise NotFound("table", table)
    return path


def _write_tables(run: Run) -> None:
    """Write what the worker had no time for; nothing when the replications are gone."""
    archive = archive_of(settings.ENVIRONMENT.store, run.pk, run.content_hash)
    points = run.expansion.points
    if any(True for _ in archive.read([points[0].index])):
        archive.note(stored.summary for stored in run_points(run=run))
        archive.write_tables(points)
