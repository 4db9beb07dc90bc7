"""The content-addressed store: replications that some run of the same owner computed before are not computed again.

A point's key says everything that decides its replications, so that two experiments that touch the same setting, or an
experiment and a run, share them. A forced run shares nothing: it is there to compare.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from django.conf import settings

from planner.models import PointResult, Run
from simulations.analysis.estimates.summary import PointSummary
from simulations.experiment import Point, replication_key, with_overrides
from simulations.pipeline.archive.store import archive_of, borrowed


def content_keys(run: Run, summaries: Sequence[PointSummary]) -> dict[int, str]:
    """Return the key of each answered point of the run, by its index."""
    own = {point.index: point.spec for point in run.expansion.points}
    specs = ((item.index, own.get(item.index) or with_overrides(run.asked, item.overrides)) for item in summaries)
    return {index: replication_key(spec) for index, spec in specs}


def known_rows(run: Run, points: Sequence[Point]) -> Iterator[Any]:
    """Yield the rows of ``points`` that other runs of the owner hold, as batches of ``REPLICATION``."""
    if run.forced:
        return
    wanted = {replication_key(point.spec): point.index for point in points}
    rows = (
        PointResult.objects.filter(run__owner_id=run.owner_id, content_key__in=wanted, partial=False)
        .exclude(run_id=run.pk)
        .order_by("content_key", "-updated_at")
        .values_list("content_key", "run_id", "run__content_hash", "index")
    )
    newest = {key: (run_id, content, index) for key, run_id, content, index in reversed(rows)}
    loans: dict[tuple[str, str], dict[int, int]] = {}
    for key, (run_id, content, index) in newest.items():
        loans.setdefault((run_id, content), {})[index] = wanted[key]
    for (run_id, content), places in loans.items():
        yield from borrowed(archive_of(settings.ENVIRONMENT.store, run_id, content), places)
