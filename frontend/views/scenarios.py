"""The page of scenarios: table, search, presets; making, copying, archiving and taking that back."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from frontend.listing import scenario_rows
from frontend.views.common import page, person
from planner import selectors, services
from planner.models import Scenario
from planner.preset_files import presets
from simulations.platforms import PLATFORMS
from simulations.problems import InvalidInput

PAGE_SIZE = 50


@require_safe
@page
def scenarios(request: HttpRequest) -> HttpResponse:
    """List what the person has: ``q`` searches names, ``tag`` and ``platform`` narrow, ``archived`` is the archive."""
    query, archived = request.GET.get("q", "").strip(), "archived" in request.GET
    tag, platform = request.GET.get("tag", ""), request.GET.get("platform", "")
    found = selectors.scenarios_list(user=person(request), search=query, archived=archived, tag=tag, platform=platform)
    pages = Paginator(found, PAGE_SIZE)
    shown = pages.get_page(request.GET.get("page"))
    context = {
        "rows": scenario_rows(list(shown.object_list)),
        "page": shown,
        "query": query,
        "tag": tag,
        "platform": platform,
        "platforms": PLATFORMS.values(),
        "narrowed": bool(query or tag or platform),
        "archived": archived,
        "presets": presets(),
        "section": "scenarios",
    }
    return render(request, "frontend/scenarios.html", context)


@require_POST
@page
def scenario_new(request: HttpRequest) -> HttpResponse:
    """Make a scenario from a preset and open it."""
    preset = next((item for item in presets() if item.card.key == request.POST.get("preset")), None)
    if preset is None:
        raise Http404("there is no such preset")
    body = preset.spec.body()
    scenario = services.scenario_create(
        owner=person(request), body=body, tags=preset.card.tags, note=preset.card.question
    )
    return redirect("workbench", scenario_id=scenario.pk)


@require_POST
@page
def scenarios_chosen(request: HttpRequest) -> HttpResponse:
    """Archive the chosen scenarios, or give them one more tag."""
    user = person(request)
    chosen = [selectors.scenario_get(user=user, scenario_id=key) for key in request.POST.getlist("scenario")]
    tag = request.POST.get("tag", "").strip()
    if not chosen:
        messages.error(request, "Choose at least one scenario.")
    elif request.POST.get("action") == "archive":
        for scenario in chosen:
            services.scenario_archive(scenario=scenario, actor=user)
        messages.success(request, f"{len(chosen)} archived. They are in the archive and can be restored there.")
    else:
        _tagged(request, chosen, tag)
    return redirect("scenarios")


def _tagged(request: HttpRequest, chosen: list[Scenario], tag: str) -> None:
    try:
        for scenario in chosen:
            services.scenario_tag(scenario=scenario, actor=person(request), tags=[*scenario.tags, tag])
        messages.success(request, f"{len(chosen)} tagged “{tag}”.")
    except InvalidInput as error:
        messages.error(request, f"Tags: {error.problems[0].message}.")


@require_POST
@page
def scenario_copy(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """Copy the present version and open the copy."""
    scenario = selectors.scenario_get(user=person(request), scenario_id=scenario_id)
    copy = services.scenario_copy(scenario=scenario, owner=person(request))
    messages.success(request, f"This is a copy of {scenario.name}.")
    return redirect("workbench", scenario_id=copy.pk)


@require_POST
@page
def scenario_archive(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """Archive; the page then offers to undo it."""
    scenario = selectors.scenario_get(user=person(request), scenario_id=scenario_id)
    services.scenario_archive(scenario=scenario, actor=person(request))
    undo = reverse("scenario-restore", args=[scenario.pk])
    messages.success(request, f"{scenario.name} is archived.", extra_tags=f"undo:{undo}")
    return redirect("scenarios")


@require_POST
@page
def scenario_restore(request: HttpRequest, scenario_id: str) -> HttpResponse:
    """Undo archiving."""
    scenario = selectors.scenario_get(user=person(request), scenario_id=scenario_id)
    services.scenario_restore(scenario=scenario, actor=person(request))
    messages.success(request, f"{scenario.name} is back.")
    return redirect("scenarios")
