"""The workbench: edit on the left, the live answer on the right."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Semaphore
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse

from frontend.answers.mechanism.lane import knobs_of
from frontend.answers.point import formula_answer, simulated_answer
from frontend.site import base
from frontend.site.automation import of_scenario
from frontend.workbench.form import NAME, ScenarioForm, form_read, scenario_form
from frontend.workbench.inventory import first_scenario, knobs_applied, stored_choices, workbench_read
from frontend.workbench.items import rows_changed
from frontend.workbench.versus import versus
from planner import selectors, services
from planner.errors import QuotaReached, Stale, Unavailable
from planner.models import Scenario, ScenarioVersion
from planner.web.counters import counted
from simulations.declarations.problems import InvalidInput, Problem
from simulations.experiment import with_overrides
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import ScenarioSpec, parse

ASKED = ("queues.0.arrivals.rate", "queues.0.service.mean", "objectives.0.value")
"""What no declaration knows; the first limit on the way of the messages is asked for with them."""
LATEST = 5
"""Versions and runs that the form shows; the page of all versions has the others."""
PAGE_SECONDS = 3600  # for so long the glances of a page are counted
_LONG = Semaphore()
"""Held while this process makes a whole answer or a curve, so that glances need not wait for many."""
_GLANCED = [0.0]  # when this process last began a glance
PAUSE, PATIENCE = 0.25, 3.0
"""Seconds without glances that a whole answer waits for, and how long it does so at most."""
MOST, SECONDS = 90, 10
"""Whole answers and curves that a person gets within so many seconds."""
SAVED = "sluice-saved"
"""The cookie that tells ``drafts.js`` whose form was saved: scenario and version."""
LIVE_CHARTS = (
    ("latency", "Latency over time", False),
    ("tail", "Tail of the latency", False),
    ("throttle", "Messages over time", True),
)
"""Places for the charts of the live panel: key, title, over the whole width."""
PIECES = ("verdict", "derived", "findings", "mechanism")
"""Templates of the live panel, each painted anew by an answer."""


@base.form_page
@base.reading
def workbench(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """Show a version's form with what the address says of it, or take the form: save, run, show, apply a fix."""
    version = base.asked_version(request, scenario)
    if request.method != "POST":
        return _from_address(request, scenario, version)
    body = typed(request, version)
    try:
        spec = with_overrides(parse(body), base.cure_of(request))
    except InvalidInput as error:
        return _page(request, scenario, version, body, problems=error.problems, status=422)
    action = request.POST.get("action", "show")
    if action in ("save", "run", "explore"):
        return _save(request, scenario, version, spec)
    return _page(request, scenario, version, spec.body(), spec=spec, simulate=True)


