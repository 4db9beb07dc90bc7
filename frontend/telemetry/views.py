"""Telemetry: send a log or name it, watch, read the verdict, make the scenario."""

from collections.abc import Callable, Sequence

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from frontend.site.automation import of_list
from frontend.site.base import done, form_page, get_page, person, post_page
from frontend.telemetry.page import calibration_page
from planner import selectors, services
from planner.models import Calibration
from simulations.analysis.estimates.summary import quantity
from simulations.declarations.problems import InvalidInput, Problem
from simulations.pipeline.telemetry.reading.layouts import LAYOUTS
from simulations.platforms import PLATFORMS

LATEST = 50
EVERY = {"once": 0, "every hour": 1, "every day": 24, "every week": 168}
"""Words for how often a location is calibrated -> hours."""
STEPS: dict[str, Callable[..., Calibration]] = {
    "cancel": services.job_cancel,
    "retry": services.job_retry,
    "repeat": services.calibration_repeat,
    "stop": services.calibration_stop,
}


@form_page
def calibrations(request: HttpRequest) -> HttpResponse:
    """List the person's calibrations and ask for a log; refuse a wrong one and store nothing."""
    problems: Sequence[Problem] = ()
    if request.method == "POST":
        try:
            return redirect("calibration", calibration_id=_started(request).pk)
        except InvalidInput as error:
            problems = error.problems
    user = person(request)
    context = {
        "calibrations": selectors.calibrations_list(user=user)[:LATEST],
        "scenarios": [(item, PLATFORMS[item.platform].title) for item in selectors.scenarios_list(user=user)[:200]],
        "layouts": LAYOUTS,
        "roots": settings.ENVIRONMENT.telemetry_roots,
        "every": EVERY,
        "chosen_every": request.POST.get("every", ""),
        "most": str(quantity(settings.ENVIRONMENT.max_upload_bytes, "B")),
        "problems": problems,
        "location": request.POST.get("location", ""),
        "name": request.POST.get("name", ""),
        "chosen": request.POST.get("scenario", ""),
        "spellings": of_list(request, "api:calibrations"),
    }
    return render(request, "frontend/telemetry/list.html", context, status=422 if problems else 200)


@get_page
def calibration(request: HttpRequest, calibration: Calibration) -> HttpResponse:
    """Show a calibration: progress, then verdict, account and fit."""
    return render(request, "frontend/telemetry/page.html", calibration_page(calibration))


@get_page
def calibration_progress(request: HttpRequest, calibration: Calibration) -> HttpResponse:
    """The status while it goes on; when it is over the page loads itself again."""
    response = render(request, "frontend/telemetry/progress.html", calibration_page(calibration))
    if calibration.final:
        response["HX-Refresh"] = "true"
    return response


@post_page
def steer(request: HttpRequest, calibration: Calibration, step: str) -> HttpResponse:
    """Cancel, retry or repeat the calibration, or end its series; show the one that goes on."""
    return redirect("calibration", calibration_id=STEPS[step](calibration, actor=person(request)).pk)


@post_page
def calibration_scenario(request: HttpRequest, calibration: Calibration) -> HttpResponse:
    """Make the scenario and open it."""
    made = services.calibration_scenario(calibration=calibration, actor=person(request))
    return done(request, f"{made.name} holds the fitted work.", "workbench", scenario_id=made.pk)


def _started(request: HttpRequest) -> Calibration:
    location, file = request.POST.get("location", "").strip(), request.FILES.get("file")
    if bool(location) == (file is not None):
        raise InvalidInput.at(("location",), "choose a file, or name a location, and not both")
    user, base = person(request), request.POST.get("scenario", "")
    draft = services.calibration_draft(
        owner=user,
        location=location if file is None else file.name or "",
        content=None if file is None else file.chunks(),
        name=request.POST.get("name", "").strip(),
        every_hours=EVERY.get(request.POST.get("every", ""), 0),
        base=selectors.scenario_get(user=user, scenario_id=base).version if base else None,
    )
    try:
        return services.calibration_store(draft=draft)
    finally:
        services.calibration_discard(draft=draft)
