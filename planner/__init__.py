"""Sluice's Django project and domain: servers, queues, scenarios, runs, reports and their REST API."""

from planner.celery import app as celery_app

__all__ = ["celery_app"]
