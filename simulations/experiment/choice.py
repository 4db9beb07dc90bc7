"""The best of many settings: what meets the objectives at the lowest cost, and how sure that is.

Named procedure: comparison in pairs under common random numbers with the Bonferroni inequality (Clark and Yang 1986;
procedure C of Nelson and Matejcik, Management Science 41, 1995), in stages; objectives with a zone of tolerance
(Andradóttir and Kim, Naval Research Logistics 57, 2010). ADR 107 says why, and what a wrong choice would take.
"""

import math
from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Literal

from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.experiment.names import RESOURCES
from simulations.experiment.points import Answers, with_overrides
from simulations.experiment.questions import STAGE, Optimize
from simulations.experiment.verdicts import better_chance, chance_of, least_lost, lost_more, paired_error
from simulations.scenario.runsettings import Replications
from simulations.scenario.spec import ScenarioSpec

Cost = tuple[float, ...]
ERRORS = 3
"""Ways to be wrong, which share evenly what may go wrong at one look at the answers: see ``Risks``."""


@dataclass(frozen=True)
class Candidate:
    """A point in the search. ``value`` is what decides between equal costs, smaller first; None where it has none.

    ``chance``: probability that it meets every objective; ``clear_chance``: that it does with the question's
    indifference to spare, relative to each bound. What cannot meet them so may be dismissed. Both are 0 where it loses
    more messages than the scenario as it is (``least_lost``).
    """

    summary: PointSummary
    cost: Cost
    chance: float
    clear_chance: float
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
class Risks:
    """What could be wrong with a choice, as probabilities at one stage.

    ``taken``: that the chosen point, or any that might have been, misses an objective. ``dismissed``: by point, that it
    meets them although it is cheaper or would be better. ``preferred``: by point, that it is better at the same cost.
    The truly best setting is one setting: the largest of ``dismissed`` and of ``preferred`` bounds what happens to it.
    """

    taken: float
    dismissed: Mapping[int, float]
    preferred: Mapping[int, float]

    def none_at(self, looks: int) -> float:
        """Return the least probability that none comes true at so many stages, by the Bonferroni inequality."""
        once = self.taken + max(self.dismissed.values(), default=0.0) + max(self.preferred.values(), default=0.0)
        return max(0.0, 1.0 - looks * once)

    def above(self, level: float) -> frozenset[int]:
        """Return the points whose risk is larger than ``level``."""
        doubts = (*self.dismissed.items(), *self.preferred.items())
        return frozenset(index for index, risk in doubts if risk > level)


@dataclass(frozen=True)
class Best:
    """The outcome: ``chosen`` and the ``runner_up`` that would be chosen without it.

    ``open``: points whose replications could still change the choice. ``dismissed``: points that surely miss an
    objective. ``probability``: a lower bound for the probability that the chosen point meets every objective, that no
    cheaper one does with the question's ``indifference`` to spare, and that none of equal cost that does is better by
    more than it; without a chosen one that no point meets every objective. ``status``: ``infeasible`` only with the
    question's ``confidence``, before that ``open``.
    """

    status: Literal["recommended", "infeasible", "open"]
    candidates: Mapping[int, Candidate]
    chosen: Candidate | None
    runner_up: Candidate | None
    probability: float
    open: frozenset[int]
    dismissed: frozenset[int] = frozenset()


def stages(replications: Replications) -> int:
    """Return how often a search judges a point at most: after the fewest replications, and after every stage."""
    return 1 + math.ceil(math.log(replications.max / replications.min, STAGE) - 1e-9)


def best_of(
    question: Optimize, spec: ScenarioSpec, answers: Answers, costs: MutableMapping[int, Cost] | None = None
) -> Best:
    """Return the choice from the answers so far. ``costs`` of points are taken from there, or put there once known."""
    costs = {} if costs is None else costs
    for index in answers.keys() - costs.keys():
        costs[index] = tuple(spent(name, spec, answers[index]) for name in resources(question))
    allowed = least_lost(answers.get(0), answers.values())
    candidates = {index: _candidate(question, spec, answers[index], costs[index], allowed) for index in answers}
    looks = stages(spec.run.replications)
    per_look = (1.0 - question.confidence) / looks
    per_error = per_look / ERRORS
    dismissed = frozenset(index for index, item in candidates.items() if item.clear_chance <= per_error)
    able = sorted(_able(candidates.values(), per_error), key=lambda item: item.order)
    chosen = _first_as_good(question, able)
    risks = _risks(question, chosen, candidates)
    sure = risks.none_at(looks)
    if chosen is None:
        status: Literal["infeasible", "open"] = "infeasible" if sure >= question.confidence else "open"
        return Best(status, candidates, None, None, sure, risks.above(per_look), dismissed)
    runner_up = _first_as_good(question, [item for item in able if item is not chosen])
    in_doubt = frozenset[int]() if sure >= question.confidence else _in_doubt(risks, chosen, per_error)
    return Best("recommended", candidates, chosen, runner_up, sure, in_doubt, dismissed)


