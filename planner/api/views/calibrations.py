"""Calibrations: send a log, wait, cancel, try again, and make the scenario."""

from functools import partial
from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import RETRY_AFTER, ApiView, Store, answer, body_of, idempotent, read_values, under_way
from planner.api.paging import listed
from planner.api.schemas.calibrations import CalibrationIn, CalibrationLine, CalibrationOut, CalibrationsPage
from planner.api.schemas.scenarios import ScenarioOut
from planner.api.schemas.written import scenario_out
from planner.api.uploads import LogUploadParser, fields_of
from planner.api.views.runs import WAIT, finished
from planner.models import Calibration
from planner.web.json_bodies import StrictJsonParser
from simulations.pipeline.telemetry.reading.layouts import MESSAGES
from simulations.problems import InvalidInput, problem

REQUEST = {
    "application/json": CalibrationIn,
    "multipart/form-data": {
        "type": "object",
        "required": ["file"],
        "properties": {
            "file": {"type": "string", "format": "binary", "description": "The log; its name says the format."},
            "name": {"type": "string"},
            "scenario": {"type": "string"},
        },
    },
}


class CalibrationsView(ApiView):
    """Calibrations."""

    scopes: ClassVar = {"GET": "read", "POST": "run"}
    parser_classes = (StrictJsonParser, LogUploadParser)

    @extend_schema(operation_id="calibrations", responses=CalibrationsPage)
    def get(self, request: Request) -> HttpResponse:
        """List the caller's calibrations, newest first."""
        return listed(request, selectors.calibrations_list(user=request.user), CalibrationsPage, _line)

    @extend_schema(operation_id="calibration_start", request=REQUEST, responses={202: CalibrationOut})
    def post(self, request: Request) -> HttpResponse:
        """Read a log, fit it, and check what the fit predicts; the answer comes before the work."""
        files = [part for _, parts in request.FILES.lists() for part in parts]
        asked = read_values(fields_of(request) if files else body_of(request), CalibrationIn)
        if len(files) + bool(asked.location) != 1:
            raise InvalidInput([problem(("location",), "give the location of a log, or one file, and not both")])
        draft = services.calibration_draft(
            owner=self.caller,
            location=(files[0].name or "") if files else asked.location,
            content=files[0].chunks() if files else None,
            name=asked.name,
            base=_base(request, asked.scenario),
        )
        try:
            return self._started(request, draft)
        finally:
            services.calibration_discard(draft=draft)

    @idempotent
    def _started(self, request: Request, draft: Calibration) -> Store:
        def store() -> HttpResponse:
            started = services.calibration_store(draft=draft)
            return under_way(calibration_out(started), f"/api/v1/calibrations/{started.pk}")

        return store


class CalibrationView(ApiView):
    """One calibration."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="calibration", parameters=[WAIT], responses=CalibrationOut)
    def get(self, request: Request, calibration_id: str) -> HttpResponse:
        """Show a calibration; with ``wait`` the answer comes when it is over, or when the time is."""
        read = partial(selectors.calibration_get, user=request.user, calibration_id=calibration_id)
        found = finished(request, read)
        return answer(calibration_out(found), headers={} if found.final else RETRY_AFTER)


class CalibrationCancelView(ApiView):
    """Cancelling."""

    scopes: ClassVar = {"POST": "run"}

    @extend_schema(operation_id="calibration_cancel", request=None, responses={202: CalibrationOut})
    def post(self, request: Request, calibration_id: str) -> HttpResponse:
        """Ask for the end of a calibration; it says cancelled once its Spark job has stopped."""
        found = selectors.calibration_get(user=request.user, calibration_id=calibration_id)
        return answer(calibration_out(services.calibration_cancel(calibration=found, actor=self.caller)), 202)


class CalibrationRetryView(ApiView):
    """Trying again."""

    scopes: ClassVar = {"POST": "run"}

    @extend_schema(operation_id="calibration_retry", request=None, responses={202: CalibrationOut})
    def post(self, request: Request, calibration_id: str) -> HttpResponse:
        """Send a failed or cancelled calibration again."""
        found = selectors.calibration_get(user=request.user, calibration_id=calibration_id)
        again = services.calibration_retry(calibration=found, actor=self.caller)
        return under_way(calibration_out(again), f"/api/v1/calibrations/{again.pk}")


class CalibrationScenarioView(ApiView):
    """The scenario of a calibration."""

    scopes: ClassVar = {"POST": "write"}

    @extend_schema(operation_id="calibration_scenario", request=None, responses={201: ScenarioOut})
    @idempotent
    def post(self, request: Request, calibration_id: str) -> Store:
        """Make the scenario, once; asking again shows the same."""
        found = selectors.calibration_get(user=request.user, calibration_id=calibration_id)

        def store() -> HttpResponse:
            made = services.calibration_scenario(calibration=found, actor=self.caller)
            return answer(scenario_out(made), 201, {"Location": f"/api/v1/scenarios/{made.pk}"})

        return store


def calibration_out(row: Calibration) -> CalibrationOut:
    """A calibration as it is now."""
    result = row.result or {}
    queues = {queue["name"]: queue for queue in result.get("queues", ())}
    return CalibrationOut.model_validate(
        {
            **_about(row),
            "layout": result.get("layout", MESSAGES.key) if result else None,
            "assumed": result.get("assumed", []) if result else None,
            "quarantine": result.get("quarantine"),
            "fitted": {name: _fitted(queue) for name, queue in queues.items()} if result else None,
            "diagnostics": queues if result else None,
            "skipped": result.get("skipped"),
            "checks": result.get("checks"),
            "body": result.get("scenario"),
        }
    )


def _fitted(queue: dict[str, Any]) -> dict[str, Any]:
    return {
        "arrivals": queue["arrivals"]["body"],
        "service": queue["service"]["body"],
        "provenance": queue.get("provenance", "fitted"),
        "failure_rate": queue["failure_rate"]["value"],
        "threads": queue["concurrency"]["threads"],
    }


def _line(row: Calibration) -> CalibrationLine:
    return CalibrationLine.model_validate(_about(row))


def _about(row: Calibration) -> dict[str, Any]:
    plain = ("name", "status", "location", "uploaded", "progress", "error", "validated")
    times = ("created_at", "started_at", "finished_at")
    about = {name: getattr(row, name) for name in (*plain, *times)}
    base = row.base.scenario_id if row.base else None
    return {"id": row.pk, **about, "base": base, "scenario": row.scenario_id}


def _base(request: Request, scenario_id: str) -> Any:
    if not scenario_id:
        return None
    return selectors.scenario_get(user=request.user, scenario_id=scenario_id).version
