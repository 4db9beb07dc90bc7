"""Frozen reports as JSON, HTML file and PDF; their page belongs to the pages."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import ClassVar

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import DOWNLOAD, JSON, ApiViewSet, Listed, Row, Store, answer, created, forms, idempotent
from planner.api.examples import FILES, multipart
from planner.api.reading import UploadParser, files_of, read_body
from planner.api.schemas import reports as bodies
from planner.api.schemas.common import page_of
from planner.api.tagged import Tagged, guarded
from planner.errors import Conflict, NotFound
from planner.models import Report, ReportComment, ReportState, Role, RunStatus
from planner.reports.capsule import capsule, report_json, tables_of, tables_zip
from planner.reports.evidence import drift_evidence
from planner.web.downloads import csv_text, saved_as
from simulations.declarations.problems import InvalidInput

HTML, PDF, ZIP = "text/html", "application/pdf", "application/zip"
DOWNLOADS: Mapping[str, tuple[Callable[[Report], str | bytes], str, str]] = {
    "html": (lambda report: services.report_html(report=report), f"{HTML}; charset=utf-8", ".html"),
    "pdf": (lambda report: services.report_pdf(report=report), PDF, ".pdf"),
    "csv": (lambda report: csv_text(tables_of(report.payload)["results"]), "text/csv; charset=utf-8", ".csv"),
    "json": (lambda report: json.dumps(report_json(report), cls=DjangoJSONEncoder, indent=1), JSON, ".json"),
    "parquet": (tables_zip, ZIP, "-tables.zip"),
    "capsule": (lambda report: capsule(report, services.report_html(report=report)), ZIP, ".zip"),
}
"""How a report is downloaded -> what is in the file, its type, and how its name ends."""
EXPORTING = {"GET": "read", "POST": "export", "DELETE": "export"}


def downloaded(report: Report, form: str) -> HttpResponse:
    """Answer with one of the files of a report."""
    made_of, content_type, ending = DOWNLOADS[form]
    return HttpResponse(made_of(report), content_type=content_type, headers=saved_as(f"{report.pk}{ending}"))


class ReportViewSet(Tagged):
    """The caller's reports."""

    lookup_url_kwarg = "report_id"
    selector, lister = selectors.report_get, selectors.reports_list
    line, body = bodies.ReportLine, bodies.ReportOut
    scopes = EXPORTING
    further_forms: ClassVar = {"retrieve": forms(PDF)}
    further_parsers: ClassVar = {"create": (UploadParser,)}

    def allowed(self, row: Row) -> Row:
        """Let who has no role here ask to sign: that may be a permission of the installation."""
        outside = self.action == "signoff" and not selectors.role_of(row, user=self.caller)
        return row if outside else super().allowed(row)

    @extend_schema(
        request={JSON: bodies.ReportIn, **multipart(bodies.ReportIn, files=FILES)}, responses={201: bodies.ReportLine}
    )
    @idempotent
    def create(self, request: Request) -> Store:
        """Freeze the answer of a run that succeeded."""
        body = read_body(request, bodies.ReportIn)
        try:
            run = self.allowed(selectors.run_get(user=self.caller, run_id=body.run))
        except NotFound as error:
            raise InvalidInput.at(("run",), str(error), value=body.run) from error
        drift = drift_evidence(run.version, files_of(request), body.target)
        about = {"run": run, "drift": drift, **body.model_dump(include={"title", "decider", "decide_by"})}
        return self.creates(services.report_create, bodies.ReportLine, owner=self.caller, **about)

    @extend_schema(responses={(200, JSON): bodies.ReportOut, (200, PDF): OpenApiTypes.BINARY, 304: None})
    def retrieve(self, request: Request, **_: str) -> HttpResponseBase:
        """Show a report with everything it says; with ``Accept: application/pdf`` it is the PDF."""
        if request.accepted_renderer.media_type == PDF:
            return self.as_file("pdf")
        return super().retrieve(request)

    @extend_schema(responses={(200, HTML): OpenApiTypes.STR})
    @action(detail=True, **DOWNLOAD, url_path=".html", renderer_classes=forms(HTML))
    def html(self, request: Request, report_id: str) -> HttpResponse:
        """Download the report as one HTML file that needs no network."""
        return downloaded(self.get_object(), "html")

    @extend_schema(responses={(200, PDF): OpenApiTypes.BINARY})
    @action(detail=True, **DOWNLOAD, url_path=".pdf", renderer_classes=forms(PDF))
    def pdf(self, request: Request, report_id: str) -> HttpResponse:
        """Download the report as PDF with bookmarks and tags; 503 where the machine has no Chromium to print with."""
        return downloaded(self.get_object(), "pdf")

    @extend_schema(responses={(200, ZIP): OpenApiTypes.BINARY})
    @action(detail=True, **DOWNLOAD, url_path=".zip", renderer_classes=forms(ZIP))
    def capsule(self, request: Request, report_id: str) -> HttpResponse:
        """Download the capsule: scenario, results as CSV and Parquet, JSON with its schema, scripts, README."""
        return downloaded(self.get_object(), "capsule")

    @extend_schema(request=bodies.SignoffIn, responses=bodies.ReportLine)
    @action(detail=True, methods=["post"], scopes={"POST": "write"})
    @guarded
    def signoff(self, request: Request, report_id: str) -> HttpResponse:
        """Send a report to review, send it back, review or sign it; the last two need the permission for it."""
        body = read_body(request, bodies.SignoffIn)
        stepped = services.report_step(
            report=self.get_object(), actor=self.caller, to=ReportState(body.to), comment=body.comment
        )
        return answer(bodies.ReportLine.of(stepped), headers={"ETag": self.etag(stepped)})

    @extend_schema(operation_id="share_link_create", request=bodies.ShareLinkIn, responses={201: bodies.ShareLinkOut})
    @action(detail=True, methods=["post"], url_path="share-links")
    def share_links(self, request: Request, report_id: str) -> HttpResponse:
        """Create a link at which anybody may read the report until it expires."""
        report = self.get_object()
        made = services.share_create(report=report, actor=self.caller, days=read_body(request, bodies.ShareLinkIn).days)
        address = request.build_absolute_uri(f"/shared/{made.secret}/")
        return answer(bodies.ShareLinkOut.of(made.row, address=address), 201)

    @extend_schema(operation_id="share_links", responses=page_of(bodies.ShareLine))
    @share_links.mapping.get
    def shares(self, request: Request, report_id: str) -> HttpResponse:
        """List the links that still open the report, for who may share it; their addresses are stored nowhere."""
        report = selectors.report_get(user=self.caller, report_id=report_id)
        links = selectors.share_links(report=report)
        mine = selectors.may(report, Role.PLANNER, user=self.caller)
        return self.listed(links if mine else links.none(), bodies.ShareLine)


