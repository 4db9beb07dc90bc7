"""Platforms, presets, formula answers, and the live panel: nothing is stored here."""

import time
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from pydantic import BaseModel, RootModel
from pydantic_core import to_jsonable_python
from rest_framework.decorators import action
from rest_framework.request import Request

from planner.answers.claims import point_claims
from planner.answers.cures import cure_trials
from planner.answers.quick import quick_answer
from planner.answers.values import ALIASES, derive_answer, plain, point_out
from planner.api.base import READ, ApiViewSet, answer
from planner.api.examples import DERIVE_EXAMPLES, QUICK_EXAMPLES
from planner.api.reading import body_of, pointing, read_body
from planner.api.schemas import catalogue as bodies
from planner.api.schemas.common import page_of
from planner.api.schemas.runs import QuickIn, QuickOut
from planner.errors import NotFound
from planner.presets.files import presets
from simulations.declarations.parameters import parameters_of
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import parse

PLATFORM_LIST, PRESET_LIST = page_of(bodies.PlatformOut), page_of(bodies.PresetOut)
READING = {"POST": "read"}
"""Scopes of questions that need a body and store nothing."""


class PlatformViewSet(ApiViewSet):
    """Platform families."""

    lookup_url_kwarg = "platform"
    scopes = READ

    @extend_schema(operation_id="platforms", responses=PLATFORM_LIST)
    def list(self, request: Request) -> HttpResponse:
        """List the platform families with the versions of their rules."""
        items = [
            bodies.PlatformOut.of(
                family, aliases=sorted(alias for alias, name in ALIASES.items() if name == family.name)
            )
            for family in PLATFORMS.values()
        ]
        return answer(PLATFORM_LIST(items=items, next=None))

    @extend_schema(operation_id="platform_settings", responses=bodies.SettingsOut)
    @action(detail=True, url_path="settings")
    def declared(self, request: Request, platform: str) -> HttpResponse:
        """List every setting with vendor name, unit, default, range and source."""
        family = PLATFORMS.get(ALIASES.get(platform, platform))
        if family is None:
            raise NotFound("platform", platform)
        return answer(
            bodies.SettingsOut(
                platform=family.name,
                rules_version=family.rules_version,
                server=_settings(family.server_parameters),
                queue=_settings(family.queue_parameters),
                background=_settings(family.background_parameters),
            )
        )


class PresetViewSet(ApiViewSet):
    """Examples that are ready to run."""

    scopes = READ

    @extend_schema(operation_id="presets", responses=PRESET_LIST)
    def list(self, request: Request) -> HttpResponse:
        """List the presets with their scenarios."""
        items = [
            bodies.PresetOut.of(preset, tags=list(preset.tags), scenario=preset.spec.body()) for preset in presets()
        ]
        return answer(PRESET_LIST(items=items, next=None))


class DeriveViewSet(ApiViewSet):
    """Formula answers."""

    scopes = READING

    @extend_schema(
        operation_id="derive",
        request=OpenApiTypes.OBJECT,
        responses={200: OpenApiTypes.OBJECT},
        examples=DERIVE_EXAMPLES,
    )
    def create(self, request: Request) -> HttpResponse:
        """Answer a scenario, or a short question such as CPUs, servants and profile, without simulating."""
        return answer(RootModel[dict[str, Any]](derive_answer(body_of(request))))


class QuickRunViewSet(ApiViewSet):
    """The live panel."""

    scopes = READING

    @extend_schema(operation_id="quick_run", request=QuickIn, responses={200: QuickOut}, examples=QUICK_EXAMPLES)
    def create(self, request: Request) -> HttpResponse:
        """Simulate a scenario within a budget of events and answer at once; nothing is stored."""
        started = time.perf_counter()
        body = read_body(request, QuickIn)
        with pointing("/scenario{}".format):
            spec = parse(body.scenario)
        quick = quick_answer(spec, events=body.events)
        trials = cure_trials(spec, quick.summary, events=body.events)
        elapsed = time.perf_counter() - started
        timing = ", ".join(f"{part};dur={1000 * seconds:.1f}" for part, seconds in quick.seconds.items())
        result = QuickOut(
            sequence=body.sequence,
            elapsed_s=elapsed,
            shortened=quick.shortened,
            cycles=quick.cycles,
            point=point_out(quick.summary, spec.objectives, trials, point_claims(spec.unswept, quick.summary, trials)),
            timeline=plain(quick.summary.timeline),
            tail=plain(quick.summary.tail),
        )
        return answer(result, headers={"Server-Timing": f"{timing}, total;dur={1000 * elapsed:.1f}"})


def _settings(model: type[BaseModel]) -> list[bodies.SettingOut]:
    return [bodies.SettingOut.of(item, default=to_jsonable_python(item.default)) for item in parameters_of(model)]
