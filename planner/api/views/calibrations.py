"""Calibrations: send a log, wait, cancel, try again, and make the scenario."""

from dataclasses import asdict
from functools import partial
from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import Store, answer, created, idempotent
from planner.api.examples import FILE, multipart
from planner.api.reading import UploadParser, read_body
from planner.api.schemas.calibrations import CalibrationIn, CalibrationLine, CalibrationOut, ChangesOut
from planner.api.schemas.scenarios import ScenarioOut
from planner.api.views.runs import JobViewSet
from planner.models import Calibration
from simulations.declarations.problems import InvalidInput
from simulations.pipeline.telemetry.reading.layouts import MESSAGES

LOG = {**FILE, "description": "The log; its name says the format."}
REQUEST = {"application/json": CalibrationIn, **multipart(CalibrationIn, file=LOG)}


class CalibrationViewSet(JobViewSet):
    """The caller's calibrations."""

    lookup_url_kwarg = "calibration_id"
    selector, lister = selectors.calibration_get, selectors.calibrations_list
    line, body = CalibrationLine, CalibrationOut
    further_parsers: ClassVar = {"create": (UploadParser,)}

    def out(self, job: Calibration) -> CalibrationOut:
        """Return the calibration's body; before there is a result its parts are null."""
        result = job.result or {}
        queues = {queue["name"]: queue for queue in result.get("queues", ())}
        read = {
            "layout": result.get("layout", MESSAGES.key),
            "assumed": result.get("assumed", []),
            "fitted": {name: _fitted(queue) for name, queue in queues.items()},
            "diagnostics": queues,
        }
        parts = {name: result.get(name) for name in ("quarantine", "skipped", "checks", "verdict")}
        return CalibrationOut.of(job, **parts, **(read if result else dict.fromkeys(read)), body=result.get("scenario"))

    @extend_schema(operation_id="calibration_start", request=REQUEST, responses={202: CalibrationOut})
    def create(self, request: Request) -> HttpResponse:
        """Read a log, fit it, and check what the fit predicts; the answer comes before the work."""
        files = [part for _, parts in request.FILES.lists() for part in parts]
        body = read_body(request, CalibrationIn)
        if len(files) + bool(body.location) != 1:
            raise InvalidInput.at(("location",), "give the location of a log, or one file, and not both")
        draft = services.calibration_draft(
            owner=self.caller,
            location=(files[0].name or "") if files else body.location,
            content=files[0].chunks() if files else None,
            name=body.name,
            every_hours=body.every_hours,
            base=selectors.scenario_get(user=self.caller, scenario_id=body.scenario).version if body.scenario else None,
        )
        try:
            return self._started(request, draft)
        finally:
            services.calibration_discard(draft=draft)

    @idempotent
    def _started(self, request: Request, draft: Calibration) -> Store:
        return lambda: self.goes_on(services.calibration_store(draft=draft))

    @extend_schema(request=None, responses={202: CalibrationOut})
    @action(detail=True, methods=["post"])
    @idempotent
    def repeat(self, request: Request, calibration_id: str) -> Store:
        """Calibrate what has changed at the location since this one began; a schedule goes on from the new one."""
        return lambda: self.goes_on(services.calibration_repeat(self.get_object(), actor=self.caller))

    @extend_schema(responses=CalibrationOut)
    @action(detail=True, methods=["post"])
    def stop(self, request: Request, calibration_id: str) -> HttpResponse:
        """End the series after this calibration; stopping again changes nothing."""
        return answer(self.out(services.calibration_stop(self.get_object(), actor=self.caller)))

    @extend_schema(
        parameters=[OpenApiParameter("since", str, required=True, description="Id of the earlier calibration.")],
        responses=ChangesOut,
    )
    @action(detail=True)
    def changes(self, request: Request, calibration_id: str) -> HttpResponse:
        """Say what has changed in the system since an earlier calibration of it."""
        now, earlier = self.get_object(), request.query_params.get("since")
        if not earlier:
            raise InvalidInput.at(("since",), "say which earlier calibration, by its id", code="required")
        since = selectors.calibration_get(user=self.caller, calibration_id=earlier)
        return answer(ChangesOut.model_validate({"changes": [asdict(change) for change in now.changes_since(since)]}))

    @extend_schema(responses={201: ScenarioOut})
    @action(detail=True, methods=["post"], scopes={"POST": "write"})
    @idempotent
    def scenario(self, request: Request, calibration_id: str) -> Store:
        """Make the scenario, once; asking again shows the same."""
        made = partial(services.calibration_scenario, calibration=self.get_object(), actor=self.caller)
        return lambda: created(ScenarioOut.of(made()), "scenarios")


def _fitted(queue: dict[str, Any]) -> dict[str, Any]:
    return {
        "arrivals": queue["arrivals"]["body"],
        "service": queue["service"]["body"],
        "provenance": queue.get("provenance", "fitted"),
        "failure_rate": queue["failure_rate"]["value"],
        "threads": queue["concurrency"]["threads"],
    }
