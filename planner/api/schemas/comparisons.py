"""Comparisons of two to six answers, and the versions that changes are compared with."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, ClassVar

from pydantic import AliasPath, BeforeValidator, Field

from planner import selectors
from planner.answers.values import plain
from planner.api.schemas.common import EstimateOut, In, OfVersion, Out
from planner.models.scenario import APPLICATION_LENGTH, Baseline
from planner.selectors.comparison import Verdict

SubjectKey = Annotated[str, Field(max_length=60, examples=["run_7q2m", "run_7q2m:3", "scn_k4x1", "scn_k4x1:7"])]


class ComparisonIn(In):
    """What to compare."""

    subjects: Annotated[list[SubjectKey], Field(min_length=2, max_length=6)]
    """Runs (``run_…``), points of runs (``run_…:2``), scenarios (``scn_…``) or versions of them (``scn_…:7``)."""
    baseline: Annotated[int, Field(ge=0, le=5)] = 0
    """Place of the baseline among the subjects."""
    queue: Annotated[str, Field(max_length=200)] = ""
    """Compare the metrics of this queue; left out, those of the whole system."""


class SubjectOut(Out):
    """One subject and the run that answers for it."""

    subject: str
    scenario: str
    version: int
    run: str | None
    status: Annotated[str, BeforeValidator(lambda status: status or "missing")]
    """Of the run; ``missing`` when nothing of this content was run."""
    point: int | None
    replications: Annotated[int, BeforeValidator(lambda count: count or 0)]
    sources: ClassVar = {
        "subject": "key",
        "scenario": "version.scenario_id",
        "version": "version.number",
        "run": "run.pk",
        "status": "run.status",
        "point": "point.index",
        "replications": "point.summary.replications",
    }


class DifferingOut(Out):
    """A setting that differs, with its value in each subject in their order."""

    path: str
    values: Annotated[list[Any], BeforeValidator(plain)]


class ChangeOut(Out):
    """A subject minus the baseline."""

    difference: Annotated[EstimateOut, Field(validation_alias="estimate")]
    paired: bool
    """Replication by replication, with common random numbers where the seeds are equal."""
    verdict: Verdict


class KpiOut(Out):
    """A metric of all subjects in their order; null where a subject has none, and for the baseline's own change."""

    metric: Annotated[str, Field(validation_alias=AliasPath("metric", "name"))]
    values: list[EstimateOut | None]
    changes: list[ChangeOut | None]


class ComparisonOut(Out):
    """The comparison so far; ``complete`` when every subject has its answer."""

    complete: bool
    baseline: int
    queue: str
    subjects: list[SubjectOut]
    differing: list[DifferingOut]
    equal: int
    """Settings that are equal in all subjects."""
    kpis: list[KpiOut]
    notes: list[str]
    """Where the plans of the runs do not match."""


class BaselineIn(OfVersion):
    """The version that changes of an application are compared with."""

    scenario: str
    """Id of the scenario."""
    application: Annotated[str, Field(max_length=APPLICATION_LENGTH)] = ""
    """The scenario's name, which it is when left out, or one of its tags: then for all scenarios with that tag."""


class BaselineOut(Out):
    """A pinned version and the newest run that answers for it."""

    id: str
    application: str
    scenario: str
    scenario_name: str
    version: int
    content_hash: str
    run: str | None
    """Finished where there is a finished one; null when nothing of this content was run."""
    run_status: str | None
    pinned_at: datetime
    sources: ClassVar = {
        "scenario": "version.scenario_id",
        "scenario_name": "version.scenario.name",
        "version": "version.number",
        "content_hash": "version.content_hash",
        "pinned_at": "created_at",
    }

    @classmethod
    def further(cls, rows: Sequence[Baseline]) -> list[dict[str, Any]]:
        """Return the runs that answer for the baselines."""
        newest = selectors.newest_runs(versions=[row.version for row in rows]) if rows else {}
        runs = [newest.get(row.version_id) for row in rows]
        return [{"run": run.pk if run else None, "run_status": run.status if run else None} for run in runs]
