"""Vendor configuration out: scripts and patched files for settings of a finished run or of a version."""

from typing import ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import ApiView, Store, answer, idempotent, read_body
from planner.api.examples import EXPORT_EXAMPLES
from planner.api.schemas.configuration import ExportIn, ExportOut, RunExportIn, VersionExportIn
from planner.api.schemas.written import export_out
from planner.models import Run, ScenarioVersion


class RunExportsView(ApiView):
    """Exports of a run."""

    scopes: ClassVar = {"POST": "export"}

    @extend_schema(operation_id="run_export", request=RunExportIn, responses={202: ExportOut}, examples=EXPORT_EXAMPLES)
    @idempotent
    def post(self, request: Request, run_id: str) -> Store:
        """Write scripts with an undo part for the settings of a run that succeeded."""
        run = selectors.run_get(user=request.user, run_id=run_id)
        asked = read_body(request, RunExportIn)
        return _made(self, asked, version=run.version, run=run, point=asked.point)


class ScenarioExportsView(ApiView):
    """Exports of a scenario's version."""

    scopes: ClassVar = {"POST": "export"}

    @extend_schema(
        operation_id="scenario_export", request=VersionExportIn, responses={202: ExportOut}, examples=EXPORT_EXAMPLES
    )
    @idempotent
    def post(self, request: Request, scenario_id: str) -> Store:
        """Write scripts with an undo part for the settings of a version, without a run behind them."""
        scenario = selectors.scenario_get(user=request.user, scenario_id=scenario_id)
        asked = read_body(request, VersionExportIn)
        return _made(self, asked, version=selectors.version_get(scenario=scenario, number=asked.version))


class ExportView(ApiView):
    """One export."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="export", responses=ExportOut)
    def get(self, request: Request, export_id: str) -> HttpResponse:
        """Show the scripts as they were handed out."""
        return answer(export_out(selectors.export_get(user=request.user, export_id=export_id)))


def _made(
    view: ApiView, asked: ExportIn, *, version: ScenarioVersion, run: Run | None = None, point: int | None = None
) -> Store:
    written = services.export_written(
        version=version, run=run, point=point, since=asked.since, settings=asked.settings, only=asked.only
    )

    def store() -> HttpResponse:
        made = services.export_store(
            owner=view.caller, version=version, wanted_format=asked.format, run=run, written=written
        )
        return answer(export_out(made), 202, {"Location": f"/api/v1/exports/{made.pk}"})

    return store
