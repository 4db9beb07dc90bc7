"""What a run found: numbers, curves, explanation, verdicts and checks; as JSON and as files for other programs."""

from collections.abc import AsyncIterator, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from planner import selectors
from planner.answers.claims import point_claims
from planner.answers.values import PointOut, plain, point_out
from planner.api.base import BY_INDEX, DOWNLOAD, JSON, READ, ApiViewSet, answer, forms
from planner.api.reading import whole_of
from planner.api.schemas import runs as bodies
from planner.api.schemas.common import page_of
from planner.models import PointResult, Run
from planner.selectors import StoredPoint
from planner.selectors.results import DOWNLOADS, run_table
from planner.web.downloads import csv_text, saved_as
from simulations.declarations.problems import InvalidInput, nearest
from simulations.experiment import with_overrides
from simulations.pipeline.archive.export import csv_rows, file_parts
from simulations.scenario.spec import ScenarioSpec

CSV = "text/csv"
CSV_COLUMNS = ("point", "overrides", "status", "queue", "server", "metric", "value", "low", "high", "unit", "origin")
PARQUET = "application/vnd.apache.parquet"
TABLE_BY = {"point": "summaries", "replication": "values"}
"""What one row of the results is about -> the table of the store that holds it."""
BY = OpenApiParameter("by", str, enum=list(TABLE_BY), description="What a row is about; a point when left out.")
TABLE = OpenApiParameter("table", str, OpenApiParameter.PATH, enum=list(DOWNLOADS), description="Name of the table.")


