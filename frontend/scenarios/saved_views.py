"""Saved views of the scenario table: keep, rename, change, delete and take that back."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from frontend.scenarios.filters import wish_read
from frontend.site.base import page, person
from planner import selectors, services
from planner.models import SavedView
from simulations.declarations.problems import InvalidInput


def view_address(view: SavedView) -> str:
    """Return the address at which the table stands as the view keeps it."""
    return f"{reverse('scenarios')}?view={view.pk}"


@require_POST
@page
def view_new(request: HttpRequest) -> HttpResponse:
    """Keep what the table shows under a name."""
    query = _query(request)
    try:
        view = services.view_create(owner=person(request), name=request.POST.get("name", ""), query=query)
    except InvalidInput as error:
        return _refused(request, error, f"{reverse('scenarios')}?{query}")
    messages.success(request, f"The view “{view.name}” is kept. Its address can be bookmarked.")
    return redirect(view_address(view))


@require_POST
@page
def view_change(request: HttpRequest, view_id: str) -> HttpResponse:
    """Rename the view (``name``), and let it keep what the table shows now (``query``)."""
    view = selectors.view_get(user=person(request), view_id=view_id)
    query = _query(request) if "query" in request.POST else None
    try:
        services.view_update(view=view, name=request.POST.get("name"), query=query)
    except InvalidInput as error:
        return _refused(request, error, view_address(view))
    messages.success(request, f"The view “{view.name}” is saved.")
    return redirect(view_address(view))


@require_POST
@page
def view_archive(request: HttpRequest, view_id: str) -> HttpResponse:
    """Delete the view; the page then offers to undo it."""
    view = services.view_archive(view=selectors.view_get(user=person(request), view_id=view_id))
    undo = reverse("view-restore", args=[view.pk])
    messages.success(request, f"The view “{view.name}” is deleted.", extra_tags=f"undo:{undo}")
    return redirect("scenarios")


@require_POST
@page
def view_restore(request: HttpRequest, view_id: str) -> HttpResponse:
    """Undo deleting."""
    view = services.view_restore(view=selectors.view_get(user=person(request), view_id=view_id))
    messages.success(request, f"The view “{view.name}” is back.")
    return redirect(view_address(view))


def _query(request: HttpRequest) -> str:
    """What the table shows, in the page's own words only."""
    return wish_read(QueryDict(request.POST.get("query", ""))).query


def _refused(request: HttpRequest, error: InvalidInput, address: str) -> HttpResponse:
    messages.error(request, f"{error.problems[0].message[:1].upper()}{error.problems[0].message[1:]}.")
    return redirect(address)
