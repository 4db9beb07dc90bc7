"""The page of one run: progress while it goes on, then the answer and why."""

import json

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from frontend.charts.theme import themes
from frontend.results import result_page
from frontend.spellings import of_run
from frontend.views.common import page, person
from planner import selectors, services
from planner.models import RunKind
from simulations.experiment import with_overrides
from simulations.problems import InvalidInput
from simulations.scenario import parse


@require_safe
@page
def run(request: HttpRequest, run_id: str) -> HttpResponse:
    """Show a run; ``point`` and ``queue`` choose whose charts are drawn, ``p`` the percentiles of the curve."""
    found = selectors.run_get(user=person(request), run_id=run_id)
    if found.kind != RunKind.RUN:
        return redirect("experiment", experiment_id=found.pk)
    asked = request.GET
    context = result_page(found, point=asked.get("point", ""), queue=asked.get("queue", ""), shown=asked.getlist("p"))
    more = {"themes": themes(), "section": "scenarios", "spellings": of_run(request, found)}
    return render(request, "frontend/results.html", {**context, **more})


@require_safe
@page
def run_progress(request: HttpRequest, run_id: str) -> HttpResponse:
    """The status while the run goes on; when it is over the page loads itself again."""
    found = selectors.run_get(user=person(request), run_id=run_id)
    response = render(request, "frontend/partials/progress.html", {"run": found})
    seen = request.GET.get("seen", "")
    if found.final or (seen.isdigit() and int(seen) != found.points.count()):
        response["HX-Refresh"] = "true"
    return response


@require_POST
@page
def run_cancel(request: HttpRequest, run_id: str) -> HttpResponse:
    """Ask the run to stop."""
    found = selectors.run_get(user=person(request), run_id=run_id)
    services.run_cancel(run=found, actor=person(request))
    return redirect("run", run_id=run_id)


@require_POST
@page
def run_retry(request: HttpRequest, run_id: str) -> HttpResponse:
    """Try a failed or cancelled run again."""
    found = selectors.run_get(user=person(request), run_id=run_id)
    services.run_retry(run=found, actor=person(request))
    return redirect("run", run_id=run_id)


@require_POST
@page
def run_fix(request: HttpRequest, run_id: str) -> HttpResponse:
    """Apply a rule's cure to the scenario as a new version and run that."""
    found = selectors.run_get(user=person(request), run_id=run_id)
    try:
        fix = json.loads(request.POST.get("fix", ""))
        spec = with_overrides(parse(found.spec), fix)
    except (ValueError, InvalidInput, AttributeError) as error:
        raise Http404("this cure does not fit the run") from error
    scenario = services.scenario_update(
        scenario=found.version.scenario, author=person(request), body=spec.body(), note="applied a rule's cure"
    )
    started = services.run_start(version=scenario.version, owner=person(request))
    messages.success(request, f"Applied as version {scenario.version.number}.")
    return redirect("run", run_id=started.run.pk)
