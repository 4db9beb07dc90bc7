"""Saved views of the scenario table: each belongs to one person, and a deleted one can be taken back."""

from django.contrib.auth.models import User
from django.utils import timezone

from planner.errors import Conflict
from planner.models import SavedView
from planner.services.rows import row_save
from simulations.declarations.problems import InvalidInput, problem

MOST_VIEWS = 50
MOST_NAME = 60
MOST_QUERY = 1000


def view_create(*, owner: User, name: str, query: str) -> SavedView:
    """Keep a view under a name. Raises InvalidInput for a name of no or too many letters, Conflict for a taken one."""
    if owner.saved_views.filter(archived_at=None).count() >= MOST_VIEWS:
        raise Conflict(f"you have {MOST_VIEWS} views; delete one first")
    return row_save(SavedView(owner=owner), {"name": _name(name), "query": _query(query)}, "view.create")


def view_update(*, view: SavedView, name: str | None = None, query: str | None = None) -> SavedView:
    """Give a view another name, another contents or both. Raises InvalidInput, Conflict."""
    named = {} if name is None else {"name": _name(name)}
    asked = {} if query is None else {"query": _query(query)}
    return row_save(view, {**named, **asked}, "view.update")


def view_archive(*, view: SavedView) -> SavedView:
    """Take the view out of the lists."""
    return row_save(view, {"archived_at": view.archived_at or timezone.now()}, "view.archive")


def view_restore(*, view: SavedView) -> SavedView:
    """Undo ``view_archive``. Raises Conflict when another view has taken the name."""
    return row_save(view, {"archived_at": None}, "view.restore")


def _name(text: str) -> str:
    name = " ".join(text.split())
    if not name or len(name) > MOST_NAME:
        raise InvalidInput([problem(("name",), f"a view needs a name of at most {MOST_NAME} characters")])
    return name


def _query(text: str) -> str:
    if len(text) > MOST_QUERY:
        raise InvalidInput([problem(("query",), f"a view holds at most {MOST_QUERY} characters")])
    return text
