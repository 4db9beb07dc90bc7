"""What breaking a rule costs: the scenario as it is against the same one with the rule's cure, message by message."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from simulations.analysis.estimates.summary import Finding, PointSummary
from simulations.declarations.problems import InvalidInput, nearest, problem
from simulations.experiment.points import Point, with_overrides
from simulations.scenario.spec import ScenarioSpec


@dataclass(frozen=True)
class Cure:
    """A broken rule or an ignored setting; ``point`` is the scenario with the cure, None where the rule offers none."""

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
    cures: list[Cure] = []
    for finding in base.family.derive(base.system).findings:
        if finding.status not in ("violated", "ignored") or (rules and finding.rule not in rules):
            continue
        number, fix = 1 + sum(cure.point is not None for cure in cures), finding.fix or chosen or {}
        cured = Point(number, fix, with_overrides(base, fix)) if fix else None
        cures.append(Cure(replace(finding, fix=fix), cured))
    return Point(0, {}, base), tuple(cures)


def costly(cures: Sequence[Cure], summaries: Sequence[PointSummary]) -> tuple[tuple[Finding, PointSummary | None], ...]:
    """Return each finding with its cost, the paired difference with its sign turned, and its cure's answer or None."""
    by_index = {summary.index: summary for summary in summaries}
    answers = [by_index[cure.point.index] if cure.point else None for cure in cures]
    costs = [{name: -item for name, item in answer.differences.items()} if answer else {} for answer in answers]
    return tuple(
        (replace(cure.finding, cost=cost), answer) for cure, cost, answer in zip(cures, costs, answers, strict=True)
    )
