"""What breaking a rule costs: the scenario as it is beside the same one with the rule's cure, message by message."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from simulations.analysis.estimates.summary import Estimate, Finding, PointSummary
from simulations.declarations.problems import InvalidInput, nearest, problem
from simulations.experiment.points import Point, with_overrides
from simulations.scenario.spec import ScenarioSpec


@dataclass(frozen=True)
class Cure:
    """A rule that is broken or a setting that does nothing. ``point`` is the scenario with the cure.

    It is None where the rule offers none: then there is nothing to compare with.
    """

    finding: Finding
    point: Point | None


def cures_of(
    spec: ScenarioSpec, rules: Collection[str] = (), chosen: Mapping[str, Any] | None = None
) -> tuple[Point, tuple[Cure, ...]]:
    """Return point 0, the scenario without its sweep, and every finding that is not ok (of ``rules``, when given).

    ``chosen`` (path -> value) is the cure of rules that offer none, such as one that asks for more capacity. Raises
    InvalidInput for a rule that the platform does not have, and for a cure that it forbids.
    """
    known = [rule.id for rule in spec.family.rules]
    wrong = [
        problem(("rule",), f"unknown rule; {nearest(rule, known)}", value=rule) for rule in rules if rule not in known
    ]
    if wrong:
        raise InvalidInput(wrong)
    base = spec.unswept
    found: list[Cure] = []
    for finding in base.family.derive(base.system).findings:
        if finding.status not in ("violated", "ignored") or (rules and finding.rule not in rules):
            continue
        number, fix = 1 + sum(cure.point is not None for cure in found), finding.fix or chosen or {}
        cured = Point(number, fix, with_overrides(base, fix)) if fix else None
        found.append(Cure(replace(finding, fix=fix), cured))
    return Point(0, {}, base), tuple(found)


def cost_of(cured: PointSummary) -> Mapping[str, Estimate]:
    """Return what the broken rule adds to each metric: the paired difference, with its sign turned."""
    return {name: -item for name, item in cured.differences.items()}


def costly(cures: Sequence[Cure], summaries: Sequence[PointSummary]) -> tuple[tuple[Finding, PointSummary | None], ...]:
    """Return each finding with its paired cost and the answer of its cure, None where it has no cure."""
    by_index = {summary.index: summary for summary in summaries}
    found = []
    for cure in cures:
        cured = None if cure.point is None else by_index[cure.point.index]
        cost = {} if cured is None else dict(cost_of(cured))
        found.append((replace(cure.finding, cost=cost), cured))
    return tuple(found)
