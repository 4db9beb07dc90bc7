"""The tables that a run left in the results store, as they lie there: Parquet with their own dictionary."""

from typing import ClassVar

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from planner import selectors
from planner.api.base import ApiView
from planner.api.negotiation import ByAddress, forms
from planner.selectors.archives import DOWNLOADS, run_table

PARQUET = "application/vnd.apache.parquet"


class TableView(ApiView):
    """Per-replication data for other programs."""

    scopes: ClassVar = {"GET": "export"}
    renderer_classes = forms(PARQUET)
    content_negotiation_class = ByAddress

    @extend_schema(
        operation_id="run_table",
        parameters=[OpenApiParameter("table", str, OpenApiParameter.PATH, enum=list(DOWNLOADS))],
        responses={(200, PARQUET): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, run_id: str, table: str) -> HttpResponse:
        """Download a table of a finished run as Parquet; its metadata explain every column and metric with its unit.

        ``summaries``: estimates with intervals; ``values``: every metric of every replication; ``histograms``: messages
        by latency; ``timelines``: one sampled path of each point.
        """
        run = selectors.run_get(user=request.user, run_id=run_id)
        headers = {"Content-Disposition": f'attachment; filename="{run.pk}-{table}.parquet"'}
        return HttpResponse(run_table(run=run, table=table).read_bytes(), content_type=PARQUET, headers=headers)
