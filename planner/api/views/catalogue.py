"""Platforms, presets, formula answers and the live panel: nothing is stored here."""

import time
from typing import ClassVar

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from pydantic import BaseModel
from pydantic_core import to_jsonable_python
from rest_framework.request import Request

from planner.answers.formulas import ALIASES, derive_answer
from planner.answers.quick import quick_answer
from planner.answers.values import plain, point_out
from planner.api.base import ApiView, answer, below, body_of, read_body
from planner.api.examples import DERIVE_EXAMPLES, QUICK_EXAMPLES
from planner.api.schemas.catalogue import (
    PlatformOut,
    PlatformsOut,
    PresetOut,
    PresetsOut,
    SettingOut,
    SettingsOut,
)
from planner.api.schemas.runs import QuickIn, QuickOut
from planner.errors import NotFound
from planner.presets.files import presets
from simulations.parameters import Declaration, parameters_of
from simulations.platforms import PLATFORMS
from simulations.problems import InvalidInput
from simulations.scenario import parse


class PlatformsView(ApiView):
    """Platform families."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="platforms", responses=PlatformsOut)
    def get(self, request: Request) -> HttpResponse:
        """List the platform families with the versions of their rules."""
        items = [
            PlatformOut(
                name=family.name,
                title=family.title,
                vendor=family.vendor,
                rules_version=family.rules_version,
                aliases=sorted(alias for alias, name in ALIASES.items() if name == family.name),
            )
            for family in PLATFORMS.values()
        ]
        return answer(PlatformsOut(items=items))


class SettingsView(ApiView):
    """Settings of one platform."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="platform_settings", responses=SettingsOut)
    def get(self, request: Request, platform: str) -> HttpResponse:
        """List every setting with vendor name, unit, default, range and source."""
        family = PLATFORMS.get(ALIASES.get(platform, platform))
        if family is None:
            raise NotFound("platform", platform)
        return answer(
            SettingsOut(
                platform=family.name,
                rules_version=family.rules_version,
                server=_settings(family.server_parameters),
                queue=_settings(family.queue_parameters),
                background=_settings(family.background_parameters),
            )
        )


class PresetsView(ApiView):
    """Examples that are ready to run."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="presets", responses=PresetsOut)
    def get(self, request: Request) -> HttpResponse:
        """List the presets with their scenarios."""
        items = [
            PresetOut(
                key=preset.card.key,
                title=preset.card.title,
                question=preset.card.question,
                source=preset.card.source,
                tags=list(preset.card.tags),
                scenario=preset.spec.body(),
            )
            for preset in presets()
        ]
        return answer(PresetsOut(items=items))


class DeriveView(ApiView):
    """Formula answers."""

    scopes: ClassVar = {"POST": "read"}

    @extend_schema(
        operation_id="derive", request=OpenApiTypes.OBJECT, responses=OpenApiTypes.OBJECT, examples=DERIVE_EXAMPLES
    )
    def post(self, request: Request) -> HttpResponse:
        """Answer a scenario, or a short question such as CPUs, servants and profile, without simulating."""
        return answer(_Free.model_validate(derive_answer(body_of(request))))


class QuickRunView(ApiView):
    """The live panel."""

    scopes: ClassVar = {"POST": "read"}

    @extend_schema(operation_id="quick_run", request=QuickIn, responses=QuickOut, examples=QUICK_EXAMPLES)
    def post(self, request: Request) -> HttpResponse:
        """Simulate a scenario within a budget of events and answer at once; nothing is stored."""
        started = time.perf_counter()
        asked = read_body(request, QuickIn)
        try:
            spec = parse(asked.scenario)
        except InvalidInput as error:
            raise below(error, "scenario") from error
        found = quick_answer(spec, events=asked.events)
        elapsed = time.perf_counter() - started
        timing = ", ".join(f"{part};dur={1000 * seconds:.1f}" for part, seconds in found.seconds.items())
        body = QuickOut(
            sequence=asked.sequence,
            elapsed_s=elapsed,
            shortened=found.shortened,
            point=point_out(found.summary, spec.objectives),
            timeline=plain(found.summary.timeline),
            tail=plain(found.summary.tail),
        )
        return answer(body, headers={"Server-Timing": f"{timing}, total;dur={1000 * elapsed:.1f}"})


class _Free(BaseModel, extra="allow"):
    """Any JSON object."""


def _settings(model: type[BaseModel]) -> list[SettingOut]:
    return [_setting(item) for item in parameters_of(model)]


def _setting(item: Declaration) -> SettingOut:
    return SettingOut(
        name=item.name,
        title=item.title,
        native=item.quantity.native,
        meaning=item.meaning,
        kind=item.kind,
        unit=item.unit,
        default=to_jsonable_python(item.default),
        required=item.required,
        minimum=item.minimum,
        maximum=item.maximum,
        choices=list(item.choices),
        sweep=item.quantity.sweep,
        source=item.quantity.source,
        trust=item.quantity.trust,
    )
