"""What the broken rules of a scenario cost: nothing is stored here."""

import time
from dataclasses import replace
from typing import ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from planner import selectors
from planner.answers.rule_costs import RuleCosts, rule_costs
from planner.api.base import ApiView, answer, read_body
from planner.api.examples import COST_EXAMPLES
from planner.api.schemas.common import FindingOut
from planner.api.schemas.costs import RuleCostOut, RuleCostsIn, RuleCostsOut
from simulations.problems import InvalidInput

POINTERS = {"/rule": "/rules", "/events": "/events", "/run/horizon": "/events"}
"""Where a problem lies in the body that was sent; every other one is about the cure."""


class RuleCostsView(ApiView):
    """Costs of broken rules."""

    scopes: ClassVar = {"POST": "read"}

    @extend_schema(
        operation_id="scenario_rule_costs", request=RuleCostsIn, responses=RuleCostsOut, examples=COST_EXAMPLES
    )
    def post(self, request: Request, scenario_id: str) -> HttpResponse:
        """Simulate a version beside itself with each rule cured, within a budget of events, and answer at once."""
        started = time.perf_counter()
        scenario = selectors.scenario_get(user=request.user, scenario_id=scenario_id)
        asked = read_body(request, RuleCostsIn)
        version = selectors.version_get(scenario=scenario, number=asked.version)
        try:
            found = rule_costs(version.parsed, rules=asked.rules, chosen=asked.cure, events=asked.events)
        except InvalidInput as error:
            raise _in_body(error) from error
        elapsed = time.perf_counter() - started
        return answer(
            RuleCostsOut(
                scenario=str(scenario.pk),
                version=version.number,
                elapsed_s=elapsed,
                shortened=found.shortened,
                items=_items(found),
            )
        )


def _items(found: RuleCosts) -> list[RuleCostOut]:
    return [
        RuleCostOut(finding=FindingOut.model_validate(finding), cured=None if cured is None else cured.status)
        for finding, cured in found.items
    ]


def _in_body(error: InvalidInput) -> InvalidInput:
    return InvalidInput(replace(item, pointer=POINTERS.get(item.pointer, "/cure")) for item in error.problems)
