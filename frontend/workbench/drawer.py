"""The run drawer of every page, and the same as a page of its own."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from frontend.site.automation import of_list
from frontend.site.base import page, person
from planner import selectors

LATEST = 6
PAGE_SIZE = 50


@require_safe
@page
def runs(request: HttpRequest) -> HttpResponse:
    """The latest runs and how many there are by status: a fragment for the drawer, else the page of all runs."""
    user = person(request)
    counts = selectors.runs_counted(user=user)
    context = {
        "counts": counts,
        "active": sum(counts[status] for status in ("queued", "running", "pausing", "cancelling")),
    }
    found = selectors.runs_list(user=user)
    if request.headers.get("HX-Request"):
        return render(request, "frontend/workbench/drawer.html", {**context, "runs": found[:LATEST]})
    shown = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    more = {"runs": shown.object_list, "page": shown, "section": "runs", "spellings": of_list(request, "api:runs")}
    return render(request, "frontend/workbench/runs.html", {**context, **more})