@base.post_page
@base.reading
def workbench_answer(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """Answer the live panel: ``part`` is formula, glance or simulated; the sequence number comes back with it."""
    with in_turn(request, brief=request.POST.get("part") != "simulated"):
        return _panel(request, scenario)


def _panel(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    began = time.perf_counter()
    sequence, part = request.POST.get("sequence", ""), request.POST.get("part", "")
    body = typed(request, base.asked_version(request, scenario))
    baseline = selectors.baseline_of(user=base.person(request), scenario=scenario) if part == "simulated" else None
    try:
        spec = parse({**body, "sweep": []})
        if part == "formula":
            answer, quick = formula_answer(spec), None
        else:
            brief, against = part == "glance", baseline.version.parsed if baseline else None
            timeline = not brief or "throttle" not in request.POST.get("unseen", "")  # a glance need not draw it
            queue = request.POST.get("queue", "")
            answer, quick = simulated_answer(spec, queue, brief=brief, timeline=timeline, baseline=against)
    except InvalidInput as error:
        form = _form(request, body, error.problems)
        noted = {NAME: form.name_problem, **{field.name: field.problem for field in form.fields}}
        wrong, other = {name: text for name, text in noted.items() if text}, [item.message for item in form.problems]
        return JsonResponse({"sequence": sequence, "problems": wrong, "other": other}, status=422)
    context = {"answer": answer, "scenario": scenario, "live": True}
    html = {name: render_to_string(f"frontend/answers/{name}.html", context, request) for name in PIECES}
    if part == "simulated":
        strip = {"versus": versus(scenario, baseline, quick.summary.differences) if quick else None}
        html["versus"] = render_to_string("frontend/workbench/versus.html", strip, request)
    charts = base.painted(answer.charts, tables=part != "glance")
    response = JsonResponse({"sequence": sequence, "status": answer.status, "html": html, "charts": charts})
    spent = {**(quick.seconds if quick else {}), "total": time.perf_counter() - began}
    response["Server-Timing"] = ", ".join(f"{name};dur={1e3 * value:.1f}" for name, value in spent.items())
    return response


@base.post_page
@base.reading
def workbench_fields(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """Draw the fields again after a choice or a cure that changes which ones there are."""
    body = typed(request, base.asked_version(request, scenario))
    if request.POST.get("fix"):
        body = with_overrides(parse(body), base.cure_of(request)).body()
    context = {"form": _form(request, body), "scenario": scenario, **_redrawn(request, scenario)}
    return render(request, "frontend/workbench/fields.html", context)


def _from_address(request: HttpRequest, scenario: Scenario, version: ScenarioVersion) -> HttpResponse:
    """The version's form with the settings of the address; a message names those that cannot be used."""
    base.tell_unknown(request, queue=[item["name"] for item in version.spec["queues"]])
    knobs = {name: text for name, text in request.GET.dict().items() if name == NAME or "." in name}
    if not knobs:
        return _page(request, scenario, version, version.spec)
    body, unknown = knobs_applied(user=base.person(request), spec=version.spec, knobs=knobs)
    if unknown:
        names = ", ".join(name[:60] for name in unknown)
        messages.warning(request, f"The address names settings that this scenario does not have; left out: {names}.")
    try:
        spec = parse(body)
        return _page(request, scenario, version, spec.body(), spec=spec)
    except InvalidInput as error:
        messages.warning(request, "A value in the address cannot be used; see the reason below.")
        return _page(request, scenario, version, body, problems=error.problems, status=422)


def _page(
    request: HttpRequest,
    scenario: Scenario,
    version: ScenarioVersion,
    body: dict[str, Any],
    *,
    spec: ScenarioSpec | None = None,
    problems: tuple[Problem, ...] = (),
    simulate: bool = False,
    status: int = 200,
) -> HttpResponse:
    spec = (spec or version.parsed).unswept
    baseline = selectors.baseline_of(user=base.person(request), scenario=scenario)
    against = baseline.version.parsed if baseline else None
    answer, quick = simulated_answer(spec, baseline=against) if simulate else (formula_answer(spec), None)
    context = {
        **_redrawn(request, scenario),
        "scenario": scenario,
        "version": version,
        "placeholders": spec.placeholders,
        "form": _form(request, body, problems),
        "answer": answer,
        "baseline": baseline,
        "versus": versus(scenario, baseline, quick.summary.differences) if quick else None,
        "stale": bool(problems),
        "versions": selectors.versions_list(scenario=scenario)[:LATEST],
        "runs": selectors.runs_of_scenario(scenario=scenario)[:LATEST],
        "live": True,
        "live_charts": LIVE_CHARTS,
        "live_queues": [item.name for item in spec.queues],
        "live_queue": request.GET.get("queue") or next((item.queue for item in spec.objectives if item.queue), ""),
        "spellings": of_scenario(request, scenario, version),
        "saved_values": None if body is version.spec else scenario_form(version.spec).values,
        "family": spec.family,
    }
    return render(request, "frontend/workbench/page.html", context, status=status)


def _save(request: HttpRequest, scenario: Scenario, version: ScenarioVersion, spec: ScenarioSpec) -> HttpResponse:
    """Save a version; with the action ``run`` start it too, with ``explore`` go on to the search for the best."""
    base.role_checks(request, scenario)
    user, action, read = base.person(request), request.POST["action"], request.POST.get("revision", "")
    revision = base.whole_number(read) if read else scenario.revision
    if revision is None:
        return HttpResponseBadRequest("The revision is no number.", content_type="text/plain; charset=utf-8")
    try:
        with transaction.atomic():
            saved = services.scenario_replace(scenario=scenario, author=user, spec=spec, revision=revision)
            started = services.run_start(version=saved.version, owner=user) if action == "run" else None
    except Stale:
        messages.error(request, "Somebody saved another version meanwhile. Yours is below; save again to keep it.")
        return _page(request, scenario, version, spec.body(), spec=spec, status=409)
    except InvalidInput as error:
        return _page(request, scenario, version, spec.body(), problems=error.problems, status=422)
    page = "explore" if action == "explore" else "workbench"
    answer = redirect("run", run_id=started.run.pk) if started else redirect(page, scenario_id=scenario.pk)
    if "version" in request.POST:
        answer.set_cookie(SAVED, f"{scenario.pk}:{version.number}", samesite="Lax", secure=request.is_secure())
    if action == "save":
        undo = base.version_undo(scenario, saved)
        text = f"Saved as version {saved.version.number}." if undo else "Nothing has changed."
        base.tell_done(request, text, undo=undo)
    elif started:
        base.tell_equal(request, started)
    return answer


def typed(request: HttpRequest, version: ScenarioVersion) -> dict[str, Any]:
    """Return the version's body with what the form says."""
    return workbench_read(user=base.person(request), spec=version.spec, values=rows_changed(request.POST.dict()))


def _form(request: HttpRequest, body: dict[str, Any], problems: tuple[Problem, ...] = ()) -> ScenarioForm:
    """The form of what was typed, or of what the address says."""
    return scenario_form(body, problems, rows_changed((request.POST or request.GET).dict()))


def _redrawn(request: HttpRequest, scenario: Scenario) -> dict[str, Any]:
    """What the fields need wherever they are drawn."""
    return {
        "stored": stored_choices(user=base.person(request), platform=scenario.platform),
        "fields_url": reverse("workbench-fields", args=[scenario.pk]),
    }


@contextmanager
def in_turn(request: HttpRequest, *, brief: bool = False) -> Iterator[None]:
    """Let a glance or formulas (``brief``) answer at once, others one by one, in a pause between glances if one is due.
    Raises Unavailable if their page has glanced since, and QuotaReached where a person asks for too many."""
    user = base.person(request).pk
    key = f"live:{user}:{base.whole_number(request.POST.get('page'))}"
    asked = counted(key, seconds=PAGE_SECONDS, by=int(brief))
    if brief:
        _GLANCED[0] = time.monotonic()
        yield
        return
    if counted(f"long:{user}", seconds=SECONDS) > MOST:
        raise QuotaReached("too many answers at once; the page asks again by itself")
    with _LONG:
        end = time.monotonic() + PATIENCE
        while counted(key, seconds=PAGE_SECONDS, by=0) <= asked:
            if time.monotonic() >= min(_GLANCED[0] + PAUSE, end):
                yield
                return
            time.sleep(0.05)
        raise Unavailable("a newer question of this page is answered first")


@base.form_page
def scenario_start(request: HttpRequest) -> HttpResponse:
    """Ask for the platform, then for four numbers; store the scenario and open it."""
    platform = request.POST.get("platform") or request.GET.get("platform", "")
    if platform not in PLATFORMS:
        return render(request, "frontend/workbench/start.html", {"platforms": PLATFORMS.values()})
    body = {**first_scenario(platform), "name": "New scenario"}
    problems: tuple[Problem, ...] = ()
    if request.method == "POST":
        body = form_read(body, request.POST.dict())
        try:
            made = services.scenario_store(owner=base.person(request), spec=parse(body))
            return redirect("workbench", scenario_id=made.pk)
        except InvalidInput as error:
            problems = error.problems
    form = scenario_form(body, problems)
    named = {field.name: field for field in form.fields}
    stations = next(iter(knobs_of(parse(first_scenario(platform))).values()))
    knobs = [*stations.get("limit", ()), *stations.get("threads", ())]
    limit = next(field for field in form.fields if field.path == knobs[0].path)
    rate, mean, objective = (named[name] for name in ASKED)
    fields = [rate, mean, replace(limit, slider=None), objective]
    context = {"form": form, "fields": fields, "family": PLATFORMS[platform]}
    return render(request, "frontend/workbench/start.html", context, status=422 if problems else 200)
