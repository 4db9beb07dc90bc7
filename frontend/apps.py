"""Django's entry for the pages."""

from django.apps import AppConfig


class FrontendConfig(AppConfig):
    """Pages, charts and reports over the planner."""

    name = "frontend"
    label = "frontend"