class ResultViewSet(ApiViewSet):
    """What a run found."""

    lookup_url_kwarg = "run_id"
    selector = selectors.run_get
    scopes = READ

    @extend_schema(operation_id="run_results", responses={(200, JSON): bodies.ResultsOut, (200, CSV): OpenApiTypes.STR})
    @action(detail=True, renderer_classes=forms(JSON, CSV), sorts=BY_INDEX)
    def results(self, request: Request, run_id: str) -> HttpResponseBase:
        """Show the points' metrics with their intervals, page by page; while the run goes on, what is known so far.
        With ``Accept: text/csv`` it is what ``results.csv`` is."""
        if request.accepted_renderer.media_type == CSV:
            return self.as_file("csv")
        run = self.get_object()
        return self.paged(run.points.all(), partial(_results, run))

    @extend_schema(
        operation_id="run_series",
        parameters=[
            OpenApiParameter("point", int, description="Index of the point; the first one when left out."),
            OpenApiParameter("queue", str, description="Name of the queue; the first one when left out."),
            OpenApiParameter("server", str, description="Name of a server, for its threads by state instead."),
            OpenApiParameter("from", float, description="First second of simulated time; the start when left out."),
            OpenApiParameter("to", float, description="Last second of simulated time; the end when left out."),
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
        columns = selectors.run_series(
            point=point,
            queue=queue,
            server=server,
            name=name,
            start=_number(request, "from", 0.0),
            stop=_number(request, "to", float("inf")),
            most=whole_of(request, "points", 512, least=1, most=2000),
        )
        place: dict[str, Any] = {"run": run.pk, "point": point.index, "queue": queue, "server": server, "name": name}
        return answer(bodies.SeriesOut(**place, time=columns["time"], values=plain(columns[name])))

    @extend_schema(operation_id="run_explanation", responses=page_of(bodies.PointClaims))
    @action(detail=True, sorts=BY_INDEX)
    def explanation(self, request: Request, run_id: str) -> HttpResponse:
        """Explain the points, page by page; each claim names the overrides whose run reproduces its number."""
        return self.listed(self.get_object().points.all(), bodies.PointClaims)

    @extend_schema(operation_id="run_findings", responses=page_of(bodies.PointFindings))
    @action(detail=True, sorts=BY_INDEX)
    def findings(self, request: Request, run_id: str) -> HttpResponse:
        """Show every rule's verdict at each point with its measured cost, page by page of points."""
        return self.listed(self.get_object().points.all(), bodies.PointFindings)

    @extend_schema(operation_id="run_checks", responses=page_of(bodies.PointChecks))
    @action(detail=True, sorts=BY_INDEX)
    def checks(self, request: Request, run_id: str) -> HttpResponse:
        """Show what the engine checked about its own numbers, page by page of points."""
        return self.listed(self.get_object().points.all(), bodies.PointChecks)

    @extend_schema(operation_id="run_results_csv", parameters=[BY], responses={(200, CSV): OpenApiTypes.STR})
    @action(detail=True, **DOWNLOAD, url_path="results.csv", renderer_classes=forms(CSV))
    def csv(self, request: Request, run_id: str) -> HttpResponseBase:
        """Download the metrics as CSV, one row for each point (or replication), queue or server, and metric. With
        neither queue nor server it is the whole system. Rows by replication are those of a finished run."""
        run, by = self.get_object(), _by(request)
        headers = saved_as(f"{run.pk}{'' if by == 'point' else f'-by-{by}'}.csv")
        content_type = f"{CSV}; charset=utf-8"
        if by == "point":
            text = csv_text(chain([CSV_COLUMNS], *map(_rows, selectors.run_points(run=run))), line_end="\n")
            return HttpResponse(text, content_type=content_type, headers=headers)
        overrides = {index: _settings(values) for index, values in run.points.values_list("index", "overrides")}
        parts = csv_rows(run_table(run=run, table=TABLE_BY[by]), overrides)
        return StreamingHttpResponse(_parts(request, parts), content_type=content_type, headers=headers)

    @extend_schema(operation_id="run_results_parquet", parameters=[BY], responses={(200, PARQUET): OpenApiTypes.BINARY})
    @action(detail=True, **DOWNLOAD, url_path="results.parquet", renderer_classes=forms(PARQUET))
    def parquet(self, request: Request, run_id: str) -> HttpResponseBase:
        """Download the metrics of a finished run as Parquet; its metadata explain every column and metric. One row for
        each point (estimates with intervals) or replication, queue or server, and metric."""
        return _file(request, self.get_object(), TABLE_BY[_by(request)])

    @extend_schema(operation_id="run_table", parameters=[TABLE], responses={(200, PARQUET): OpenApiTypes.BINARY})
    @action(detail=True, **DOWNLOAD, url_path="tables/<str:table>.parquet", renderer_classes=forms(PARQUET))
    def table(self, request: Request, run_id: str, table: str) -> HttpResponseBase:
        """Download a table of a finished run as Parquet; its metadata explain every column and metric with its unit.

        ``summaries``: estimates with intervals; ``values``: every metric of every replication; ``histograms``: messages
        by latency; ``timelines``: one sampled path of each point.
        """
        return _file(request, self.get_object(), table)


def _file(request: Request, run: Run, table: str) -> StreamingHttpResponse:
    path = run_table(run=run, table=table)
    headers = {**saved_as(f"{run.pk}-{table}.parquet"), "Content-Length": str(path.stat().st_size)}
    return StreamingHttpResponse(_parts(request, file_parts(path)), content_type=PARQUET, headers=headers)


def _parts(request: Request, parts: Iterator[bytes]) -> Iterator[bytes] | AsyncIterator[bytes]:
    """Each server reads streams of its own kind; the other kind it would read whole first."""
    return _streamed(parts) if isinstance(request._request, ASGIRequest) else parts


async def _streamed(parts: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Each part is read when the one before has gone out, and not on the thread that serves everybody."""
    read = sync_to_async(partial(next, parts, b""))
    while part := await read():
        yield part


def _by(request: Request) -> str:
    by = request.query_params.get("by", "point")
    if by not in TABLE_BY:
        raise InvalidInput.at(("by",), f"unknown; {nearest(by, list(TABLE_BY))}", value=by)
    return by


def _rows(stored: StoredPoint) -> Iterator[tuple[object, ...]]:
    head = (stored.index, _settings(stored.overrides), stored.summary.status)
    for queue, server, metrics in stored.summary.places():
        for name, item in metrics.items():
            yield (*head, queue, server, name, item.value, item.low, item.high, item.unit, item.origin)


def _settings(overrides: Mapping[str, object]) -> str:
    return "; ".join(f"{path}={value}" for path, value in overrides.items())


def _results(run: Run, rows: list[PointResult], following: str | None) -> bodies.ResultsOut:
    stored = map(selectors.point_read, rows)
    points = [bodies.StoredPointOut(partial=item.partial, point=_point(run.parsed, item)) for item in stored]
    return bodies.ResultsOut.of(run, run=run.pk, points=points, turn=run.headline.get("turn"), next=following)


def _point(spec: ScenarioSpec, stored: StoredPoint) -> PointOut:
    here = spec.unswept if stored.summary.status == "invalid" else with_overrides(spec.unswept, stored.overrides)
    return point_out(stored.summary, spec.objectives, claims=point_claims(here, stored.summary))


def _number(request: Request, name: str, default: float) -> float:
    text = request.query_params.get(name)
    if text is None:
        return default
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1e12:
        raise InvalidInput.at((name,), "must be a number from 0", value=text)
    return number
