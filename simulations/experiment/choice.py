"""The best of many settings: what meets the objectives at the lowest cost, and how sure that is."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.experiment.names import RESOURCES
from simulations.experiment.points import Answers, with_overrides
from simulations.experiment.questions import Optimize
from simulations.experiment.verdicts import SURE, better_chance, chance_of
from simulations.scenario.spec import ScenarioSpec

INDIFFERENT = 0.02
"""Settings whose KPI differs by less, relative, are equally good: the choice is right if nothing beats it by more."""
ENOUGH = 0.95
"""Probability of a right choice at which the search ends."""
Cost = tuple[float, ...]


@dataclass(frozen=True)
class Candidate:
    """A point in the search. ``value`` is what decides between equal costs, smaller first; None where it has none."""

    summary: PointSummary
    cost: Cost
    chance: float
    value: Estimate | None

    @property
    def index(self) -> int:
        """The point's index."""
        return self.summary.index

    @property
    def order(self) -> tuple[Cost, float, int]:
        """Cheapest first, then the best value, then the first of the plan."""
        return self.cost, self.value.value if self.value else math.inf, self.index


@dataclass(frozen=True)
class Best:
    """The outcome: ``chosen`` and the ``runner_up`` that would be chosen without it.

    ``open``: points whose replications could still change the choice. ``probability``: that the chosen point meets
    every objective, that no cheaper one does, and that none of equal cost is better by more than ``INDIFFERENT``.
    """

    status: Literal["recommended", "infeasible"]
    candidates: Mapping[int, Candidate]
    chosen: Candidate | None
    runner_up: Candidate | None
    probability: float
    open: frozenset[int]


def best_of(question: Optimize, spec: ScenarioSpec, answers: Answers) -> Best:
    """Return the choice from the answers so far."""
    candidates = {index: _candidate(question, spec, summary) for index, summary in answers.items()}
    able = sorted((item for item in candidates.values() if item.chance > 0.5), key=lambda item: item.order)
    chosen = _first_as_good(able)
    runner_up = _first_as_good([item for item in able if item is not chosen])
    if chosen is None:
        unsure = frozenset(index for index, item in candidates.items() if item.chance > 1 - SURE)
        none_feasible = math.prod(1.0 - item.chance for item in candidates.values())
        return Best("infeasible", candidates, None, None, none_feasible, unsure)
    probability = _probability(chosen, candidates)
    return Best("recommended", candidates, chosen, runner_up, probability, _open(chosen, candidates, probability))


def _first_as_good(able: list[Candidate]) -> Candidate | None:
    """The first in the plan, which begins with the scenario, of the cheapest that are about as good as the best."""
    if not able or able[0].value is None:
        return able[0] if able else None
    best = able[0].value.value
    equal = [item for item in able if item.cost == able[0].cost and item.value is not None]
    good = [item for item in equal if item.value and item.value.value <= best + abs(best) * INDIFFERENT / 2]
    return min(good, key=lambda item: item.index)


def decider(question: Optimize) -> str:
    """Return the metric that decides between settings of equal cost."""
    return next((name for name in question.minimize if name in BY_NAME), question.kpi)


def resources(question: Optimize) -> tuple[str, ...]:
    """Return what is saved before the metric counts: knobs by path and resources by name."""
    return tuple(name for name in question.minimize if name not in BY_NAME)


def _candidate(question: Optimize, spec: ScenarioSpec, summary: PointSummary) -> Candidate:
    cost = tuple(_spent(name, spec, summary) for name in resources(question))
    value = summary.metrics.get(decider(question))
    if value is not None and BY_NAME[decider(question)].better == "higher":
        value = -value
    return Candidate(summary, cost, chance_of(spec.objectives, summary), value)


def _spent(name: str, spec: ScenarioSpec, summary: PointSummary) -> float:
    if name in RESOURCES:
        return RESOURCES[name](with_overrides(spec, summary.overrides))
    return float(summary.overrides[name])


def _probability(chosen: Candidate, candidates: Mapping[int, Candidate]) -> float:
    """Bounds on single comparisons, multiplied; see docs/experiments.md."""
    losses = (1.0 - _wins(rival, chosen) for rival in candidates.values() if rival is not chosen)
    return math.prod(losses, start=chosen.chance)


def _wins(rival: Candidate, chosen: Candidate) -> float:
    """Return the probability that the rival is the better choice."""
    if rival.chance == 0.0 or rival.cost > chosen.cost:
        return 0.0
    if rival.cost < chosen.cost:
        return rival.chance
    if rival.value is None or chosen.value is None:
        return 0.0
    replications = min(rival.summary.replications, chosen.summary.replications)
    return rival.chance * better_chance(rival.value, chosen.value, replications, INDIFFERENT)


def _open(chosen: Candidate, candidates: Mapping[int, Candidate], probability: float) -> frozenset[int]:
    if probability >= ENOUGH:
        return frozenset()
    doubtful = {index for index, item in candidates.items() if item is not chosen and _wins(item, chosen) > 1 - SURE}
    return frozenset({chosen.index, *doubtful})
