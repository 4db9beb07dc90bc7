"""Storing rows whose names are unique among those of their owner, and rows with a secret."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.contrib.auth.models import User
from django.db.models import Model
from django.utils import timezone

from planner.errors import conflict_where_taken
from planner.models import Queue, SavedView, Server, audit

Row = TypeVar("Row", bound=Server | Queue | SavedView)
Shown = TypeVar("Shown", bound=Model)
WORDS: Mapping[type, str] = {Server: "server", Queue: "queue", SavedView: "view"}
"""What the audit trail calls them."""


@dataclass(frozen=True)
class Issued(Generic[Shown]):
    """A new token, webhook or link; ``secret`` is the only time that it can be read."""

    row: Shown
    secret: str


def row_save(row: Row, values: Mapping[str, Any], action: str, actor: User | None = None) -> Row:
    """Store the row with new values and note who did it: ``actor``, or its owner. Raises Conflict for a taken name."""
    for name, value in values.items():
        setattr(row, name, value)
    with conflict_where_taken(f"the name {row.name!r} is taken already; choose another"):
        row.save()
        audit(actor=actor or row.owner, action=action, row=row)
    return row


def row_archive(*, row: Row, actor: User | None = None) -> Row:
    """Take the row out of the lists, a server with its queues; scenarios hold copies and keep theirs."""
    return row_save(row, {"archived_at": row.archived_at or timezone.now()}, f"{WORDS[type(row)]}.archive", actor)


def row_restore(*, row: Row, actor: User | None = None) -> Row:
    """Undo ``row_archive``. Raises Conflict when another row has taken the name."""
    return row_save(row, {"archived_at": None}, f"{WORDS[type(row)]}.restore", actor)
