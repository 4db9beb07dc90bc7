"""Experiments: what is asked, where it stands, what it found."""

from typing import Any

from pydantic import ConfigDict, Field, StrictBool

from planner.answers.values import Plain
from planner.api.schemas.common import EstimateOut, OfVersion, Out
from planner.api.schemas.runs import RunOut
from planner.models import RunKind
from simulations.experiment.questions import MODELS, Kind


def _asked(schema: dict[str, Any]) -> None:
    """Add what each type of question asks for, without defaults, which a client would send with every type."""
    for model in MODELS.values():
        for key, asked in model.model_json_schema()["properties"].items():
            asked.pop("default", None)
            schema["properties"].setdefault(key, asked)


class ExperimentIn(OfVersion):
    """A question about a scenario, which says what is left out; what only some types take has no default here."""

    model_config = ConfigDict(extra="allow", json_schema_extra=_asked)

    scenario: str
    """Id of the scenario."""
    force: StrictBool = False
    """Compute again although the answer is known, and compare."""
    type: Kind
    subject_to: list[dict[str, Any]] | None = None
    """What a setting must meet: kpi, op (<=, >= or ==) and value, such as ``60ms``; or as in the scenario format."""
    knobs: dict[str, Any] | list[dict[str, Any]] = Field(default_factory=list)
    """sweep, optimize: setting -> values, or axes with path and values, or from, to, steps and scale."""
    effort: dict[str, Any] = Field(default_factory=dict)
    """messages of a replication, replications (min, max), precision."""


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
    metrics: dict[str, EstimateOut]
    meets_objectives: float
    """Probability."""
    why_not: str = ""


class RecommendationOut(Out):
    """The choice of an optimisation."""

    experiment: str
    status: str = "open"
    """recommended, infeasible, or open before the first answer."""
    final: bool
    kpi: str
    probability: float | None = None
    """That the choice is right: see docs/experiments.md."""
    indifferent: float | None = None
    """Settings whose KPI differs by less, relative, count as equal."""
    reason: str = "no answer yet"
    recommended: ChosenOut | None = None
    runner_up: ChosenOut | None = None
    nearest_cheaper: ChosenOut | None = None
    """The best of those that would cost less, with what it misses."""
    binding: str | None = None
    """Metric whose objective keeps the choice from being cheaper; throughput where the load does."""
