"""The page of scenarios: table, search, presets, saved views; making, copying, archiving and taking that back."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import capfirst

from frontend.scenarios.filters import table_context, table_view, view_address
from frontend.scenarios.page import csv_lines, scenario_rows
from frontend.scenarios.questions import questions, worked_answer
from frontend.site.automation import of_scenarios
from frontend.site.base import back_to_list, done, get_page, person, post_page, reading, role_checks, tell_done
from planner import selectors, services
from planner.errors import Unavailable
from planner.models import SavedView, Scenario
from planner.presets.files import Preset, presets
from planner.web.downloads import csv_text, saved_as
from simulations.platforms import PLATFORMS

PAGE_SIZE = 50
OWN_SHOWN = 6
"""Own scenarios below the worked questions."""


@get_page
def scenarios(request: HttpRequest) -> HttpResponse:
    """List what the person has, as the address asks (``filters``); ``view`` names a saved view."""
    user = person(request)
    if not request.GET and not selectors.scenarios_list(user=user, shipped=False).exists():
        return questions_asked(request)
    chosen = selectors.view_get(user=user, view_id=request.GET["view"]) if request.GET.get("view") else None
    own = table_view(QueryDict(chosen.query)) if chosen else None
    table = own if own and not set(request.GET) - {"view", "page"} else table_view(request.GET)
    rows = selectors.scenarios_list(user=user, **table.selection)
    pages = Paginator(selectors.scenarios_grouped(rows, table.group) if table.group else rows, PAGE_SIZE)
    shown = pages.get_page(request.GET.get("page"))
    context = {
        **table_context(table, chosen, list(selectors.views_list(user=user))),
        "changed": chosen is not None and table != own,
        "rows": scenario_rows(list(shown.object_list), table.group),
        "page": shown,
        "platforms": PLATFORMS.values(),
        "teams": selectors.teams_list(user=user),
        "questions": questions(),
        "spellings": of_scenarios(request, search=table.q, platform=table.platform, archived=table.archived),
    }
    return render(request, "frontend/scenarios/page.html", context)


@get_page
def questions_asked(request: HttpRequest) -> HttpResponse:
    """Ask what the person wants to know: worked questions, an import, the newest own scenarios."""
    own = selectors.scenarios_list(user=person(request), shipped=False)[:OWN_SHOWN]
    context = {"questions": questions(), "rows": scenario_rows(list(own))}
    return render(request, "frontend/scenarios/home.html", context)


@get_page
def question_answer(request: HttpRequest, preset: str) -> HttpResponse:
    """Answer a worked question; its card asks for this once the page stands."""
    asked = _preset(preset)
    try:
        context = {"answer": worked_answer(asked), "key": preset}
    except Unavailable as error:
        return render(request, "frontend/scenarios/unanswered.html", {"key": preset, "reason": capfirst(str(error))})
    return render(request, "frontend/scenarios/worked_answer.html", context)


@post_page
def scenarios_csv(request: HttpRequest) -> HttpResponse:
    """Download the chosen rows."""
    chosen = _chosen(request, request.POST)
    if not chosen:
        messages.error(request, "Choose at least one scenario.")
        return back_to_list(request)
    text = csv_text(csv_lines(scenario_rows(chosen)))
    return HttpResponse(text, content_type="text/csv; charset=utf-8", headers=saved_as("scenarios.csv"))


def _chosen(request: HttpRequest, sent: QueryDict) -> list[Scenario]:
    return [selectors.scenario_get(user=person(request), scenario_id=key) for key in sent.getlist("scenario")]


@post_page
def scenario_new(request: HttpRequest) -> HttpResponse:
    """Make a scenario from a preset and open it."""
    preset = _preset(request.POST.get("preset", ""))
    scenario = services.scenario_store(owner=person(request), spec=preset.spec, tags=preset.tags, note=preset.question)
    return redirect("workbench", scenario_id=scenario.pk)


def _preset(key: str) -> Preset:
    for preset in presets():
        if preset.key == key:
            return preset
    raise Http404("there is no such preset")


@post_page
@transaction.atomic
def scenarios_chosen(request: HttpRequest) -> HttpResponse:
    """Archive the chosen scenarios, or give them one more tag."""
    user = person(request)
    chosen = _chosen(request, request.POST)
    tag = request.POST.get("tag", "").strip()
    if not chosen:
        messages.error(request, "Choose at least one scenario.")
    elif request.POST.get("action") == "archive":
        role_checks(request, *chosen)
        for scenario in chosen:
            services.scenario_archive(scenario=scenario, actor=user)
        tell_done(request, f"{len(chosen)} archived.", undo=_undo(chosen))
    elif tag:
        role_checks(request, *chosen)
        new = [scenario for scenario in chosen if tag not in scenario.tags]
        for scenario in new:
            services.scenario_tag(scenario=scenario, actor=user, tags=[*scenario.tags, tag])
        tell_done(request, f"{len(chosen)} tagged “{tag}”.", undo=_undo(new, untag=tag) if new else "")
    else:
        messages.error(request, "Type a tag.")
    return back_to_list(request)


@post_page
@transaction.atomic
def scenarios_undo(request: HttpRequest) -> HttpResponse:
    """Take back what was done to several: with ``untag`` in the address a tag goes, else the archived are restored."""
    user, tag = person(request), request.GET.get("untag", "")
    changed = _chosen(request, request.GET)
    role_checks(request, *changed)
    for scenario in changed:
        if tag:
            left = [item for item in scenario.tags if item != tag]
            services.scenario_tag(scenario=scenario, actor=user, tags=left)
        else:
            services.scenario_archive(scenario=scenario, actor=user, archived=False)
    text = f"“{tag}” is removed from {len(changed)}." if tag else f"{len(changed)} restored."
    return done(request, text, "scenarios")


def _undo(changed: list[Scenario], **more: str) -> str:
    """The address that takes the change back."""
    return reverse("scenarios-undo", query={**more, "scenario": [scenario.pk for scenario in changed]})


@post_page
@reading
def scenario_copy(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """Copy the present version and open the copy."""
    spec, note = services.scenario_copied(scenario=scenario), f"copy of {scenario.pk}"
    copy = services.scenario_store(owner=person(request), spec=spec, tags=scenario.tags, note=note)
    return done(request, f"This is a copy of {scenario.name}.", "workbench", scenario_id=copy.pk)


@post_page
def scenario_step(request: HttpRequest, scenario: Scenario, step: str) -> HttpResponse:
    """Archive a scenario, which the page then offers to undo, or restore it."""
    archived = step == "archive"
    services.scenario_archive(scenario=scenario, actor=person(request), archived=archived)
    undo = reverse("scenario-restore", args=[scenario.pk]) if archived else ""
    tell_done(request, f"{scenario.name} is {'archived' if archived else 'back'}.", undo=undo)
    return back_to_list(request)


@post_page
def view_new(request: HttpRequest) -> HttpResponse:
    """Keep what the table shows under a name."""
    view = services.view_create(owner=person(request), name=request.POST.get("name", ""), query=_query(request))
    text = f"The view “{view.name}” is kept. Its address can be bookmarked."
    return done(request, text, view_address(f"view={view.pk}"))


@post_page
def view_change(request: HttpRequest, view: SavedView) -> HttpResponse:
    """Rename the view (``name``), and let it keep what the table shows now (``query``)."""
    query = _query(request) if "query" in request.POST else None
    services.view_update(view=view, name=request.POST.get("name"), query=query)
    return done(request, f"The view “{view.name}” is saved.", view_address(f"view={view.pk}"))


@post_page
def view_step(request: HttpRequest, view: SavedView, step: str) -> HttpResponse:
    """Delete the view, which the page then offers to undo, or bring it back."""
    services.row_archive(row=view, archived=step == "archive")
    if step == "restore":
        return done(request, f"The view “{view.name}” is back.", view_address(f"view={view.pk}"))
    undo = reverse("view-restore", args=[view.pk])
    return done(request, f"The view “{view.name}” is deleted.", "scenarios", undo=undo)


def _query(request: HttpRequest) -> str:
    """What the table shows, in the page's own words only."""
    return table_view(QueryDict(request.POST.get("query", ""))).query
