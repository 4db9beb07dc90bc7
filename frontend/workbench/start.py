"""A scenario from nothing: a platform, four numbers, and the declared default for all the rest."""

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from frontend.site.base import form_page, person
from frontend.workbench.form import form_read, scenario_form
from frontend.workbench.inventory import frame_of
from planner import services
from simulations.declarations.problems import InvalidInput, Problem
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import parse

ASKED = ("queues.0.arrivals.rate", "queues.0.service.mean", "objectives.0.value")
"""What no declaration knows; the limit that leads the platform's queue settings is asked for with them."""


@form_page
def scenario_start(request: HttpRequest) -> HttpResponse:
    """Ask for the platform, then for four numbers; store the scenario and open it."""
    platform = request.POST.get("platform") or request.GET.get("platform", "")
    if platform not in PLATFORMS:
        return render(request, "frontend/workbench/start.html", {"platforms": PLATFORMS.values()})
    body = {**frame_of(platform), "name": f"New scenario ({PLATFORMS[platform].title})"}
    if request.method != "POST":
        return _asked(request, body, ())
    body = form_read(body, request.POST.dict())
    try:
        spec = parse(body)
    except InvalidInput as error:
        return _asked(request, body, error.problems)
    scenario = services.scenario_store(owner=person(request), spec=spec)
    return redirect("workbench", scenario_id=scenario.pk)


def _asked(request: HttpRequest, body: dict[str, Any], problems: tuple[Problem, ...]) -> HttpResponse:
    form = scenario_form(body, problems)
    named = {field.name: field for field in form.fields}
    limit = next(field for group in form.groups if group.key == "queues.0" for field in group.fields if field.slider)
    rate, mean, objective = (named[name] for name in ASKED)
    fields = [rate, mean, replace(limit, slider=None), objective]
    context = {"form": form, "fields": fields, "family": PLATFORMS[body["platform"]]}
    return render(request, "frontend/workbench/start.html", context, status=422 if problems else 200)
