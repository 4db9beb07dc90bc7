"""The one look-up that every selector uses: by id and owner together."""

from typing import TypeVar

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Model, QuerySet

from planner.errors import NotFound

Row = TypeVar("Row", bound=Model)
Person = User | AnonymousUser


def owned(rows: QuerySet[Row], *, user: Person, key: str) -> Row:
    """Return the row with this id that belongs to ``user``; raises NotFound for all others alike."""
    row = rows.filter(pk=key, owner_id=user.pk).first() if user.pk is not None else None
    if row is None:
        raise NotFound(str(rows.model._meta.verbose_name), key)
    return row
