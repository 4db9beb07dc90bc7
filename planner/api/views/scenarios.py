"""Scenarios: make, show, change, copy, archive; their revisions in the headers ETag, If-None-Match, If-Match."""

from functools import partial
from typing import Any, ClassVar

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import READ, READ_WRITE, ApiViewSet, Listed, Shown, Store, answer, created, idempotent
from planner.api.examples import SCENARIO_EXAMPLES
from planner.api.lists import ScenarioFilter
from planner.api.openapi import IF_MATCH
from planner.api.reading import body_of, pointing, read_body, read_values, whole_of
from planner.api.schemas import scenarios as bodies
from planner.api.tagged import Tagged, guarded
from planner.errors import Conflict, Stale
from planner.models import Scenario, ScenarioVersion
from planner.services.scenarios import COMPOSED
from planner.web.json_bodies import MergePatchParser, merge_patch
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import ScenarioSpec, parse, scenario_model

ScenarioBody = PolymorphicProxySerializer(
    component_name="ScenarioBody",
    # Bodies are pydantic models (planner.api.openapi), where the annotation expects serializers.
    serializers=[*map(scenario_model, PLATFORMS), bodies.ScenarioEnvelope, bodies.ComposedScenario],  # type: ignore[list-item]
    resource_type_field_name=None,
)
ATTEMPTS = 5
"""Of a patch without If-Match, while others change the scenario."""


class ScenarioViewSet(Tagged):
    """The caller's scenarios."""

    lookup_url_kwarg = "scenario_id"
    selector, line, body = selectors.scenario_get, bodies.ScenarioLine, bodies.ScenarioOut
    lister = partial(selectors.scenarios_list, archived=None)  # the filters leave archived ones out
    scopes = READ_WRITE
    filterset_class = ScenarioFilter
    sorts = ("-updated_at", "-created_at", "name")
    further_parsers: ClassVar = {"partial_update": (MergePatchParser,)}

    @extend_schema(request=ScenarioBody, examples=SCENARIO_EXAMPLES)
    @idempotent
    def create(self, request: Request) -> Store:
        """Store a scenario: its body, or {spec, tags, note}, or {name, queue_ids} of stored queues."""
        return _storing(self, **_read(self, body_of(request)))

    def etag(self, row: Scenario) -> str:
        """Return the tag of the present revision."""
        return f'"{row.revision}"'

    @extend_schema(operation_id="scenario_update", parameters=[IF_MATCH], request=bodies.ScenarioChange)
    def partial_update(self, request: Request, scenario_id: str) -> HttpResponse:
        """Change a scenario by JSON Merge Patch; a changed body becomes a new version."""
        change = read_body(request, bodies.ScenarioChange)
        for _ in range(ATTEMPTS):
            scenario = self.get_object()
            revision = scenario.revision if self.is_matched(scenario) else None
            # Without If-Match the patch is of what is there: where somebody else was faster, of theirs.
            try:
                changed = _patched(self, scenario, change, revision)
            except Stale:
                if revision is not None:
                    raise
                continue
            return self.tagged(changed)
        raise Conflict("the scenario changes all the time; try again")

    @extend_schema(operation_id="scenario_archive")
    @guarded
    def destroy(self, request: Request, scenario_id: str) -> None:
        """Archive a scenario: it leaves the lists, its versions and runs stay."""
        services.scenario_archive(scenario=self.get_object(), actor=self.caller)

    @extend_schema(request=bodies.ScenarioCopy, responses={201: bodies.ScenarioOut})
    @action(detail=True, methods=["post"])
    @idempotent
    def copy(self, request: Request, scenario_id: str) -> Store:
        """Store a new scenario that starts with the present version of this one."""
        scenario = selectors.scenario_get(user=self.caller, scenario_id=scenario_id)
        name = read_body(request, bodies.ScenarioCopy).name
        spec = services.scenario_copied(scenario=scenario, name=name)
        return _storing(self, spec=spec, tags=scenario.tags, note=f"copy of {scenario.pk}")


