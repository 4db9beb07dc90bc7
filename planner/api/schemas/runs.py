"""Runs, their progress and their results."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, ClassVar

from pydantic import AliasChoices, Field, StrictBool

from planner import selectors
from planner.answers.quick import MOST_EVENTS
from planner.answers.values import PointOut as PointOut
from planner.answers.values import SentenceOut, plain, sentence_out
from planner.api.schemas.common import FindingOut, In, OfVersion, Out, Stored
from planner.jobs.plans import Work
from planner.jobs.turns import Place, places
from planner.models import PointResult, Run, RunStatus
from simulations.declarations.units import PositiveDuration, Share
from simulations.platforms.shared.family import Claim


class PrecisionIn(In):
    """How narrow the 95 % interval must be."""

    metric: Annotated[str, Field(validation_alias=AliasChoices("metric", "kpi"))] = "latency.p95"
    """May be called ``kpi``, as in the questions of experiments."""
    relative: Annotated[Share, Field(gt=0)] = 0.02
    """Half of the interval, relative to the value; ``"1%"`` or 0.01."""


class RunIn(OfVersion):
    """How to run; everything left out is as the scenario says."""

    precision: PrecisionIn | None = None
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] | None = None
    max_time: PositiveDuration | None = None
    """Computing time after which no further round begins, for example ``"2min"``; the run then succeeds with the
    precision that it has. Its first round always ends."""
    force: StrictBool = False
    """Compute again although the answer is known, and compare."""


class RunOut(Stored):
    """A run and where it stands."""

    scenario: str
    scenario_name: str
    version: int
    status: RunStatus
    cached: bool
    """The answer had been computed before this request."""
    place: Place | None
    """Null unless the run is queued."""
    work: Work | None
    """Null for runs that were started before Sluice estimated their work."""
    progress: dict[str, Any]
    partial_results: bool
    """Some points have an answer that is not final."""
    points: int
    points_answered: int
    seed: int
    engine: str
    model_rules: dict[str, str]
    content_hash: str
    result_hash: str
    reproduced: bool | None
    """A forced run: whether its numbers equal those of the earlier run; null where time was up for one of them."""
    error: dict[str, Any] | None
    attempt: int
    timings: dict[str, Any]
    started_at: datetime | None
    finished_at: datetime | None
    sources: ClassVar = {
        "scenario": "version.scenario_id",
        "version": "version.number",
        "engine": "engine_version",
        "type": "kind",
    }

    @classmethod
    def further(cls, rows: Sequence[Run]) -> list[dict[str, Any]]:
        """Return where the runs stand."""
        counted, standing = selectors.points_counted(run_ids=[run.pk for run in rows]), places(rows)
        counts = [counted.get(run.pk, (0, 0)) for run in rows]
        return [
            {
                "scenario_name": run.spec["name"],
                "cached": False,
                "place": standing.get(run.pk),
                "work": run.plan.get("work"),
                "partial_results": partial > 0,
                "points": run.plan["points"],
                "points_answered": answered,
                "model_rules": {run.spec["platform"]: run.rules_version},
            }
            for run, (answered, partial) in zip(rows, counts, strict=True)
        ]


class StoredPointOut(Out):
    """A point's answer with the paths of its curves; ``partial`` while more replications are to come."""

    partial: bool
    point: PointOut


class ResultsOut(Out):
    """The answers of a run so far, one page of points."""

    run: str
    status: RunStatus
    result_hash: str
    points: list[StoredPointOut]
    turn: dict[str, Any] | None
    """Where the first objective turns along the one swept setting: ``text``, ``last`` and ``first`` value either side,
    ``met_below``, the metric ``below`` and ``above``, ``replications``, and whether it was ``found`` or values between
    were ``tried`` in vain. Null where nothing turns, it turns twice, or a finished sweep cannot tell."""
    next: str | None


class SeriesOut(Out):
    """A curve over simulated time, thinned for a chart."""

    run: str
    point: int
    queue: str
    server: str
    """Set for threads by state; the queue is then empty."""
    name: str
    time: list[float | None]
    values: list[float | None]


class ClaimOut(SentenceOut):
    """A sentence of the explanation; ``proof`` holds the overrides whose run reproduces its number."""

    id: str
    sentence: str
    proof: dict[str, Any]


def claim_out(claim: Claim) -> ClaimOut:
    """A claim as the explanation has it."""
    return ClaimOut(**vars(sentence_out(claim)), id=claim.id, sentence=claim.sentence, proof=plain(claim.proof))


class PointClaims(Out):
    """The explanation of one point: why its numbers are as they are."""

    index: int
    claims: list[ClaimOut]

    @classmethod
    def further(cls, rows: Sequence[PointResult]) -> list[dict[str, Any]]:
        """Return the sentences."""
        told = [selectors.run_claims(run=row.run, point=selectors.point_read(row)) for row in rows]
        return [{"claims": [*map(claim_out, claims)]} for claims in told]


class PointFindings(Out):
    """The verdicts of the rules at one point."""

    index: int
    findings: list[FindingOut]

    @classmethod
    def further(cls, rows: Sequence[PointResult]) -> list[dict[str, Any]]:
        """Return the verdicts."""
        return [{"findings": selectors.point_read(row).summary.findings} for row in rows]


class PointChecks(Out):
    """The self-checks of one point."""

    index: int
    passed: bool
    checks: list[dict[str, Any]]

    @classmethod
    def further(cls, rows: Sequence[PointResult]) -> list[dict[str, Any]]:
        """Return the checks, and whether all passed."""
        made = [selectors.point_read(row).summary.checks for row in rows]
        return [{"passed": all(item["passed"] for item in checks), "checks": plain(checks)} for checks in made]


class QuickIn(In):
    """A scenario to be answered at once, without its sweep."""

    scenario: dict[str, Any]
    """The scenario's body."""
    events: Annotated[int, Field(ge=10_000, le=MOST_EVENTS)] = MOST_EVENTS
    """Budget of simulated events."""
    sequence: int | None = None
    """Comes back in the answer, so that late answers can be dropped."""


class QuickOut(Out):
    """The live panel's answer."""

    sequence: int | None
    elapsed_s: float
    shortened: bool
    """The budget made the simulated course shorter than the scenario asks."""
    cycles: float | None
    """Cycles of the arrivals in each course, null where they have none: below 1, ``point`` tells of a part of one."""
    point: PointOut
    timeline: dict[str, dict[str, list[float | None]]]
    tail: dict[str, dict[str, list[float | None]]]
