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
    every objective, that no cheaper one does, and that none of equal cost is better by more than the question's
    ``indifference``; without a chosen one that no point meets every objective. ``status``: ``infeasible`` only with the
    question's ``confidence``, before that ``open``.
    """

    status: Literal["recommended", "infeasible", "open"]
    candidates: Mapping[int, Candidate]
    chosen: Candidate | None
    runner_up: Candidate | None
    probability: float
    open: frozenset[int]


def best_of(question: Optimize, spec: ScenarioSpec, answers: Answers) -> Best:
    """Return the choice from the answers so far."""
    candidates = {index: _candidate(question, spec, summary) for index, summary in answers.items()}
    able = sorted((item for item in candidates.values() if item.chance > 0.5), key=lambda item: item.order)
    chosen = _first_as_good(question, able)
    runner_up = _first_as_good(question, [item for item in able if item is not chosen])
    if chosen is None:
        unsure = frozenset(index for index, item in candidates.items() if item.chance > 1 - SURE)
        none_feasible = math.prod(1.0 - item.chance for item in candidates.values())
        status: Literal["infeasible", "open"] = "infeasible" if none_feasible >= question.confidence else "open"
        return Best(status, candidates, None, None, none_feasible, unsure)
    probability = _probability(question, chosen, candidates)
    undecided = frozenset() if probability >= question.confidence else _undecided(question, chosen, candidates)
    return Best("recommended", candidates, chosen, runner_up, probability, undecided)


def nearest_cheaper(best: Best) -> Candidate | None:
    """Return the best of those that would cost less than the chosen one; None where none was searched."""
    if best.chosen is None:
        return None
    cheaper = [item for item in best.candidates.values() if item.cost < best.chosen.cost]
    return max(cheaper, key=_nearness, default=None)


def _nearness(item: Candidate) -> tuple[float, bool, float]:
    value = -item.value.value if item.value else -math.inf
    return item.chance, item.summary.status != "unstable", value


def _first_as_good(question: Optimize, able: list[Candidate]) -> Candidate | None:
    """The first in the plan, which begins with the scenario, of the cheapest that are about as good as the best."""
    if not able or able[0].value is None:
        return able[0] if able else None
    best = able[0].value.value
    equal = [item for item in able if item.cost == able[0].cost and item.value is not None]
    good = [item for item in equal if item.value and item.value.value <= best + abs(best) * question.indifference / 2]
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


def _probability(question: Optimize, chosen: Candidate, candidates: Mapping[int, Candidate]) -> float:
    """Bounds on single comparisons, multiplied; see docs/experiments.md."""
    losses = (1.0 - _wins(question, rival, chosen) for rival in candidates.values() if rival is not chosen)
    return math.prod(losses, start=chosen.chance)


def _wins(question: Optimize, rival: Candidate, chosen: Candidate) -> float:
    """Return the probability that the rival is the better choice."""
    if rival.chance == 0.0 or rival.cost > chosen.cost:
        return 0.0
    if rival.cost < chosen.cost:
        return rival.chance
    if rival.value is None or chosen.value is None:
        return 0.0
    replications = min(rival.summary.replications, chosen.summary.replications)
    return rival.chance * better_chance(rival.value, chosen.value, replications, question.indifference)


def _undecided(question: Optimize, chosen: Candidate, candidates: Mapping[int, Candidate]) -> frozenset[int]:
    rivals = (index for index, item in candidates.items() if item is not chosen)
    doubtful = {index for index in rivals if _wins(question, candidates[index], chosen) > 1 - SURE}
    return frozenset({chosen.index, *doubtful})
