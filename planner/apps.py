"""Django's entry for the planner, with the system check of its presets."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, register

from planner.presets.files import presets
from simulations.declarations.problems import InvalidInput


class PlannerConfig(AppConfig):
    """Servers, queues, scenarios, runs and reports."""

    name = "planner"
    label = "planner"
    verbose_name = "Capacity planner"

    def ready(self) -> None:
        """Register the system check, and note sign-ins."""
        from planner.web.trail import trail_listens

        register(presets_are_valid)
        trail_listens()


def presets_are_valid(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    """E001: every preset file holds a scenario that the platforms accept."""
    try:
        presets()
    except InvalidInput as error:
        return [Error(f"a preset is wrong: {error}", hint="correct planner/presets/*.yaml", id="planner.E001")]
    return []
