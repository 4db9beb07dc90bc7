"""What can be asked of a scenario beyond one run: sweep, optimize, headroom, sensitivity. Complete once read."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from simulations.analysis.estimates.metrics import BY_NAME, HELD, LOST
from simulations.declarations.parameters import Model
from simulations.declarations.units import Growth, PositiveRate, Share
from simulations.scenario.runsettings import Axis, Objective, Replications
from simulations.scenario.spec import ScenarioSpec, revised

Kind = Literal["sweep", "optimize", "headroom", "sensitivity"]
MOST_KNOBS = 4
MOST_INPUTS = 40
INDIFFERENT = 0.02
"""Settings whose metric differs by less, relative, are equally good unless a question says otherwise."""
FEW_POINTS = 100
"""Up to so many points each is as precise as the scenario asks; more make a map, whose cells only need a verdict."""
MESSAGES = 24_000_000
"""Messages of the fewest replications of all points together."""
SHORTEST = 4_000
"""Messages of one replication, at least: fewer say little about a 95th percentile."""
MAP_REPLICATIONS = Replications(min=3, max=24)
CHOICE_REPLICATIONS = Replications(min=10, max=270)
"""Of a search among many points: fewer than ten say little about their own spread."""
MAP_PRECISION = 0.05
SEARCH_REPLICATIONS = Replications(min=8, max=40)


class Effort(Model):
    """How much is simulated at each point."""

    messages: Annotated[int, Field(ge=100, le=1_000_000_000)] | None = None
    """Messages of one replication, where replications end after a number of messages."""
    replications: Replications | None = None
    """Fewest and most replications of a point."""
    precision: Annotated[Share, Field(gt=0)] | None = None
    """Half of the interval of the KPI, relative to it, that ends a point whose answer stays open."""


class _Question(Model):
    kpi: str = ""
    """Metric that is compared and drawn; the scenario's precision metric when left out."""
    subject_to: Annotated[tuple[Objective, ...] | None, Field(max_length=20)] = None
    """What a setting must meet; the scenario's objectives when left out."""
    kpis: Annotated[tuple[str, ...], Field(max_length=20)] = ()
    """Further metrics that are kept of every point."""
    effort: Effort = Effort()
    crn: Literal[True] = True
    """Common random numbers: message k is the same at every point, so that differences are paired. Always so."""


STAGE = 3
"""Times as many replications in the next stage of a search of every setting that is still in doubt."""
Knobs = Annotated[tuple[Axis, ...], Field(max_length=MOST_KNOBS)]


class Sweep(_Question):
    """How the KPI depends on one or two knobs."""

    type: Literal["sweep"] = "sweep"
    knobs: Knobs = ()
    """Settings and their values; the scenario's sweep when left out."""
    baseline: dict[str, Any] = Field(default_factory=dict)
    """Knob -> value of the point that all others are compared with; the scenario's own value where left out."""


class Optimize(_Question):
    """Which setting meets the objectives with the least."""

    type: Literal["optimize"] = "optimize"
    knobs: Knobs = ()
    """Settings and their values; the scenario's sweep when left out."""
    minimize: Annotated[tuple[str, ...], Field(max_length=4)] = ()
    """What to save, most important first: knobs, threads, cpus, instances, and at last a metric."""
    indifference: Annotated[Share, Field(gt=0, le=0.5)] = INDIFFERENT
    """Settings whose KPI differs by less, relative, are equally good: a choice is right if nothing beats it by more."""
    confidence: Annotated[Share, Field(ge=0.5, lt=1)] = 0.99
    """Probability of a right choice at which the search ends, and of none below which nothing is called infeasible."""

    @property
    def decider(self) -> str:
        """The metric that decides between settings of equal cost."""
        return next((name for name in self.minimize if name in BY_NAME), self.kpi)


class HeadroomQuestion(_Question):
    """How far the arrivals can grow before an objective is missed."""

    type: Literal["headroom"] = "headroom"
    least: Annotated[float, Field(gt=0, le=1)] = 0.1
    """Smallest factor on all arrivals that is tried."""
    most: Annotated[float, Field(gt=1, le=1000)] = 10.0
    """Largest factor."""
    peak: PositiveRate | None = None
    """Today's peak, messages per second; the highest rate of the scenario's own arrivals when left out."""
    growth: Growth | None = None
    """By how much the arrivals grow in a year; where it is given the answer names the day of the first miss."""


