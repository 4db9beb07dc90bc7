"""Saved views of the scenario table: keep, rename, change, delete and take that back."""

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse

from frontend.scenarios.filters import table_view, view_address
from frontend.site.base import done, person, post_page
from planner import services
from planner.models import SavedView


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
def view_archive(request: HttpRequest, view: SavedView) -> HttpResponse:
    """Delete the view; the page then offers to undo it."""
    services.row_archive(row=view)
    undo = reverse("view-restore", args=[view.pk])
    return done(request, f"The view “{view.name}” is deleted.", "scenarios", undo=undo)


@post_page
def view_restore(request: HttpRequest, view: SavedView) -> HttpResponse:
    """Undo deleting."""
    services.row_restore(row=view)
    return done(request, f"The view “{view.name}” is back.", view_address(f"view={view.pk}"))


def _query(request: HttpRequest) -> str:
    """What the table shows, in the page's own words only."""
    return table_view(QueryDict(request.POST.get("query", ""))).query
