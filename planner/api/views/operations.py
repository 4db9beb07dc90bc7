"""For those who operate the service: health, versions, metrics and the OpenAPI document."""

import json
from typing import Any, ClassVar

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from prometheus_client import CONTENT_TYPE_LATEST
from rest_framework.decorators import action
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from planner.api.auth import MetricsPermission
from planner.api.base import ApiView, ApiViewSet, ByAddress, answer, forms
from planner.api.openapi import openapi_document
from planner.api.schemas.catalogue import HealthOut, VersionsOut
from planner.errors import NotFound
from planner.jobs.metrics import NEEDED, OK, metrics_text, parts_states
from simulations import ENGINE_VERSION
from simulations.platforms import PLATFORMS

METRICS = "text/plain"


class OpenView(ApiView):
    """Answers everybody, and touches no session."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = ()


class HealthViewSet(OpenView, ApiViewSet):
    """Liveness and readiness."""

    @extend_schema(operation_id="health_live", responses=HealthOut)
    @action(detail=False)
    def live(self, request: Request) -> HttpResponse:
        """Say that the process answers."""
        return answer(HealthOut(status="ok", parts={}))

    @extend_schema(operation_id="health_ready", responses={200: HealthOut, 503: HealthOut})
    @action(detail=False)
    def ready(self, request: Request) -> HttpResponse:
        """Say which parts answer, and for how long another one has not; 503 without database or broker."""
        parts = parts_states()
        ready = all(parts[part] == OK for part in NEEDED)
        return answer(HealthOut(status="ok" if ready else "unavailable", parts=dict(parts)), 200 if ready else 503)


class VersionView(OpenView):
    """Versions."""

    @extend_schema(operation_id="version", responses=VersionsOut)
    def get(self, request: Request) -> HttpResponse:
        """Name the versions of engine, platform rules and API."""
        rules = {family.name: family.rules_version for family in PLATFORMS.values()}
        return answer(VersionsOut(product="Sluice", engine=ENGINE_VERSION, rules=rules, api=settings.API_VERSION))


class MetricsView(ApiView):
    """Numbers for those who watch over the service."""

    scopes: ClassVar = {"GET": "admin"}
    permission_classes = (MetricsPermission,)
    renderer_classes = forms(METRICS)
    content_negotiation_class = ByAddress
    throttle_classes = ()

    @extend_schema(operation_id="metrics", responses={(200, METRICS): OpenApiTypes.STR})
    def get(self, request: Request) -> HttpResponse:
        """Show the state of runs, workers, Spark and requests in Prometheus' text format; nothing about persons. For
        administrators and service accounts with the scope ``admin``, and for the networks of ``METRICS_NETWORKS``."""
        return HttpResponse(metrics_text(), content_type=CONTENT_TYPE_LATEST)


@extend_schema(exclude=True)
class OpenApiView(OpenView):
    """The OpenAPI document."""

    def get(self, request: Request) -> HttpResponse:
        """Return the OpenAPI document."""
        return HttpResponse(json.dumps(openapi_document()), content_type="application/json")


@extend_schema(exclude=True)
class UnknownView(ApiView):
    """Addresses that do not exist."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Tell those who are signed in; others must sign in first."""
        self.perform_authentication(request)
        if not request.user.is_authenticated:
            self.permission_denied(request)
        raise NotFound("address", request.path)