class ScenarioReportViewSet(Listed):
    """The caller's reports about all versions of a scenario."""

    scopes = EXPORTING
    line = bodies.ReportLine

    def rows(self) -> QuerySet[Report]:
        """Return those about the scenario."""
        return selectors.reports_list(user=self.caller).filter(run__version__scenario=self.parent_scenario())

    @extend_schema(request=bodies.ScenarioReportIn, responses={201: bodies.ReportLine})
    @idempotent
    def create(self, request: Request, scenario_id: str) -> Store:
        """Freeze the answer of the scenario's newest run that succeeded; 409 when there is none."""
        scenario = self.parent_scenario()
        body = read_body(request, bodies.ScenarioReportIn)
        run = selectors.runs_of_scenario(scenario=scenario).filter(status=RunStatus.SUCCEEDED).first()
        if run is None:
            raise Conflict("no run of this scenario has succeeded yet; start one, or name an equal run at /reports")
        store = partial(services.report_create, owner=self.caller, run=run, title=body.title)
        return lambda: created(bodies.ReportLine.of(store()), "reports")


class CommentViewSet(Listed):
    """What is noted at the sections of a report, by everybody who may read it."""

    lookup_url_kwarg = "comment_id"
    scopes: ClassVar = {"GET": "read", "POST": "write", "DELETE": "write"}
    line = bodies.CommentOut

    def rows(self) -> QuerySet[ReportComment]:
        """Return the comments."""
        report = selectors.report_get(user=self.caller, report_id=self.kwargs["report_id"])
        return report.comments.select_related("author")

    @extend_schema(request=bodies.CommentIn, responses={201: bodies.CommentOut})
    @idempotent
    def create(self, request: Request, report_id: str) -> Store:
        """Note something at a section of the report."""
        report = selectors.report_get(user=self.caller, report_id=report_id)
        store = partial(services.comment_create, report=report, author=self.caller)
        said = read_body(request, bodies.CommentIn).model_dump()
        return lambda: created(bodies.CommentOut.of(store(**said)), f"reports/{report_id}/comments")

    def destroy(self, request: Request, report_id: str, comment_id: str) -> None:
        """Delete a comment of yours, or as an admin of the team anybody's."""
        comment = selectors.comment_get(user=self.caller, comment_id=comment_id)
        services.comment_delete(comment=comment, actor=self.caller)


class ShareLinkViewSet(ApiViewSet):
    """One link."""

    lookup_url_kwarg = "link_id"
    selector = selectors.link_get
    scopes = EXPORTING

    @extend_schema(operation_id="share_link_revoke")
    def destroy(self, request: Request, link_id: str) -> None:
        """End a link now; revoking again changes nothing."""
        services.share_revoke(link=self.get_object(), actor=self.caller)
