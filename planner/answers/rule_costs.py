"""What the broken rules of a scenario cost, answered at once: the live panel's engine, paired with each rule's cure."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from planner.answers.quick import MOST_EVENTS, paired_answers
from simulations.analysis.estimates.summary import Finding, PointSummary
from simulations.declarations.problems import InvalidInput, problem
from simulations.experiment.cures import costly, cures_of
from simulations.scenario.spec import ScenarioSpec

FEWEST_EVENTS = 10_000
"""Of one point: fewer say nothing."""


@dataclass(frozen=True)
class RuleCosts:
    """Each finding that is not ok with its paired cost, and the answer of its cure, None where it has none.

    ``shortened``: the budget made the simulated course shorter than the scenario asks.
    """

    items: tuple[tuple[Finding, PointSummary | None], ...]
    shortened: bool


def rule_costs(
    spec: ScenarioSpec,
    *,
    rules: Collection[str] = (),
    chosen: Mapping[str, Any] | None = None,
    events: int = MOST_EVENTS,
) -> RuleCosts:
    """Return what the broken rules cost (of ``rules``, when given), within a budget of events for all points together.

    ``chosen`` (path -> value) is the cure of rules that offer none. Raises InvalidInput for a rule that the platform
    does not have, for a cure that it forbids, and for more cures than the budget can compare.
    """
    base, cures = cures_of(spec, rules, chosen)
    points = [base, *(cure.point for cure in cures if cure.point is not None)]
    if len(points) == 1:
        return RuleCosts(costly(cures, []), shortened=False)
    if events < FEWEST_EVENTS * len(points):
        message = f"{len(points) - 1} cures need at least {FEWEST_EVENTS * len(points)} events; name fewer rules"
        raise InvalidInput([problem(("events",), message, code="too_large", value=events)])
    answers, shortened = paired_answers(points, events=events)
    return RuleCosts(costly(cures, answers), shortened)