def _in_doubt(risks: Risks, chosen: Candidate, level: float) -> frozenset[int]:
    """The points whose risk is above ``level``; the chosen one among them where it may miss, or one may be better."""
    rivals = risks.above(level)
    return rivals | {chosen.index} if risks.taken > level or risks.preferred.keys() & rivals else rivals


def nearest_cheaper(best: Best) -> Candidate | None:
    """Return the best of those that would cost less than the chosen one; None where none was searched."""
    if best.chosen is None:
        return None
    cheaper = [item for item in best.candidates.values() if item.cost < best.chosen.cost]
    return max(cheaper, key=lambda item: (item.chance, item.summary.status != "unstable", -item.order[1]), default=None)


def _able(candidates: Iterable[Candidate], level: float) -> list[Candidate]:
    """Those that more likely than not meet the objectives; one so near to a bound that it may be dismissed is not
    waited for until it is sure to meet it."""
    return [
        item for item in candidates if item.chance > 0.5 and (item.clear_chance > level or 1.0 - item.chance <= level)
    ]


def _first_as_good(question: Optimize, able: list[Candidate]) -> Candidate | None:
    """The first in the plan, which begins with the scenario, of the cheapest that are about as good as the best."""
    if not able or able[0].value is None:
        return able[0] if able else None
    best = able[0].value.value
    equal = [item for item in able if item.cost == able[0].cost and item.value is not None]
    good = [item for item in equal if item.value and item.value.value <= best + abs(best) * question.indifference / 2]
    return min(good, key=lambda item: item.index)


def resources(question: Optimize) -> tuple[str, ...]:
    """Return what is saved before the metric counts: knobs by path and resources by name."""
    return tuple(name for name in question.minimize if name not in BY_NAME)


def _candidate(
    question: Optimize, spec: ScenarioSpec, summary: PointSummary, cost: Cost, allowed: PointSummary | None
) -> Candidate:
    value = summary.metrics.get(question.decider)
    if value is not None and BY_NAME[question.decider].better == "higher":
        value = -value
    if lost_more(spec.objectives, summary, allowed):
        return Candidate(summary, cost, 0.0, 0.0, value)
    chance = chance_of(spec.objectives, summary)
    clear = chance_of(spec.objectives, summary, spare=question.indifference)
    return Candidate(summary, cost, chance, clear, value)


def spent(name: str, spec: ScenarioSpec, summary: PointSummary) -> float:
    """Return what a point takes of a resource, or the value that it gives a setting."""
    if name in RESOURCES:
        return RESOURCES[name](with_overrides(spec, summary.overrides))
    return float(summary.overrides[name])


def _risks(question: Optimize, chosen: Candidate | None, candidates: Mapping[int, Candidate]) -> Risks:
    """What could be wrong with the choice. Each rival is dismissed or compared, whichever is surer; all are dismissed
    where none is chosen."""
    if chosen is None:
        return Risks(0.0, {index: item.clear_chance for index, item in candidates.items()}, {})
    might = sum(item.cost <= chosen.cost and item.summary.status != "unstable" for item in candidates.values())
    rivals = sum(item.cost == chosen.cost for item in candidates.values()) - 1
    dismissed, preferred = {}, {}
    for index, item in candidates.items():
        if item is chosen or item.cost > chosen.cost:
            continue
        worse = math.inf if item.cost < chosen.cost else rivals * _better(question, item, chosen)
        if worse < item.clear_chance:
            preferred[index] = worse
        else:
            dismissed[index] = item.clear_chance
    return Risks(might * (1.0 - chosen.chance), dismissed, preferred)


def _better(question: Optimize, rival: Candidate, chosen: Candidate) -> float:
    """Return the probability that the rival's value is better by more than the indifference, compared in pairs."""
    if rival.value is None or chosen.value is None:
        return 0.0
    replications = min(rival.summary.replications, chosen.summary.replications)
    error = paired_error(rival.summary, chosen.summary, question.decider)
    return better_chance(rival.value, chosen.value, replications, question.indifference, error=error)
