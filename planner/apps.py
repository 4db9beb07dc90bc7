"""Django's entry for the planner."""

from importlib import import_module

from django.apps import AppConfig


class PlannerConfig(AppConfig):
    """Servers, queues, scenarios, runs and reports."""

    name = "planner"
    label = "planner"
    verbose_name = "Capacity planner"

    def ready(self) -> None:
        """Register the system checks; they need the settings, so not before now."""
        import_module("planner.settings.checks")
