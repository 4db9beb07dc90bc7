"""Storing rows whose names are unique among those of their owner."""

from collections.abc import Mapping
from typing import Any, TypeVar

from django.db import IntegrityError, transaction

from planner.errors import Conflict
from planner.models import Queue, SavedView, Server, audit

Row = TypeVar("Row", Server, Queue, SavedView)


def row_save(row: Row, values: Mapping[str, Any], action: str) -> Row:
    """Store the row with new values and note the action. Raises Conflict where the name is taken."""
    for name, value in values.items():
        setattr(row, name, value)
    try:
        with transaction.atomic():
            row.save()
            audit(actor=row.owner, action=action, target=row.pk)
    except IntegrityError:
        raise Conflict(f"the name {row.name!r} is taken already; choose another") from None
    return row
