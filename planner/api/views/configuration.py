"""Vendor configuration: files become a scenario with an account of every element, settings become scripts."""

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import READ, READ_WRITE, ApiViewSet, Shown, Store, answer, created, idempotent
from planner.api.examples import EXPORT_EXAMPLES, FILES, IMPORT_EXAMPLES, multipart
from planner.api.reading import UploadParser, files_of, read_body
from planner.api.schemas import configuration as bodies
from planner.api.views.catalogue import READING
from planner.configuration.drift import drift_sent
from planner.configuration.reading_apart import uploads_read
from planner.models import Run, ScenarioVersion

EXPORTED: Mapping[str, Any] = {"responses": {202: bodies.ExportOut}, "examples": EXPORT_EXAMPLES}
"""How the document describes what makes an export."""


class ImportViewSet(Shown):
    """Imports: the scenario as it is now, and the account of the import."""

    lookup_url_kwarg = "import_id"
    selector, body = selectors.import_get, bodies.ImportOut
    scopes = READ_WRITE
    parser_classes = (UploadParser,)

    @extend_schema(request=multipart(bodies.ImportIn, files=FILES), examples=IMPORT_EXAMPLES)
    @idempotent
    def create(self, request: Request) -> Store:
        """Read descriptors, domain files, models, broker files or a scenario, and store what they describe."""
        body = read_body(request, bodies.ImportIn)
        sent = uploads_read(files_of(request), platform=body.platform, name=body.name, target=body.target)
        return self.creates(services.import_store, self.body, owner=self.caller, files=sent.files, reading=sent.reading)


class ScenarioDriftViewSet(ApiViewSet):
    """What files say differently from a scenario."""

    parser_classes = (UploadParser,)
    scopes = READING

    @extend_schema(
        operation_id="scenario_drift", request=multipart(bodies.DriftIn, files=FILES), responses={200: bodies.DriftOut}
    )
    def create(self, request: Request, scenario_id: str) -> HttpResponse:
        """Compare a version with the files that are in use, setting by setting. Nothing is stored."""
        scenario = self.parent_scenario()
        asked = read_body(request, bodies.DriftIn)
        version = selectors.version_get(scenario=scenario, number=asked.version)
        files, drift = drift_sent(version.parsed, files_of(request), asked.target)
        return answer(bodies.DriftOut(scenario=scenario.pk, version=version.number, files=list(files), **drift.body()))


class ExportViewSet(Shown):
    """Exports: the scripts as they were handed out."""

    lookup_url_kwarg = "export_id"
    selector, body = selectors.export_get, bodies.ExportOut
    scopes = READ


class ExportingViewSet(ApiViewSet):
    """Base of what writes scripts."""

    scopes: ClassVar = {"POST": "export"}

    def made(
        self, body: bodies.ExportIn, *, version: ScenarioVersion, run: Run | None = None, point: int | None = None
    ) -> Store:
        """Write what was asked for, to be stored; raises InvalidInput and Conflict."""
        written = services.export_written(
            version=version, run=run, point=point, since=body.since, settings=body.settings, only=body.only
        )
        stored = partial(services.export_store, owner=self.caller, version=version, wanted_format=body.format, run=run)
        return lambda: created(bodies.ExportOut.of(stored(written=written)), "exports", 202)


class RunExportViewSet(ExportingViewSet):
    """Exports of a run."""

    @extend_schema(operation_id="run_export", request=bodies.RunExportIn, **EXPORTED)
    @idempotent
    def create(self, request: Request, run_id: str) -> Store:
        """Write scripts with an undo part for the settings of a run that succeeded."""
        run = self.allowed(selectors.run_get(user=self.caller, run_id=run_id))
        body = read_body(request, bodies.RunExportIn)
        return self.made(body, version=run.version, run=run, point=body.point)


class ScenarioExportViewSet(ExportingViewSet):
    """Exports of a scenario's version."""

    @extend_schema(operation_id="scenario_export", request=bodies.VersionExportIn, **EXPORTED)
    @idempotent
    def create(self, request: Request, scenario_id: str) -> Store:
        """Write scripts with an undo part for the settings of a version, without a run behind them."""
        scenario = self.parent_scenario()
        body = read_body(request, bodies.VersionExportIn)
        return self.made(body, version=selectors.version_get(scenario=scenario, number=body.version))
