"""Pinning baselines from the workbench."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from frontend.site.base import asked_version, page, person
from planner import selectors, services


@require_POST
@page
def baseline_pin(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """Make the form's version the baseline of the scenario's application."""
    scenario = selectors.scenario_get(user=person(request), scenario_id=scenario_id)
    version = asked_version(request, scenario)
    pinned = services.baseline_pin(owner=person(request), version=version)
    messages.success(request, f"Version {version.number} is the baseline of {pinned.application} now.")
    return redirect(f"{reverse('workbench', args=[scenario.pk])}?version={version.number}")


@require_POST
@page
def baseline_unpin(request: HttpRequest, baseline_id: str) -> HttpResponse:
    """Take a baseline off and show its scenario."""
    found = selectors.baseline_get(user=person(request), baseline_id=baseline_id)
    services.baseline_unpin(baseline=found, actor=person(request))
    messages.success(request, f"{found.application} has no baseline any more.")
    return redirect("workbench", scenario_id=found.version.scenario_id)
