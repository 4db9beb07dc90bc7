"""Baselines: one pinned version for each application."""

from functools import partial
from typing import ClassVar

from django.contrib.auth.models import User
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import ApiView, Store, answer, idempotent, read_body
from planner.api.examples import BASELINE_EXAMPLES
from planner.api.paging import listed
from planner.api.schemas.baselines import BaselineIn, BaselineOut, BaselinesPage
from planner.models import Baseline


class BaselinesView(ApiView):
    """Baselines."""

    scopes: ClassVar = {"GET": "read", "POST": "write"}

    @extend_schema(operation_id="baselines", parameters=[OpenApiParameter("application", str)], responses=BaselinesPage)
    def get(self, request: Request) -> HttpResponse:
        """List the caller's baselines, newest first."""
        rows = selectors.baselines_list(user=request.user, application=request.query_params.get("application", ""))
        return listed(request, rows, BaselinesPage, partial(_out, self.caller), sorts=("-created_at", "application"))

    @extend_schema(
        operation_id="baseline_pin", request=BaselineIn, responses={201: BaselineOut}, examples=BASELINE_EXAMPLES
    )
    @idempotent
    def post(self, request: Request) -> Store:
        """Pin a version as the baseline of an application; the one that was pinned before is taken off."""
        asked = read_body(request, BaselineIn)
        scenario = selectors.scenario_get(user=request.user, scenario_id=asked.scenario)
        version = selectors.version_get(scenario=scenario, number=asked.version)

        def store() -> HttpResponse:
            made = services.baseline_pin(owner=self.caller, version=version, application=asked.application)
            return answer(_out(self.caller, made), 201, {"Location": f"/api/v1/baselines/{made.pk}"})

        return store


class BaselineView(ApiView):
    """One baseline."""

    scopes: ClassVar = {"GET": "read", "DELETE": "write"}

    @extend_schema(operation_id="baseline", responses=BaselineOut)
    def get(self, request: Request, baseline_id: str) -> HttpResponse:
        """Show a baseline, also one that was taken off."""
        return answer(_out(self.caller, selectors.baseline_get(user=request.user, baseline_id=baseline_id)))

    @extend_schema(operation_id="baseline_unpin", responses={204: None})
    def delete(self, request: Request, baseline_id: str) -> HttpResponse:
        """Take a baseline off; the version and its runs stay."""
        found = selectors.baseline_get(user=request.user, baseline_id=baseline_id)
        services.baseline_unpin(baseline=found, actor=self.caller)
        return HttpResponse(status=204)


def _out(user: User, baseline: Baseline) -> BaselineOut:
    version = baseline.version
    run = selectors.baseline_run(user=user, baseline=baseline)
    return BaselineOut(
        id=baseline.pk,
        application=baseline.application,
        scenario=version.scenario_id,
        scenario_name=version.scenario.name,
        version=version.number,
        content_hash=version.content_hash,
        run=run.pk if run else None,
        run_status=run.status if run else None,
        pinned_at=baseline.created_at,
    )
