"""Results for other programs: CSV for spreadsheets, Parquet files that explain themselves; read from the store."""

import csv
import io
from collections.abc import AsyncIterator, Iterator, Mapping

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from planner import selectors
from planner.api.base import OUT_OF_HOUSE, ApiViewSet
from planner.api.negotiation import forms
from planner.models import Run
from planner.selectors import StoredPoint
from planner.selectors.results import DOWNLOADS, run_table
from planner.web.downloads import saved_as
from simulations.declarations.problems import InvalidInput, nearest, problem
from simulations.pipeline.archive.export import csv_rows, file_parts

CSV = "text/csv"
CSV_COLUMNS = ("point", "overrides", "status", "queue", "server", "metric", "value", "low", "high", "unit", "origin")
PARQUET = "application/vnd.apache.parquet"
TABLE_BY = {"point": "summaries", "replication": "values"}
"""What one row of the results is about -> the table of the store that holds it."""
BY = OpenApiParameter("by", str, enum=list(TABLE_BY), description="What a row is about; a point when left out.")


class TableViewSet(ApiViewSet):
    """A run's numbers as files."""

    lookup_url_kwarg = "run_id"
    selector = selectors.run_get

    @extend_schema(operation_id="run_results_csv", parameters=[BY], responses={(200, CSV): OpenApiTypes.STR})
    @action(detail=True, **OUT_OF_HOUSE, url_path="results.csv", renderer_classes=forms(CSV))
    def csv(self, request: Request, run_id: str) -> HttpResponseBase:
        """Download the metrics as CSV, one row for each point (or replication), queue or server, and metric.

        With neither queue nor server it is the whole system. Rows by replication are those of a finished run.
        """
        run, by = self.get_object(), _by(request)
        headers = saved_as(f"{run.pk}{'' if by == 'point' else f'-by-{by}'}.csv")
        content_type = f"{CSV}; charset=utf-8"
        if by == "point":
            return HttpResponse(_point_rows(run), content_type=content_type, headers=headers)
        overrides = {index: _settings(found) for index, found in run.points.values_list("index", "overrides")}
        parts = csv_rows(run_table(run=run, table=TABLE_BY[by]), overrides)
        return StreamingHttpResponse(_parts(request, parts), content_type=content_type, headers=headers)

    @extend_schema(operation_id="run_results_parquet", parameters=[BY], responses={(200, PARQUET): OpenApiTypes.BINARY})
    @action(detail=True, **OUT_OF_HOUSE, url_path="results.parquet", renderer_classes=forms(PARQUET))
    def parquet(self, request: Request, run_id: str) -> HttpResponseBase:
        """Download the metrics of a finished run as Parquet; its metadata explain every column and metric.

        One row for each point (estimates with intervals) or replication, queue or server, and metric.
        """
        return _file(request, self.get_object(), TABLE_BY[_by(request)])

    @extend_schema(
        operation_id="run_table",
        parameters=[OpenApiParameter("table", str, OpenApiParameter.PATH, enum=list(DOWNLOADS))],
        responses={(200, PARQUET): OpenApiTypes.BINARY},
    )
    @action(detail=True, **OUT_OF_HOUSE, url_path="tables/<str:table>.parquet", renderer_classes=forms(PARQUET))
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
    read = sync_to_async(_next)
    while part := await read(parts):
        yield part


def _next(parts: Iterator[bytes]) -> bytes:
    return next(parts, b"")


def _by(request: Request) -> str:
    by = request.query_params.get("by", "point")
    if by not in TABLE_BY:
        raise InvalidInput([problem(("by",), f"unknown; {nearest(by, list(TABLE_BY))}", value=by)])
    return by


def _point_rows(run: Run) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for stored in selectors.run_points(run=run):
        writer.writerows(_rows(stored))
    return text.getvalue()


def _rows(stored: StoredPoint) -> Iterator[tuple[object, ...]]:
    head = (stored.index, _settings(stored.overrides), stored.summary.status)
    for queue, server, metrics in stored.summary.places():
        for name, item in metrics.items():
            yield (*head, queue, server, name, item.value, item.low, item.high, item.unit, item.origin)


def _settings(overrides: Mapping[str, object]) -> str:
    return "; ".join(f"{path}={value}" for path, value in overrides.items())
