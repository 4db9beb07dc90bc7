"""The number that a point is about, beside its target: what a page shows first and largest."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from frontend.wording.numbers import metric_title
from planner.answers.claims import verdict_claims
from simulations.analysis.estimates.summary import Estimate, PointSummary, Quantity, estimate_quantity
from simulations.experiment.verdicts import objective_verdicts
from simulations.experiment.words import beside_bound, bound_text
from simulations.scenario.runsettings import Objective
from simulations.scenario.spec import ScenarioSpec

ROOM = 1.25
"""The scale ends at this many times the larger of target and interval."""
_UNKNOWN, _NONE = Quantity("…", "", ""), Quantity("none", "", "")
Judgment = Literal["met", "missed", "unresolved", ""]


@dataclass(frozen=True)
class Scale:
    """Places in percent of a scale from zero: where the target is met, the interval, the value."""

    zone: tuple[float, float]
    interval: tuple[float, float]
    value: float


@dataclass(frozen=True)
class Hero:
    """``judgment`` is empty where nothing is judged, ``target`` without objectives; ``scale``: None without either."""

    title: str
    shown: Quantity
    target: str = ""
    judgment: Judgment = ""
    scale: Scale | None = None


def heroes_of(spec: ScenarioSpec, summary: PointSummary | None) -> tuple[Hero, ...]:
    """Return the number of each objective, the first one leading; what grows where messages pile up. Without objectives
    it is what the verdict begins with. Without a ``summary`` only the targets are known."""
    if summary is None:
        return tuple(Hero(objective_title(item, spec), _UNKNOWN, bound_text(item)) for item in spec.objectives)
    growing = summary.status == "unstable"
    if spec.objectives and not growing:
        return tuple(_judged(spec, summary))
    claims = () if summary.status == "invalid" else verdict_claims(spec, summary)
    judgment: Judgment = "missed" if growing else ""
    target = "no growth" if growing and spec.objectives else ""
    known = [(claim.metric, claim.estimate) for claim in claims[:1] if claim.estimate]
    return tuple(Hero(metric_title(metric), estimate_quantity(item), target, judgment) for metric, item in known)


def _judged(spec: ScenarioSpec, summary: PointSummary) -> Iterator[Hero]:
    for verdict in objective_verdicts(spec.objectives, summary):
        estimate, objective = verdict.estimate, verdict.objective
        scale = _scale(objective, estimate) if estimate else None
        shown = estimate_quantity(estimate, beside_bound(objective)) if estimate else _NONE
        yield Hero(objective_title(objective, spec), shown, bound_text(objective), verdict.word, scale)


def objective_title(objective: Objective, spec: ScenarioSpec) -> str:
    """Return the title of an objective's metric, of several queues with its own."""
    several = objective.queue and len(spec.queues) > 1
    return metric_title(objective.metric) + (f" of {objective.queue}" if several else "")


def _scale(objective: Objective, estimate: Estimate) -> Scale:
    bound = objective.bound
    end = ROOM * max(bound, estimate.high) or 1.0
    places = (estimate.low, bound, estimate.value, estimate.high)
    low, target, value, high = (100 * min(max(place, 0.0) / end, 1.0) for place in places)
    zone = (target, 100.0) if objective.at_least is not None else (0.0, max(target, 1.0))
    return Scale((zone[0], zone[1] - zone[0]), (low, high - low), value)
