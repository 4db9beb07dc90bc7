"""Django's entry for the planner."""

from django.apps import AppConfig


class PlannerConfig(AppConfig):
    """Servers, queues, scenarios, runs and reports."""

    name = "planner"
    label = "planner"
    verbose_name = "Capacity planner"
