"""Experiments: what is asked, where it stands, what it found."""

from typing import Any, Literal

from pydantic import ConfigDict, Field, StrictBool

from planner.answers.values import Plain
from planner.api.schemas.common import EstimateOut, In, OfVersion, Out
from planner.api.schemas.runs import RunOut
from planner.models import RunKind


class ConstraintIn(In):
    """What a setting must meet. Also as in the scenario format: metric with at_most, at_least or equals."""

    model_config = ConfigDict(extra="allow")

    kpi: str = ""
    """Name of a metric, for example ``latency.p95``."""
    queue: str | None = None
    op: Literal["<=", ">=", "=="] = "<="
    value: float | str = 0.0
    """The bound; a text may have a unit, for example ``60ms``."""


class ExperimentIn(OfVersion):
    """A question about a scenario, which says what is left out; what only some types take has no default here."""

    model_config = ConfigDict(extra="allow")

    scenario: str
    """Id of the scenario."""
    force: StrictBool = False
    """Compute again although the answer is known, and compare."""
    type: Literal["sweep", "optimize", "headroom", "sensitivity"]
    kpi: str = ""
    """Metric that is compared; the scenario's precision metric when left out."""
    kpis: list[str] = Field(default_factory=list)
    """Metrics kept of every point; without ``kpi`` the first one is compared."""
    subject_to: list[ConstraintIn] | None = None
    knobs: dict[str, Any] | list[dict[str, Any]] = Field(default_factory=list)
    """sweep, optimize: setting -> values, or axes with path and values, or from, to, steps and scale."""
    minimize: list[str] = Field(default_factory=list)
    """optimize: knobs, threads, cpus, instances, at last a metric; most important first."""
    baseline: dict[str, Any] = Field(default_factory=dict)
    """sweep: settings of the point that all others are compared with."""
    inputs: dict[str, Any] = Field(default_factory=dict)
    """sensitivity: input -> share or the two ends of its range."""
    spread: float | str | None = None
    """sensitivity: share by which inputs without a range are moved either way; 0.2 when left out."""
    least: float | None = None
    """headroom: smallest factor on all arrivals; 0.1 when left out."""
    most: float | None = None
    """headroom: largest factor; 10 when left out."""
    peak: float | str | None = None
    """headroom: today's peak, for example ``81/s``."""
    growth: float | str | None = None
    """headroom: growth of the arrivals a year, for example ``30 %``."""
    effort: dict[str, Any] = Field(default_factory=dict)
    """messages of a replication, replications (min, max), precision."""
    crn: Literal[True] = True
    """Common random numbers: always."""


class ExperimentLine(RunOut):
    """An experiment in a list."""

    type: RunKind


class ExperimentOut(ExperimentLine):
    """An experiment and where it stands; ``outcome`` is what is known so far, and final when it has succeeded."""

    question: dict[str, Any]
    """The complete question: everything that was left out is filled in."""
    outcome: dict[str, Any]


class CellOut(Out):
    """One point of an experiment."""

    index: int
    overrides: Plain
    status: str
    verdict: str
    """met, missed, unsure (its interval holds a bound) or unstable."""
    partial: bool
    replications: int
    metrics: dict[str, EstimateOut]
    paired_vs_baseline: dict[str, EstimateOut]
    """Differences to point 0 with equal random numbers."""


class ChosenOut(Out):
    """A setting that meets the objectives."""

    index: int
    overrides: dict[str, Any]
    cost: dict[str, float]
    """What it takes of what is to be saved."""
    value: EstimateOut | None
    """The metric that decides between equal costs."""
    why_not: str = ""


class RecommendationOut(Out):
    """The choice of an optimisation."""

    experiment: str
    status: str
    """recommended, infeasible, or open before the first answer."""
    final: bool
    kpi: str
    probability: float | None
    """That the choice is right: see docs/experiments.md."""
    indifferent: float | None
    """Settings whose KPI differs by less, relative, count as equal."""
    reason: str
    recommended: ChosenOut | None
    runner_up: ChosenOut | None
