"""The look-ups that every selector uses: by id and owner together, or among rows that may be read anyway."""

from typing import TypeVar

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Model, QuerySet

from planner.errors import NotFound

Row = TypeVar("Row", bound=Model)
Person = User | AnonymousUser


def owned(rows: QuerySet[Row], *, user: Person, key: str) -> Row:
    """Return the row with this id that belongs to ``user``; raises NotFound for all others alike."""
    mine = rows.filter(pk=key, owner_id=user.pk) if user.pk is not None else rows.none()
    return first_of(mine, str(rows.model._meta.verbose_name), key)


def first_of(rows: QuerySet[Row], kind: str, key: object) -> Row:
    """Return the first row; raises NotFound with what was looked for."""
    row = rows.first()
    if row is None:
        raise NotFound(kind, key)
    return row
