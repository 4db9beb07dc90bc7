"""Saved views of the scenario table: each belongs to one person, and a deleted one can be taken back."""

from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from planner.errors import Conflict
from planner.models import SavedView
from planner.services.audit import audit
from simulations.problems import InvalidInput, problem

MOST_VIEWS = 50
MOST_NAME = 60
MOST_QUERY = 1000


def view_create(*, owner: User, name: str, query: str) -> SavedView:
    """Keep a view under a name. Raises InvalidInput for a name of no or too many letters, Conflict for a taken one."""
    if owner.saved_views.filter(archived_at=None).count() >= MOST_VIEWS:
        raise Conflict(f"you have {MOST_VIEWS} views; delete one first")
    return _saved(SavedView(owner=owner), "view.create", name=_name(name), query=_query(query))


def view_update(*, view: SavedView, name: str | None = None, query: str | None = None) -> SavedView:
    """Give a view another name, another contents or both. Raises InvalidInput, Conflict."""
    named = {} if name is None else {"name": _name(name)}
    asked = {} if query is None else {"query": _query(query)}
    return _saved(view, "view.update", **named, **asked)


def view_archive(*, view: SavedView) -> SavedView:
    """Take the view out of the lists."""
    return _saved(view, "view.archive", archived_at=view.archived_at or timezone.now())


def view_restore(*, view: SavedView) -> SavedView:
    """Undo ``view_archive``. Raises Conflict when another view has taken the name."""
    return _saved(view, "view.restore", archived_at=None)


def _saved(view: SavedView, action: str, **changes: Any) -> SavedView:
    for field, value in changes.items():
        setattr(view, field, value)
    try:
        with transaction.atomic():
            view.save()
            audit(actor=view.owner, action=action, target=view.pk)
    except IntegrityError:
        raise Conflict(f"you have a view named {view.name!r} already; choose another name") from None
    return view


def _name(text: str) -> str:
    name = " ".join(text.split())
    if not name or len(name) > MOST_NAME:
        raise InvalidInput([problem(("name",), f"a view needs a name of at most {MOST_NAME} characters")])
    return name


def _query(text: str) -> str:
    if len(text) > MOST_QUERY:
        raise InvalidInput([problem(("query",), f"a view holds at most {MOST_QUERY} characters")])
    return text
