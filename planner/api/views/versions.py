"""Versions of a scenario, and what differs between two."""

from typing import ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from planner import selectors
from planner.api.base import ApiView, answer, whole_of
from planner.api.paging import listed
from planner.api.schemas.scenarios import DifferenceOut, DiffOut, VersionOut, VersionsPage
from planner.api.schemas.written import version_out


class VersionsView(ApiView):
    """Versions of a scenario."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="scenario_versions", responses=VersionsPage)
    def get(self, request: Request, scenario_id: str) -> HttpResponse:
        """List the versions, newest first."""
        scenario = selectors.scenario_get(user=request.user, scenario_id=scenario_id)
        rows = selectors.versions_list(scenario=scenario)
        return listed(request, rows, VersionsPage, version_out, sorts=("-number",))


class VersionView(ApiView):
    """One version."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="scenario_version", responses=VersionOut)
    def get(self, request: Request, scenario_id: str, number: int) -> HttpResponse:
        """Show a version."""
        scenario = selectors.scenario_get(user=request.user, scenario_id=scenario_id)
        return answer(version_out(selectors.version_get(scenario=scenario, number=number)))


class DiffView(ApiView):
    """What differs."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(
        operation_id="scenario_diff",
        parameters=[OpenApiParameter("from", int), OpenApiParameter("to", int)],
        responses=DiffOut,
    )
    def get(self, request: Request, scenario_id: str) -> HttpResponse:
        """Show only what differs between two versions; without numbers the last two."""
        scenario = selectors.scenario_get(user=request.user, scenario_id=scenario_id)
        after = whole_of(request, "to", scenario.version.number)
        before = whole_of(request, "from", max(1, after - 1))
        found = selectors.versions_diff(
            before=selectors.version_get(scenario=scenario, number=before),
            after=selectors.version_get(scenario=scenario, number=after),
        )
        differences = [DifferenceOut(path=item.path, before=item.before, after=item.after) for item in found]
        return answer(DiffOut(before=before, after=after, differences=differences))
