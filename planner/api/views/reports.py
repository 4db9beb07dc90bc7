"""Frozen reports as JSON, HTML file and PDF; their page belongs to the pages."""

from typing import ClassVar

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import ApiView, FileView, Store, answer, idempotent, read_body
from planner.api.negotiation import JSON, forms
from planner.api.paging import listed
from planner.api.schemas.access import (
    ReportIn,
    ReportLine,
    ReportOut,
    ReportsPage,
    ScenarioReportIn,
    ShareLinkIn,
    ShareLinkOut,
    SignoffIn,
)
from planner.api.schemas.written import report_line
from planner.errors import Conflict, NotFound
from planner.models import ReportState, RunStatus
from planner.reports.capsule import capsule
from planner.web.downloads import saved_as
from simulations.problems import InvalidInput, problem

HTML, PDF, ZIP = "text/html", "application/pdf", "application/zip"


class ReportsView(ApiView):
    """Reports."""

    scopes: ClassVar = {"GET": "read", "POST": "export"}

    @extend_schema(operation_id="reports", responses=ReportsPage)
    def get(self, request: Request) -> HttpResponse:
        """List the caller's reports, newest first."""
        return listed(request, selectors.reports_list(user=request.user), ReportsPage, report_line)

    @extend_schema(operation_id="report_create", request=ReportIn, responses={201: ReportLine})
    @idempotent
    def post(self, request: Request) -> Store:
        """Freeze the answer of a run that succeeded."""
        asked = read_body(request, ReportIn)
        try:
            run = selectors.run_get(user=request.user, run_id=asked.run)
        except NotFound as error:
            raise InvalidInput([problem(("run",), str(error), value=asked.run)]) from error

        def store() -> HttpResponse:
            report = services.report_create(
                run=run, owner=self.caller, title=asked.title, decider=asked.decider, decide_by=asked.decide_by
            )
            return answer(report_line(report), 201, {"Location": f"/api/v1/reports/{report.pk}"})

        return store


class ScenarioReportsView(ApiView):
    """Reports of a scenario."""

    scopes: ClassVar = {"GET": "read", "POST": "export"}

    @extend_schema(operation_id="scenario_reports", responses=ReportsPage)
    def get(self, request: Request, scenario_id: str) -> HttpResponse:
        """List the caller's reports about all versions of a scenario, newest first."""
        scenario = selectors.scenario_get(user=request.user, scenario_id=scenario_id)
        rows = selectors.reports_list(user=request.user).filter(run__version__scenario=scenario)
        return listed(request, rows, ReportsPage, report_line)

    @extend_schema(operation_id="scenario_report_create", request=ScenarioReportIn, responses={201: ReportLine})
    @idempotent
    def post(self, request: Request, scenario_id: str) -> Store:
        """Freeze the answer of the scenario's newest run that succeeded; 409 when there is none."""
        scenario = selectors.scenario_get(user=request.user, scenario_id=scenario_id)
        asked = read_body(request, ScenarioReportIn)
        run = selectors.runs_of_scenario(scenario=scenario).filter(status=RunStatus.SUCCEEDED).first()
        if run is None:
            raise Conflict("no run of this scenario has succeeded yet; start one")

        def store() -> HttpResponse:
            report = services.report_create(run=run, owner=self.caller, title=asked.title)
            return answer(report_line(report), 201, {"Location": f"/api/v1/reports/{report.pk}"})

        return store


class ReportView(ApiView):
    """One report."""

    scopes: ClassVar = {"GET": "read"}
    renderer_classes = forms(JSON, PDF)

    @extend_schema(operation_id="report", responses={(200, JSON): ReportOut, (200, PDF): OpenApiTypes.BINARY})
    def get(self, request: Request, report_id: str) -> HttpResponseBase:
        """Show a report with everything it says; with ``Accept: application/pdf`` it is the PDF."""
        if request.accepted_renderer.media_type == PDF:
            return ReportPdfView.as_view()(request._request, report_id=report_id)
        report = selectors.report_get(user=request.user, report_id=report_id)
        return answer(ReportOut(**report_line(report).model_dump(), payload=report.payload))


class ReportHtmlView(FileView):
    """One report as a file."""

    renderer_classes = forms(HTML)

    @extend_schema(operation_id="report_html", responses={(200, HTML): OpenApiTypes.STR})
    def get(self, request: Request, report_id: str) -> HttpResponse:
        """Download the report as one HTML file that needs no network."""
        report = selectors.report_get(user=request.user, report_id=report_id)
        content = services.report_html(report=report)
        return HttpResponse(content, content_type=f"{HTML}; charset=utf-8", headers=saved_as(f"{report.pk}.html"))


class ReportPdfView(FileView):
    """One report on paper."""

    renderer_classes = forms(PDF)

    @extend_schema(operation_id="report_pdf", responses={(200, PDF): OpenApiTypes.BINARY})
    def get(self, request: Request, report_id: str) -> HttpResponse:
        """Download the report as PDF with bookmarks and tags; 503 where the machine has no Chromium to print with."""
        report = selectors.report_get(user=request.user, report_id=report_id)
        content = services.report_pdf(report=report)
        return HttpResponse(content, content_type=PDF, headers=saved_as(f"{report.pk}.pdf"))


class ReportCapsuleView(FileView):
    """One report with all that it takes to compute it again."""

    renderer_classes = forms(ZIP)

    @extend_schema(operation_id="report_capsule", responses={(200, ZIP): OpenApiTypes.BINARY})
    def get(self, request: Request, report_id: str) -> HttpResponse:
        """Download the capsule: scenario, results as CSV and Parquet, JSON with its schema, scripts, README."""
        report = selectors.report_get(user=request.user, report_id=report_id)
        content = capsule(report, services.report_html(report=report))
        return HttpResponse(content, content_type=ZIP, headers=saved_as(f"{report.pk}.zip"))


class SignoffView(ApiView):
    """Sign-off."""

    scopes: ClassVar = {"POST": "write"}

    @extend_schema(operation_id="report_signoff", request=SignoffIn, responses=ReportLine)
    def post(self, request: Request, report_id: str) -> HttpResponse:
        """Send a report to review, send it back, review or sign it; the last two need the permission for it."""
        report = selectors.report_get(user=request.user, report_id=report_id)
        asked = read_body(request, SignoffIn)
        stepped = services.report_step(
            report=report, actor=self.caller, to=ReportState(asked.to), comment=asked.comment
        )
        return answer(report_line(stepped))


class ShareLinksView(ApiView):
    """Links to read a report."""

    scopes: ClassVar = {"POST": "export"}

    @extend_schema(operation_id="share_link_create", request=ShareLinkIn, responses={201: ShareLinkOut})
    def post(self, request: Request, report_id: str) -> HttpResponse:
        """Make a link at which anybody may read the report until it expires."""
        report = selectors.report_get(user=request.user, report_id=report_id)
        made = services.share_create(report=report, actor=self.caller, days=read_body(request, ShareLinkIn).days)
        address = request.build_absolute_uri(f"/shared/{made.secret}/")
        link = made.link
        return answer(ShareLinkOut(id=link.pk, report=report.pk, address=address, expires_at=link.expires_at), 201)


class ShareLinkView(ApiView):
    """One link."""

    scopes: ClassVar = {"DELETE": "export"}

    @extend_schema(operation_id="share_link_revoke", responses={204: None})
    def delete(self, request: Request, link_id: str) -> HttpResponse:
        """End a link now; revoking again changes nothing."""
        link = selectors.share_get(user=request.user, link_id=link_id)
        services.share_revoke(link=link, actor=self.caller)
        return HttpResponse(status=204)
