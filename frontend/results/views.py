"""Runs: the drawer and the list, and the page of one, with progress while it goes on, then the answer and why."""

from collections.abc import Callable, Mapping
from typing import Any

from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse

from frontend.answers.sentences import point_at
from frontend.charts.curves import PERCENTILES
from frontend.results.page import chosen_point, failure_of, result_page, short_name
from frontend.site import base
from frontend.site.automation import of_list, of_run
from frontend.site.basket import basket_keys
from planner import selectors, services
from planner.answers.quick import engine_awaited
from planner.models import Run, RunKind, RunStatus
from simulations.declarations.problems import InvalidInput
from simulations.experiment import with_overrides
from simulations.scenario.spec import revised

LATEST, PAGE_SIZE = 6, 50
"""Runs of the drawer, and of one page of all runs."""
STEPS: Mapping[str, Callable[..., Run]] = {
    "cancel": services.job_cancel,
    "pause": services.job_pause,
    "resume": services.job_resume,
    "retry": services.run_retry,
}


@base.get_page
def runs(request: HttpRequest) -> HttpResponse:
    """The latest runs and how many there are by status: a fragment for the drawer, else the page of all runs."""
    user = base.person(request)
    counts = selectors.runs_counted(user=user)
    context = {
        "counts": counts,
        "active": sum(counts[status] for status in ("queued", "running", "pausing", "cancelling")),
    }
    rows = selectors.runs_list(user=user)
    if request.headers.get("HX-Request"):
        latest = {"runs": rows[:LATEST], "engine": engine_awaited()}
        return render(request, "frontend/results/drawer.html", {**context, **latest})
    shown = Paginator(rows.values_list("pk", flat=True), PAGE_SIZE).get_page(request.GET.get("page"))
    known = rows.in_bulk(list(shown))  # the rows before the page are passed over without what they hold
    more = {"runs": [known[key] for key in shown], "page": shown, "spellings": of_list(request, "api:runs")}
    return render(request, "frontend/results/runs.html", {**context, **more})


@base.get_page
def run(request: HttpRequest, run: Run) -> HttpResponse:
    """Show a run; ``point`` and ``queue`` choose whose charts are drawn, ``p`` the percentiles of the curve."""
    if run.kind != RunKind.RUN:
        return redirect("experiment", experiment_id=run.pk)
    context = result_page(run, request.GET)
    known = {"queue": [item.name for item in context["spec"].queues], "p": [*map(short_name, PERCENTILES)]}
    base.tell_unknown(request, **known, **({"point": context["shown_points"]} if run.final else {}))
    key = _basket_key(run, context)
    context |= {"basket_key": key, "in_basket": key in basket_keys(request), "spellings": of_run(request, run)}
    context["failure"] = failure_of(run=run, user=base.person(request))
    return render(request, "frontend/results/page.html", context)


@base.get_page
def run_live(request: HttpRequest, run: Run) -> HttpResponse:
    """What changes while a run goes on, for the page to repaint in place; when it has ``seen`` all, the progress."""
    mark = f"{selectors.run_points_mark(run=run)}{'-paused' if run.at_rest else ''}"
    names, place = ["progress"], selectors.run_place(run=run)
    context: dict[str, Any] = {"run": run, "place": place, "swept": (), "answer": None}
    if request.GET.get("seen") != mark:
        names += ["sentences", "table", "points", "rest"]
        context = result_page(run, request.GET)
    charts = [*context["swept"], *(context["answer"].charts if context["answer"] else ())]
    html = {name: render_to_string(f"frontend/results/{name}.html", context, request) for name in names}
    state = {"final": run.final, "status": run.status, "word": run.status_word}
    return JsonResponse({**state, "seen": mark, "html": html, "charts": base.painted(charts)})


@base.post_page
def run_step(request: HttpRequest, run: Run, step: str) -> HttpResponse:
    """Cancel, pause, resume or retry the run, or the experiment."""
    STEPS[step](run, actor=base.person(request))
    return redirect("run", run_id=run.pk)


@base.post_page
def run_fix(request: HttpRequest, run: Run) -> HttpResponse:
    """Apply a rule's cure to the scenario's newest version and run that; one that does not fit it is refused."""
    try:
        cure = base.cure_of(request)
        with_overrides(run.parsed, cure)
    except InvalidInput as error:
        raise Http404("this cure does not fit the run") from error
    if not cure:
        raise Http404("there is no cure in the form")
    scenario = run.version.scenario
    cured = with_overrides(scenario.version.parsed, cure)
    return base.run_changed(request, scenario, cured, note="applied a rule's cure")


@base.post_page
@base.reading
def run_proof(request: HttpRequest, run: Run) -> HttpResponse:
    """Make a scenario of what proves a sentence about a point, run it, and compare the point with it."""
    spec, points = run.parsed, selectors.run_points(run=run)
    point = chosen_point(spec, points, request.POST.get("point", ""))
    claims = selectors.run_claims(run=run, point=point) if point else ()
    claim = next((item for item in claims if item.proof and item.id == request.POST.get("claim")), None)
    if point is None or claim is None:
        raise Http404("this sentence has no proof of its own")
    proof = revised(with_overrides(point_at(spec, point), claim.proof), [(("name",), f"{spec.name}: {claim.id}"[:200])])
    with transaction.atomic():
        made = services.scenario_store(owner=base.person(request), spec=proof, note=claim.sentence)
        started = services.run_start(version=made.version, owner=base.person(request))
    base.tell_equal(request, started)
    return redirect(reverse("compare", query={"id": [f"{run.pk}:{point.index}", started.run.pk]}))


def _basket_key(run: Run, context: dict[str, Any]) -> str:
    """What puts the answer shown into the basket: the point where there are several; empty without an answer."""
    if run.status != RunStatus.SUCCEEDED or context["chosen"] is None:
        return ""
    return f"{run.pk}:{context['chosen'].index}" if context["points"] else run.pk
