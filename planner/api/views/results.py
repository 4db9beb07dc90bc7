"""What a run found: numbers, curves, explanation, verdicts and self-checks."""

from functools import partial

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from planner import selectors
from planner.answers.values import plain, point_out
from planner.api.base import BY_INDEX, answer
from planner.api.negotiation import JSON, forms
from planner.api.reading import whole_of
from planner.api.schemas import runs as bodies
from planner.api.schemas.common import FindingOut
from planner.api.views.tables import CSV, TableViewSet
from planner.models import PointResult, Run
from planner.selectors import StoredPoint
from simulations.declarations.problems import InvalidInput, problem


class ResultViewSet(TableViewSet):
    """What a run found."""

    @extend_schema(operation_id="run_results", responses={(200, JSON): bodies.ResultsOut, (200, CSV): OpenApiTypes.STR})
    @action(detail=True, renderer_classes=forms(JSON, CSV), sorts=BY_INDEX)
    def results(self, request: Request, run_id: str) -> HttpResponseBase:
        """Show the points' metrics with their intervals, page by page; while the run goes on, what is known so far.

        With ``Accept: text/csv`` it is what ``results.csv`` is.
        """
        if request.accepted_renderer.media_type == CSV:
            return self.as_file("csv")
        run = self.get_object()
        return self.paged(run.points.all(), partial(_results, run))

    @extend_schema(
        operation_id="run_series",
        parameters=[
            OpenApiParameter("point", int),
            OpenApiParameter("queue", str, description="Name of the queue; the first one when left out."),
            OpenApiParameter("server", str, description="Name of a server, for its threads by state instead."),
            OpenApiParameter("from", float, description="Seconds of simulated time."),
            OpenApiParameter("to", float),
            OpenApiParameter("points", int, description="Most values, up to 2000."),
        ],
        responses=bodies.SeriesOut,
    )
    @action(detail=True, url_path="series/<str:name>")
    def series(self, request: Request, run_id: str, name: str) -> HttpResponse:
        """Show one column over time: of a queue (backlog, running, p95, …) or of a server (busy, idle_blocked, …)."""
        run = self.get_object()
        point = selectors.run_point(run=run, index=whole_of(request, "point", 0))
        server = request.query_params.get("server", "")
        queue = "" if server else request.query_params.get("queue", run.spec["queues"][0]["name"])
        found = selectors.run_series(
            point=point,
            queue=queue,
            server=server,
            name=name,
            start=_number(request, "from", 0.0),
            stop=_number(request, "to", float("inf")),
            most=whole_of(request, "points", 512, least=1, most=2000),
        )
        values = plain(found[name])
        time = found["time"]
        return answer(
            bodies.SeriesOut(
                run=run.pk, point=point.index, queue=queue, server=server, name=name, time=time, values=values
            )
        )

    @extend_schema(operation_id="run_explanation", responses=bodies.ExplanationOut)
    @action(detail=True, sorts=BY_INDEX)
    def explanation(self, request: Request, run_id: str) -> HttpResponse:
        """Explain the points, page by page; each claim names the overrides whose run reproduces its number."""
        run = self.get_object()
        return self.paged(run.points.all(), partial(_explanation, run))

    @extend_schema(operation_id="run_findings", responses=bodies.FindingsOut)
    @action(detail=True, sorts=BY_INDEX)
    def findings(self, request: Request, run_id: str) -> HttpResponse:
        """Show every rule's verdict at each point with its measured cost, page by page of points."""
        run = self.get_object()
        return self.paged(run.points.all(), partial(_findings, run))

    @extend_schema(operation_id="run_checks", responses=bodies.ChecksOut)
    @action(detail=True)
    def checks(self, request: Request, run_id: str) -> HttpResponse:
        """Show what the engine checked about its own numbers."""
        run = self.get_object()
        stored = selectors.run_points(run=run)
        points = [bodies.PointChecks(index=item.index, checks=plain(item.summary.checks)) for item in stored]
        passed = all(check["passed"] for item in stored for check in item.summary.checks)
        return answer(bodies.ChecksOut(run=run.pk, passed=passed, points=points))


def _results(run: Run, rows: list[PointResult], following: str | None) -> bodies.ResultsOut:
    objectives = run.parsed.objectives
    points = [
        bodies.StoredPointOut(partial=stored.partial, point=point_out(stored.summary, objectives))
        for stored in map(selectors.point_read, rows)
    ]
    return bodies.ResultsOut(run=run.pk, status=run.status, result_hash=run.result_hash, points=points, next=following)


def _explanation(run: Run, rows: list[PointResult], following: str | None) -> bodies.ExplanationOut:
    points = [
        bodies.PointClaims(index=stored.index, claims=_claims(run, stored))
        for stored in map(selectors.point_read, rows)
    ]
    return bodies.ExplanationOut(run=run.pk, points=points, next=following)


def _findings(run: Run, rows: list[PointResult], following: str | None) -> bodies.FindingsOut:
    found = selectors.run_findings(points=[selectors.point_read(row) for row in rows])
    items = [bodies.PointFinding(index=index, finding=FindingOut.model_validate(item)) for index, item in found]
    return bodies.FindingsOut(run=run.pk, items=items, next=following)


def _claims(run: Run, stored: StoredPoint) -> list[bodies.ClaimOut]:
    claims = selectors.run_claims(run=run, point=stored)
    return [bodies.ClaimOut.of(claim, proof=plain(claim.proof)) for claim in claims]


def _number(request: Request, name: str, default: float) -> float:
    text = request.query_params.get(name)
    if text is None:
        return default
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1e12:
        raise InvalidInput([problem((name,), "must be a number from 0", value=text)])
    return number
