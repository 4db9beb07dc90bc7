"""Is everything up? The parts that answer, and the work of all people that waits, without a name."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from frontend.site.base import get_page
from frontend.wording.texts import TEXTS
from planner import selectors
from planner.jobs.metrics import OK, parts_states
from planner.models import RunStatus
from simulations.pipeline.spark.warm import variants_awaited


@get_page
def status(request: HttpRequest) -> HttpResponse:
    """Show each part with what waits without it, and how many runs wait or compute, for everybody."""
    context = {
        "parts": [(TEXTS["parts"][part], state, state == OK) for part, state in parts_states().items()],
        "awaited": variants_awaited(),
        "work": [(RunStatus(state).label, number, oldest) for state, number, oldest in selectors.runs_under_way()],
    }
    return render(request, "frontend/site/status.html", context)
