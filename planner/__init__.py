"""Sluice's Django project and domain: servers, queues, scenarios, runs, reports and their REST API."""

from planner.celery import app as celery_app

API_VERSION = "1.0.0"
"""Of the REST API: additive changes only within a major version."""

__all__ = ["API_VERSION", "celery_app"]
