"""What the broken rules of a scenario cost: each with its cure, measured on request."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from frontend.answers.cards import Card, cards_of
from frontend.site.base import form_page, person
from planner import selectors
from planner.answers.quick import RuleCosts, rule_costs
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.quantities import estimate_text
from simulations.analysis.estimates.summary import Estimate, Finding, PointSummary
from simulations.declarations.problems import InvalidInput, Problem
from simulations.experiment.cures import cures_of
from simulations.scenario.spec import ScenarioSpec

MOST_ROWS = 8


@dataclass(frozen=True)
class Cost:
    """A broken rule. ``rows``: metrics that its cure makes better or worse, with what breaking the rule adds to them.

    ``cured`` is the status of the answer with the cure; empty as long as nothing is measured or there is no cure.
    """

    card: Card
    rows: tuple[tuple[str, str, bool], ...]
    cured: str


@form_page
def scenario_costs(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """List the broken rules of the newest version; measure what they cost when the form is sent."""
    scenario = selectors.scenario_get(user=person(request), scenario_id=scenario_id)
    spec = scenario.version.parsed
    measured: RuleCosts | None = None
    problems: tuple[Problem, ...] = ()
    if request.method == "POST":
        try:
            measured = rule_costs(spec)
        except InvalidInput as error:
            problems = error.problems
    findings = measured.items if measured else [(cure.finding, None) for cure in cures_of(spec)[1]]
    context = {
        "scenario": scenario,
        "costs": tuple(_costs(spec, findings)),
        "measured": measured,
        "problems": problems,
        "section": "scenarios",
    }
    return render(request, "frontend/workbench/costs.html", context, status=422 if problems else 200)


def _costs(spec: ScenarioSpec, findings: Sequence[tuple[Finding, PointSummary | None]]) -> Iterator[Cost]:
    """The broken rules, worst first; the table says what the card of a finding says elsewhere in one line."""
    items = {(finding.rule, finding.message): (finding, cured) for finding, cured in findings}
    for card in cards_of([finding for finding, _ in findings], spec)[0]:
        finding, cured = items[card.rule, card.message]
        yield Cost(replace(card, cost=""), _rows(finding.cost), cured.status if cured else "")


def _rows(cost: Mapping[str, Estimate]) -> tuple[tuple[str, str, bool], ...]:
    """Metrics whose interval leaves zero out: title, difference, and whether that is for the worse."""
    rows = []
    for name, metric in BY_NAME.items():
        item = cost.get(name)
        if item is not None and metric.better != "neither" and (item.low > 0 or item.high < 0):
            rows.append((metric.title, estimate_text(item), (item.value > 0) == (metric.better == "lower")))
    return tuple(rows[:MOST_ROWS])
