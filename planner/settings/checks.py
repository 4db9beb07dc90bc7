"""System checks: what must hold before the service starts."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from planner.presets.files import presets
from simulations.declarations.problems import InvalidInput

SECONDS_PER_HOUR = 3600


@register()
def presets_are_valid(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """E001: every preset file holds a scenario that the platforms accept."""
    try:
        presets()
    except InvalidInput as error:
        return [Error(f"a preset is wrong: {error}", hint="correct planner/presets/*.yaml", id="planner.E001")]
    return []


@register()
def tasks_outlive_long_runs(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """W001: the broker must not deliver a task again while its run goes on; the claim would only turn it away."""
    seconds = settings.CELERY_BROKER_TRANSPORT_OPTIONS.get("visibility_timeout", SECONDS_PER_HOUR)
    if seconds > SECONDS_PER_HOUR:
        return []
    hint = "raise CELERY_BROKER_TRANSPORT_OPTIONS['visibility_timeout']"
    return [Warning("runs of an hour are delivered twice", hint=hint, id="planner.W001")]


@register()
def body_limit_holds(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """E002: forms and API share one limit for bodies."""
    if settings.ENVIRONMENT.max_body_bytes == settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
        return []
    message = "DATA_UPLOAD_MAX_MEMORY_SIZE differs from MAX_BODY_BYTES"
    return [Error(message, hint="take it from the environment", id="planner.E002")]