class SensitivityQuestion(_Question):
    """Which input moves the KPI most when it is off by a little."""

    type: Literal["sensitivity"] = "sensitivity"
    inputs: dict[str, Any] = Field(default_factory=dict, max_length=MOST_INPUTS)
    """Input -> its range: a share (0.1 = 10 % either way) or the two ends; all known inputs when left out."""
    spread: Annotated[Share, Field(gt=0, lt=1)] = 0.2
    """Share by which inputs without a range of their own are moved either way."""
    draws: Annotated[int, Field(ge=0, le=1000)] = 0
    """How often all inputs are drawn at once from their ranges: what the answer may be while none is known exactly."""


Question = Annotated[Sweep | Optimize | HeadroomQuestion | SensitivityQuestion, Field(discriminator="type")]
MODELS: Mapping[str, type[Sweep | Optimize | HeadroomQuestion | SensitivityQuestion]] = {
    model.model_fields["type"].default: model for model in (Sweep, Optimize, HeadroomQuestion, SensitivityQuestion)
}
_STORED: TypeAdapter[Question] = TypeAdapter(Question)


def stored_question(body: Mapping[str, Any]) -> Question:
    """Return a question that was complete when it was stored, from its JSON with aliases."""
    return _STORED.validate_python(body)


KEPT = (
    *("latency.mean", "latency.p50", "latency.p95", "latency.p99", "throughput"),
    *("threads.busy", "threads.idle_blocked", "cpu.utilisation", "overtaken_fraction", "timeouts.share"),
    *("batch.mean_size", "drain_time", "balance.busiest_share", "buffer.bytes_max", "end_to_end.p95"),
)
"""Metrics kept of every point of an experiment, along with those that the question names."""


def metrics_kept(question: Question, spec: ScenarioSpec) -> frozenset[str]:
    """Return the names of the metrics that the points of this question keep."""
    named = (question.kpi, spec.run.precision.metric, *question.kpis, *getattr(question, "minimize", ()))
    lost = (*LOST, HELD) if question.type in ("optimize", "headroom") else ()
    bounds = (*(item.metric for item in question.subject_to or ()), *lost)
    return frozenset(name for name in (*KEPT, *named, *bounds) if name in BY_NAME)


def asked_spec(question: Question, spec: ScenarioSpec) -> ScenarioSpec:
    """Return the scenario as a complete question simulates it: its effort, precision and objectives, no sweep. The
    limit of time is left out: a search ends when its answer is clear."""
    effort, run = question.effort, spec.run.model_dump(mode="json", exclude={"max_time"})
    if effort.messages is not None and spec.run.horizon.messages is not None:
        run["horizon"] = {"messages": effort.messages}
    if effort.replications is not None:
        run["replications"] = effort.replications.model_dump()
    compared = question.decider if isinstance(question, Optimize) else question.kpi
    run["precision"] = {"metric": compared, "relative": effort.precision or spec.run.precision.relative}
    objectives = [item.model_dump() for item in question.subject_to or ()]
    return revised(spec.unswept, [(("run",), run), (("objectives",), objectives)])


def affordable(effort: Effort, spec: ScenarioSpec, points: int, *, kind: Kind) -> Effort:
    """Return ``effort`` with everything chosen that was left out."""
    many = points > FEW_POINTS
    of_many = CHOICE_REPLICATIONS if kind == "optimize" else MAP_REPLICATIONS
    replications = effort.replications or (of_many if many else _replications(spec, kind))
    messages = effort.messages
    if messages is None and spec.run.horizon.messages is not None:
        messages = min(spec.run.horizon.messages, max(SHORTEST, MESSAGES // (points * replications.min)))
    precision = effort.precision or (MAP_PRECISION if many else spec.run.precision.relative)
    return Effort(messages=messages, replications=replications, precision=precision)


def _replications(spec: ScenarioSpec, kind: Kind) -> Replications:
    own = spec.run.replications
    if kind in ("sweep", "optimize"):
        return own
    return Replications(min=min(own.min, SEARCH_REPLICATIONS.min), max=min(own.max, SEARCH_REPLICATIONS.max))
