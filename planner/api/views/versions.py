"""Versions of a scenario, what differs between two, and what the broken rules of one cost."""

import time
from dataclasses import replace

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from planner import selectors
from planner.answers.quick import RuleCosts, rule_costs
from planner.api.base import ApiViewSet, answer
from planner.api.examples import COST_EXAMPLES
from planner.api.reading import read_body, whole_of
from planner.api.schemas import scenarios as bodies
from planner.api.schemas.common import FindingOut
from planner.api.views.catalogue import READING
from planner.models import ScenarioVersion
from simulations.declarations.problems import InvalidInput

POINTERS = {"/rule": "/rules", "/events": "/events", "/run/horizon": "/events"}
"""Where a problem lies in the body that was sent; every other one is about the cure."""


class VersionViewSet(ApiViewSet):
    """Versions of a scenario."""

    lookup_url_kwarg = "number"
    lookup_value_converter = "int"
    sorts = ("-number",)

    @extend_schema(operation_id="scenario_versions", responses=bodies.VersionsPage)
    def list(self, request: Request, scenario_id: str) -> HttpResponse:
        """List the versions, newest first."""
        return self.listed(selectors.versions_list(scenario=self.parent_scenario()), bodies.VersionsPage, _version)

    @extend_schema(operation_id="scenario_version", responses=bodies.VersionOut)
    def retrieve(self, request: Request, scenario_id: str, number: int) -> HttpResponse:
        """Show a version."""
        return answer(_version(selectors.version_get(scenario=self.parent_scenario(), number=number)))


class DiffViewSet(ApiViewSet):
    """What differs."""

    @extend_schema(
        operation_id="scenario_diff",
        parameters=[OpenApiParameter("from", int), OpenApiParameter("to", int)],
        responses=bodies.DiffOut,
    )
    def list(self, request: Request, scenario_id: str) -> HttpResponse:
        """Show only what differs between two versions; without numbers the last two."""
        scenario = self.parent_scenario()
        after = whole_of(request, "to", scenario.version.number)
        before = whole_of(request, "from", max(1, after - 1))
        found = selectors.versions_diff(
            before=selectors.version_get(scenario=scenario, number=before),
            after=selectors.version_get(scenario=scenario, number=after),
        )
        return answer(
            bodies.DiffOut(before=before, after=after, differences=[bodies.DifferenceOut.of(item) for item in found])
        )


class RuleCostViewSet(ApiViewSet):
    """Costs of broken rules."""

    scopes = READING

    @extend_schema(
        operation_id="scenario_rule_costs",
        request=bodies.RuleCostsIn,
        responses={200: bodies.RuleCostsOut},
        examples=COST_EXAMPLES,
    )
    def create(self, request: Request, scenario_id: str) -> HttpResponse:
        """Simulate a version beside itself with each rule cured, within a budget of events, and answer at once."""
        started = time.perf_counter()
        scenario = self.parent_scenario()
        asked = read_body(request, bodies.RuleCostsIn)
        version = selectors.version_get(scenario=scenario, number=asked.version)
        try:
            found = rule_costs(version.parsed, rules=asked.rules, chosen=asked.cure, events=asked.events)
        except InvalidInput as error:
            raise _in_body(error) from error
        elapsed = time.perf_counter() - started
        return answer(
            bodies.RuleCostsOut(
                scenario=str(scenario.pk),
                version=version.number,
                elapsed_s=elapsed,
                shortened=found.shortened,
                items=_items(found),
            )
        )


def _items(found: RuleCosts) -> list[bodies.RuleCostOut]:
    return [
        bodies.RuleCostOut(finding=FindingOut.model_validate(finding), cured=None if cured is None else cured.status)
        for finding, cured in found.items
    ]


def _in_body(error: InvalidInput) -> InvalidInput:
    return InvalidInput(replace(item, pointer=POINTERS.get(item.pointer, "/cure")) for item in error.problems)


def _version(version: ScenarioVersion) -> bodies.VersionOut:
    return bodies.VersionOut.of(version, parent=version.parent_id, author=version.author.get_username())
