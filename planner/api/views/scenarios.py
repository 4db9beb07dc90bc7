"""Scenarios, and starting runs of them."""

import re
from dataclasses import replace
from typing import Any, ClassVar

from django.db import transaction
from django.http import HttpResponse
from django.utils.http import parse_etags
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import ApiView, answer, below, body_of, idempotent, read_body, read_values, under_way
from planner.api.examples import RUN_EXAMPLES, SCENARIO_EXAMPLES
from planner.api.paging import listed, page
from planner.api.parsing import MergePatchParser, StrictJsonParser, merge_patch
from planner.api.schemas.runs import RunIn, RunOut, RunsPage
from planner.api.schemas.scenarios import (
    ComposedScenario,
    ScenarioChange,
    ScenarioCopy,
    ScenarioEnvelope,
    ScenarioOut,
    ScenariosPage,
)
from planner.api.schemas.written import run_out, scenario_line, scenario_out
from planner.api.views.runs import one_of, runs_page
from planner.models import Scenario
from simulations.platforms import PLATFORMS
from simulations.problems import InvalidInput, problem
from simulations.scenario import scenario_model

ScenarioBody = PolymorphicProxySerializer(
    component_name="ScenarioBody",
    # Bodies are pydantic models (planner.api.openapi), where the annotation expects serializers.
    serializers=[*map(scenario_model, PLATFORMS), ScenarioEnvelope, ComposedScenario],  # type: ignore[list-item]
    resource_type_field_name=None,
)
IF_MATCH = OpenApiParameter("If-Match", str, OpenApiParameter.HEADER, description="ETag of the revision that was read.")


class ScenariosView(ApiView):
    """Scenarios."""

    scopes: ClassVar = {"GET": "read", "POST": "write"}

    @extend_schema(
        operation_id="scenarios",
        parameters=[
            OpenApiParameter("archived", bool),
            OpenApiParameter("platform", str, enum=list(PLATFORMS)),
            OpenApiParameter("search", str, description="Part of the name."),
        ],
        responses=ScenariosPage,
    )
    def get(self, request: Request) -> HttpResponse:
        """List the caller's scenarios, last changed first."""
        asked = request.query_params
        rows = selectors.scenarios_list(
            user=request.user,
            archived=one_of(request, "archived", ["true", "false"]) == "true",
            platform=one_of(request, "platform", list(PLATFORMS)),
            search=asked.get("search", ""),
        )
        return listed(request, rows, ScenariosPage, scenario_line, sorts=("-updated_at", "-created_at", "name"))

    @extend_schema(
        operation_id="scenario_create",
        request=ScenarioBody,
        responses={201: ScenarioOut},
        examples=SCENARIO_EXAMPLES,
    )
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        """Store a scenario: its body, or {spec, tags, note}, or {name, queue_ids} of stored queues."""
        scenario = _created(self, body_of(request))
        return answer(scenario_out(scenario), 201, {"Location": f"/api/v1/scenarios/{scenario.pk}", **_etag(scenario)})


class ScenarioView(ApiView):
    """One scenario."""

    scopes: ClassVar = {"GET": "read", "PATCH": "write", "DELETE": "write"}
    parser_classes = (StrictJsonParser, MergePatchParser)

    @extend_schema(operation_id="scenario", responses={200: ScenarioOut, 304: None})
    def get(self, request: Request, scenario_id: str) -> HttpResponse:
        """Show a scenario with its current version."""
        scenario = selectors.scenario_get(user=request.user, scenario_id=scenario_id)
        if _is_known(request, _etag(scenario)["ETag"]):
            return HttpResponse(status=304, headers=_etag(scenario))
        return answer(scenario_out(scenario), headers=_etag(scenario))

    @extend_schema(operation_id="scenario_update", parameters=[IF_MATCH], request=ScenarioChange, responses=ScenarioOut)
    def patch(self, request: Request, scenario_id: str) -> HttpResponse:
        """Change a scenario by JSON Merge Patch; a changed body becomes a new version."""
        scenario = selectors.scenario_get(user=request.user, scenario_id=scenario_id)
        changed = _changed(self, scenario, read_body(request, ScenarioChange), _revision(request))
        return answer(scenario_out(changed), headers=_etag(changed))

    @extend_schema(operation_id="scenario_archive", parameters=[IF_MATCH], responses={204: None})
    def delete(self, request: Request, scenario_id: str) -> HttpResponse:
        """Archive a scenario: it leaves the lists, its versions and runs stay."""
        scenario = selectors.scenario_get(user=request.user, scenario_id=scenario_id)
        services.scenario_archive(scenario=scenario, actor=self.caller, revision=_revision(request))
        return HttpResponse(status=204)


