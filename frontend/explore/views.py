"""The Explore page: what is the best setting, what does the answer depend on, how far can the load grow."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse

from frontend.explore.form import default_question, explore_form, question_of, uncertain
from frontend.explore.page import TABS, effort_text, point_shown, shown
from frontend.site import base
from frontend.site.automation import of_list, of_question
from frontend.wording.numbers import problem_text
from planner import selectors, services
from planner.models import Run, RunKind, Scenario, ScenarioVersion
from simulations.analysis.estimates.summary import percent
from simulations.declarations.problems import InvalidInput
from simulations.experiment import with_overrides
from simulations.pipeline.telemetry.fitting.spec import measured_ranges
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import revised


@base.form_page
def explore(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """Show a tab for a version of a scenario; a POST asks its question. ``experiment`` chooses an older one."""
    version = base.asked_version(request, scenario)
    tab = _tab(request)
    question: dict[str, Any] | None = None
    problems: tuple[str, ...] = ()
    if request.method == "POST":
        question = _question(request, version, str(TABS[tab][1]))
        try:
            started = services.experiment_prepare(version=version, owner=base.person(request), question=question)()
        except InvalidInput as error:
            problems = tuple(problem_text(item, version.parsed) for item in error.problems)
        else:
            base.tell_equal(request, started)
            return redirect(_address(started.run, tab))
    context = _context(request, version, tab, question, problems)
    run = context["run"]
    # What the map can show is known once its search is over; before that any point may still come.
    points = {"point": context["answers"]} if run and run.final and tab == "map" else {}
    base.tell_unknown(request, tab=TABS, **points)
    return render(request, "frontend/explore/page.html", context, status=422 if problems else 200)


@base.get_page
def experiments(request: HttpRequest) -> HttpResponse:
    """List the latest experiments, and the scenarios that can be explored."""
    user = base.person(request)
    context = {
        "experiments": selectors.experiments_list(user=user)[:30],
        "scenarios": [(item, PLATFORMS[item.platform].title) for item in selectors.scenarios_list(user=user)[:30]],
        "spellings": of_list(request, "api:experiments"),
    }
    return render(request, "frontend/explore/list.html", context)


@base.get_page
def experiment(request: HttpRequest, run: Run) -> HttpResponse:
    """Lead to the experiment on the page of its scenario."""
    tab = next((name for name, (_, kind) in TABS.items() if kind == run.kind), "map")
    return redirect(_address(run, tab))


@base.get_page
def experiment_live(request: HttpRequest, run: Run) -> HttpResponse:
    """What changes while an experiment goes on: state, sentences, pictures. The page repaints them in place."""
    context = _experiment_context(run, _tab(request), _point(request))
    names = ("progress", "sentences", "point")
    html = {name: render_to_string(f"frontend/explore/{name}.html", context, request) for name in names}
    return JsonResponse({"final": run.final, "html": html, "charts": base.painted(context["charts"])})


@base.post_page
@base.reading
def experiment_adopt(request: HttpRequest, run: Run) -> HttpResponse:
    """Make a scenario of a point's settings."""
    found = selectors.experiment_read(run=run)
    number = base.whole_number(request.POST.get("point"))
    point = point_shown(found, number) if number is not None else None
    if point is None:
        raise Http404("this point has no answer")
    changed = with_overrides(run.parsed, found.answers[point["index"]].overrides)
    name = f"{changed.name}: {point['settings']}"[:200]
    spec, note = revised(changed, [(("name",), name)]), f"point {point['index']} of {run.pk}"
    scenario = services.scenario_store(owner=base.person(request), spec=spec, note=note)
    return base.done(request, "The point is a scenario of its own now.", "workbench", scenario_id=scenario.pk)


def _question(request: HttpRequest, version: ScenarioVersion, kind: str) -> dict[str, Any]:
    """What the pressed button asks: the first one of a search asks for the best setting without more words."""
    if kind != RunKind.OPTIMIZE:
        growth, unknown = (request.POST.get(name, "").strip() for name in ("growth", "uncertain"))
        return {"type": kind, **({"growth": growth} if growth else {}), **(uncertain(unknown) if unknown else {})}
    if request.POST.get("action") == "find":
        return default_question(version.parsed)
    return question_of(request.POST.dict())


def _context(
    request: HttpRequest, version: ScenarioVersion, tab: str, question: dict[str, Any] | None, problems: tuple[str, ...]
) -> dict[str, Any]:
    run = _run(request, version, tab)
    scenario, spec = version.scenario, version.parsed
    kind = str(TABS[tab][1])
    asked = question or (run.question if run and run.question.get("knobs") else default_question(spec))
    growth = (question or (run.question if run else {})).get("growth") or ""
    measured = scenario.calibrations.exclude(result=None).first() if tab == "sensitivity" else None
    ranges = measured_ranges(measured.result or {}, spec) if measured else ()
    known = [f"{path}: {low:.4g} to {high:.4g}" for path, low, high in ranges]
    return {
        "scenario": scenario,
        "version": version,
        "spec": spec,
        "tab": tab,
        "tabs": [(name, title) for name, (title, _) in TABS.items()],
        "form": explore_form(spec, asked, problems),
        "searches": kind == "optimize",
        "measured": measured,
        "known": known,
        "uncertain": request.POST.get("uncertain", "\n".join(known)),
        "growth": growth if isinstance(growth, str) else percent(growth),
        "spellings": of_question(request, version, asked if kind == "optimize" else {"type": kind}),
        **(_experiment_context(run, tab, _point(request)) if run else {"run": None, "charts": (), "sentences": ()}),
    }


def _experiment_context(run: Run, tab: str, point: int | None) -> dict[str, Any]:
    found = selectors.experiment_read(run=run)
    sentences, charts = shown(found, tab) if found.answers else ((), ())
    return {
        "run": run,
        "tab": tab,
        "sentences": sentences,
        "charts": charts,
        "effort": effort_text(found) if found.answers else "",
        "point": point_shown(found, point) if point is not None or run.final else None,
        "answered": len(found.answers),
        "answers": [str(index) for index in found.answers],
    }


def _run(request: HttpRequest, version: ScenarioVersion, tab: str) -> Run | None:
    """The experiment named in the address where it fits the tab, else the newest that does."""
    named = request.GET.get("experiment", "")
    if named:
        run = selectors.experiment_get(user=base.person(request), experiment_id=named)
        if run.kind == TABS[tab][1] or (tab == "map" and run.kind == RunKind.SWEEP):
            return run
    return selectors.experiments_newest(version=version).get(TABS[tab][1])


def _tab(request: HttpRequest) -> str:
    wanted = request.POST.get("tab") or request.GET.get("tab") or "map"
    return wanted if wanted in TABS else "map"


def _point(request: HttpRequest) -> int | None:
    """The index of the point asked for; that of none where the text is no number."""
    text = request.GET.get("point", "")
    number = base.whole_number(text)
    return -1 if text and number is None else number


def _address(run: Run, tab: str) -> str:
    query = {"version": run.version.number, "tab": tab, "experiment": run.pk}
    return reverse("explore", args=[run.version.scenario_id], query=query)
