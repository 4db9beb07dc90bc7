"""Addresses of the REST API, below api/v1/."""

from typing import Any, cast

from django.urls import URLPattern, path, re_path
from django.views.generic import RedirectView
from rest_framework.routers import DynamicRoute, Route, SimpleRouter

from planner.api.base import BY_INDEX, JSON, forms
from planner.api.views import (
    access,
    calibrations,
    catalogue,
    comparisons,
    configuration,
    events,
    inventory,
    operations,
    reports,
    results,
    runs,
    scenarios,
    teams,
)


class Router(SimpleRouter):
    """Names a collection ``runs`` and one of it ``run``. An action's ``url_path`` may be an ending such as ``.pdf``."""

    routes = [  # noqa: RUF012 - the framework's own form
        Route("{prefix}", {"get": "list", "post": "create"}, "{basename}s", detail=False, initkwargs={}),
        DynamicRoute("{prefix}/{url_path}", "{basename}-{url_name}", detail=False, initkwargs={}),
        DynamicRoute("{prefix}/{lookup}/{url_path}", "{basename}-{url_name}", detail=True, initkwargs={}),
        Route(
            "{prefix}/{lookup}",
            {"get": "retrieve", "patch": "partial_update", "delete": "destroy"},
            "{basename}",
            detail=True,
            initkwargs={},
        ),
    ]

    def _get_dynamic_route(self, route: DynamicRoute, action: Any) -> Route:
        dynamic = super()._get_dynamic_route(route, action)
        return dynamic._replace(url=dynamic.url.replace("/.", "."))


SCENARIO, RUN, SERVICE = "scenarios/<str:scenario_id>", "runs/<str:run_id>", "service-accounts/<str:service_id>"
TEAM = "teams/<str:team_id>"
router = Router(trailing_slash=False, use_regex_path=False)
router.register("health", operations.HealthViewSet, "health")
router.register("platforms", catalogue.PlatformViewSet, "platform")
router.register("presets", catalogue.PresetViewSet, "preset")
router.register("derive", catalogue.DeriveViewSet, "derive")
router.register("quick-runs", catalogue.QuickRunViewSet, "quick-run")
router.register("servers", inventory.ServerViewSet, "server")
router.register("queues", inventory.QueueViewSet, "queue")
router.register("scenarios", scenarios.ScenarioViewSet, "scenario")
router.register(f"{SCENARIO}/versions", scenarios.VersionViewSet, "scenario-version")
router.register(f"{SCENARIO}/diff", scenarios.DiffViewSet, "scenario-diff")
router.register(f"{SCENARIO}/drift", configuration.ScenarioDriftViewSet, "scenario-drift")
router.register(f"{SCENARIO}/exports", configuration.ScenarioExportViewSet, "scenario-export")
router.register(f"{SCENARIO}/runs", runs.ScenarioRunViewSet, "scenario-run")
router.register(f"{SCENARIO}/reports", reports.ScenarioReportViewSet, "scenario-report")
router.register("comparisons", comparisons.ComparisonViewSet, "comparison")
router.register("baselines", comparisons.BaselineViewSet, "baseline")
router.register("runs", runs.RunViewSet, "run")
router.register("runs", results.ResultViewSet, "results")
router.register(f"{RUN}/events", events.RunEventViewSet, "run-event")
router.register(f"{RUN}/exports", configuration.RunExportViewSet, "run-export")
router.register("imports", configuration.ImportViewSet, "import")
router.register("exports", configuration.ExportViewSet, "export")
router.register("experiments", runs.ExperimentViewSet, "experiment")
router.register("calibrations", calibrations.CalibrationViewSet, "calibration")
router.register("reports", reports.ReportViewSet, "report")
router.register("reports/<str:report_id>/comments", reports.CommentViewSet, "report-comment")
router.register("share-links", reports.ShareLinkViewSet, "share-link")
router.register("teams", teams.TeamViewSet, "team")
router.register(f"{TEAM}/members", teams.MemberViewSet, "team-member")
router.register(f"{TEAM}/invitations", teams.InvitationViewSet, "invitation")
router.register("memberships", teams.MembershipViewSet, "membership")
router.register(f"{TEAM}/events", teams.TeamEventViewSet, "team-event")
router.register("events", teams.EventViewSet, "event")
router.register("hand-overs", teams.HandOverViewSet, "hand-over")
router.register("tokens", access.TokenViewSet, "token")
router.register("webhooks", access.WebhookViewSet, "webhook")
router.register("service-accounts", access.ServiceAccountViewSet, "service-account")
router.register(f"{SERVICE}/tokens", access.ServiceTokenViewSet, "service-token")

app_name = "api"
urlpatterns: list[URLPattern] = [  # what has no ``schema`` is another way to what the document lists
    path("openapi.json", operations.OpenApiView.as_view(), name="openapi"),
    path("docs", RedirectView.as_view(url="/help/api/"), name="docs"),
    path("version", operations.VersionView.as_view(), name="version"),
    path("metrics", operations.MetricsView.as_view(), name="metrics"),
    path(
        f"{RUN}/results.json",
        results.ResultViewSet.as_view({"get": "results"}, renderer_classes=forms(JSON), sorts=BY_INDEX, schema=None),
        name="results-json",
    ),
    path(
        "reports/<str:report_id>.json",
        reports.ReportViewSet.as_view({"get": "retrieve"}, further_forms={}, schema=None),
        name="report-json",
    ),
    *cast("list[URLPattern]", router.urls),
    re_path(r"^.*$", operations.UnknownView.as_view(), name="unknown"),
]