class ScenarioCopyView(ApiView):
    """Copies."""

    scopes: ClassVar = {"POST": "write"}

    @extend_schema(operation_id="scenario_copy", request=ScenarioCopy, responses={201: ScenarioOut})
    @idempotent
    def post(self, request: Request, scenario_id: str) -> HttpResponse:
        """Store a new scenario that starts with the present version of this one."""
        scenario = selectors.scenario_get(user=request.user, scenario_id=scenario_id)
        name = read_body(request, ScenarioCopy).name
        copy = services.scenario_copy(scenario=scenario, owner=self.caller, name=name)
        return answer(scenario_out(copy), 201, {"Location": f"/api/v1/scenarios/{copy.pk}", **_etag(copy)})


class ScenarioRunsView(ApiView):
    """Runs of a scenario."""

    scopes: ClassVar = {"GET": "read", "POST": "run"}

    @extend_schema(operation_id="scenario_runs", responses=RunsPage)
    def get(self, request: Request, scenario_id: str) -> HttpResponse:
        """List the runs of all versions, newest first."""
        scenario = selectors.scenario_get(user=request.user, scenario_id=scenario_id)
        return page(request, selectors.runs_of_scenario(scenario=scenario), runs_page)

    @extend_schema(operation_id="run_start", request=RunIn, responses={202: RunOut}, examples=RUN_EXAMPLES)
    @idempotent
    def post(self, request: Request, scenario_id: str) -> HttpResponse:
        """Start a run, or answer with the run that has computed the same before (``cached``)."""
        scenario = selectors.scenario_get(user=request.user, scenario_id=scenario_id)
        asked = read_body(request, RunIn)
        version = selectors.version_get(scenario=scenario, number=asked.version)
        try:
            started = services.run_start(
                version=version,
                owner=self.caller,
                force=asked.force,
                seed=asked.seed,
                precision=asked.precision.model_dump() if asked.precision else None,
                max_time=asked.max_time,
            )
        except InvalidInput as error:
            raise _as_sent(error) from error
        return under_way(run_out(started.run, cached=started.cached), f"/api/v1/runs/{started.run.pk}")


def _created(view: ApiView, body: dict[str, Any]) -> Scenario:
    if "queue_ids" in body:
        asked = read_values(body, ComposedScenario)
        found = [selectors.queue_get(user=view.caller, queue_id=key) for key in asked.queue_ids]
        extra = asked.model_dump(include={"run", "objectives", "sweep"}, exclude_none=True)
        return services.scenario_compose(owner=view.caller, name=asked.name, queues=found, extra=extra)
    if "spec" not in body:
        return services.scenario_create(owner=view.caller, body=body)
    envelope = read_values(body, ScenarioEnvelope)
    try:
        return services.scenario_create(owner=view.caller, body=envelope.spec, tags=envelope.tags, note=envelope.note)
    except InvalidInput as error:
        raise below(error, "spec") from error


@transaction.atomic
def _changed(view: ApiView, scenario: Scenario, change: ScenarioChange, revision: int | None) -> Scenario:
    """All parts of the patch or none; the revision is compared once, before the first."""
    if change.spec is not None:
        body = merge_patch(scenario.version.spec, change.spec)
        try:
            scenario = services.scenario_update(
                scenario=scenario, author=view.caller, body=body, revision=revision, note=change.note
            )
        except InvalidInput as error:
            raise below(error, "spec") from error
        revision = None
    if change.tags is not None:
        scenario = services.scenario_tag(scenario=scenario, actor=view.caller, tags=change.tags, revision=revision)
        revision = None
    if change.archived is not None:
        act = services.scenario_archive if change.archived else services.scenario_restore
        scenario = act(scenario=scenario, actor=view.caller, revision=revision)
    return scenario


def _as_sent(error: InvalidInput) -> InvalidInput:
    """The problems of a run's settings with pointers into the body, which holds them without ``run``."""
    return InvalidInput(replace(item, pointer=item.pointer.removeprefix("/run")) for item in error.problems)


def _etag(scenario: Scenario) -> dict[str, str]:
    return {"ETag": f'"{scenario.revision}"'}


def _is_known(request: Request, etag: str) -> bool:
    """Whether the caller has this revision; what was sent compressed came with a weak tag."""
    tags = parse_etags(request.headers.get("If-None-Match", ""))
    return tags == ["*"] or etag in [tag.removeprefix("W/") for tag in tags]


def _revision(request: Request) -> int | None:
    """The revision of If-Match; None without the header or with ``*``. Raises InvalidInput for anything else."""
    header = request.headers.get("If-Match", "*").strip()
    if header == "*":
        return None
    match = re.fullmatch(r'(?:W/)?"(\d{1,9})"', header)
    if match is None:
        message = 'If-Match must be the ETag that was answered, for example "3"'
        raise InvalidInput([problem(("If-Match",), message, value=header)])
    return int(match.group(1))