class VersionViewSet(Listed, Shown):
    """Versions of a scenario."""

    lookup_url_kwarg = "number"
    lookup_value_converter = "int"
    line = body = bodies.VersionOut
    scopes = READ
    sorts = ("-number",)

    def rows(self) -> QuerySet[ScenarioVersion]:
        """Return all of them."""
        return selectors.versions_list(scenario=self.parent_scenario())

    def get_object(self) -> ScenarioVersion:
        """Return the version; raises NotFound."""
        return selectors.version_get(scenario=self.parent_scenario(), number=self.kwargs["number"])


class DiffViewSet(ApiViewSet):
    """What differs."""

    scopes = READ

    @extend_schema(
        operation_id="scenario_diff",
        parameters=[
            OpenApiParameter("from", int, description="Number of the earlier version; by default the one before `to`."),
            OpenApiParameter("to", int, description="Number of the later version; the current one when left out."),
        ],
        responses=bodies.DiffOut,
    )
    def list(self, request: Request, scenario_id: str) -> HttpResponse:
        """Show only what differs between two versions; without numbers the last two."""
        scenario = self.parent_scenario()
        after = whole_of(request, "to", scenario.version.number)
        before = whole_of(request, "from", max(1, after - 1))
        different = selectors.versions_diff(
            before=selectors.version_get(scenario=scenario, number=before),
            after=selectors.version_get(scenario=scenario, number=after),
        )
        differences = [bodies.DifferenceOut(**vars(item)) for item in different]
        return answer(bodies.DiffOut(before=before, after=after, differences=differences))


def _storing(view: "ScenarioViewSet", **read: Any) -> Store:
    def store() -> HttpResponse:
        made = services.scenario_store(owner=view.caller, **read)
        return created(bodies.ScenarioOut.of(made), "scenarios", headers={"ETag": view.etag(made)})

    return store


def _read(view: ApiViewSet, body: dict[str, Any]) -> dict[str, Any]:
    """What ``scenario_store`` takes, all of it checked."""
    if "queue_ids" in body:
        parts = read_values(body, bodies.ComposedScenario)
        queues = [selectors.queue_get(user=view.caller, queue_id=key) for key in parts.queue_ids]
        extra = parts.model_dump(include={"run", "objectives", "sweep"}, exclude_none=True)
        return {"spec": services.scenario_composed(name=parts.name, queues=queues, extra=extra), "note": COMPOSED}
    if "spec" not in body:
        return {"spec": parse(body)}
    envelope = read_values(body, bodies.ScenarioEnvelope)
    return {"spec": _parsed(envelope.spec), "tags": envelope.tags, "note": envelope.note}


def _parsed(body: object) -> ScenarioSpec:
    """The scenario below the key ``spec``."""
    with pointing("/spec{}".format):
        return parse(body)


def _patched(view: ApiViewSet, scenario: Scenario, change: bodies.ScenarioChange, revision: int | None) -> Scenario:
    """The scenario with all parts of the change or none; raises Stale where it is not, or no longer, the one of that
    revision, which is compared once, before the first."""
    spec = None
    if change.spec:
        # Reading a large body takes seconds, in which nobody must wait for the database. It belongs to what it was
        # merged with, so that is compared even when the caller does not ask.
        spec = _parsed(merge_patch(scenario.version.spec, change.spec))
        revision = scenario.revision if revision is None else revision
    with transaction.atomic():
        scenario = services.scenario_locked(scenario=scenario, revision=revision)
        if spec is not None:
            scenario = services.scenario_replace(scenario=scenario, author=view.caller, spec=spec, note=change.note)
        if change.tags is not None:
            scenario = services.scenario_tag(scenario=scenario, actor=view.caller, tags=change.tags)
        if change.archived is not None:
            scenario = services.scenario_archive(scenario=scenario, actor=view.caller, archived=change.archived)
    return scenario
