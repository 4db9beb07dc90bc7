"""Who sees what, and who may do what with it: the one place that decides, for every page, address and download.

What belongs to a team is seen by its members; everything else by its owner alone. Runs, reports, exports and baselines
belong where their scenario does.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from planner.errors import Forbidden, NotFound
from planner.models import Membership, Role
from planner.models.team import holder_of, team_of

Row = TypeVar("Row", bound=Model)
Person = User | AnonymousUser


def visible(rows: QuerySet[Row], *, user: Person) -> QuerySet[Row]:
    """Return the rows that ``user`` may see.

    The conditions are of each row by itself, so that a database can read a list in its order and stop at the page's
    end. They name the teams: only then does it know that somebody sees few rows, and looks these up instead.
    """
    way = getattr(rows.model, "held_by", None)
    if way is None:
        return rows.filter(owner_id=user.pk)
    if not way:
        teams = list(Membership.objects.filter(user=user.pk).values_list("team", flat=True))
        return rows.filter(Q(owner=user.pk, team=None) | Q(team__in=teams))
    first = way.partition("__")[0]
    parents: Any = rows.model._meta.get_field(first).related_model
    return rows.filter(Exists(visible(parents._base_manager.filter(pk=OuterRef(first)), user=user)))


def role_of(row: Model, *, user: Person) -> Role | None:
    """Return what ``user`` is in the row's team; of what belongs to no team its owner may do everything."""
    team_id = team_of(row)
    if team_id is None:
        return Role.ADMIN if getattr(holder_of(row), "owner_id", None) == user.pk else None
    member = Membership.objects.filter(team=team_id, user=user.pk).first()
    return None if member is None else Role(member.role)


def may(row: Model, needed: Role, *, user: Person) -> bool:
    """Whether ``user`` may do with the row what ``needed`` may."""
    role = role_of(row, user=user)
    return role is not None and role.rank >= needed.rank


def role_check(row: Model, needed: Role, *, user: Person) -> None:
    """Raise Forbidden unless ``user`` may do with the row what ``needed`` may."""
    if not may(row, needed, user=user):
        if team_of(row) is None:
            raise Forbidden("only its owner may do this")
        role = role_of(row, user=user)
        yours = f"; you are {role.label.lower()} there" if role else ""
        raise Forbidden(f"this takes the role {needed.label.lower()} in the team it belongs to{yours}")


def owned(rows: QuerySet[Row], *, user: Person, key: str) -> Row:
    """Return the row with this id that ``user`` may see; raises NotFound for all others alike."""
    mine = visible(rows, user=user).filter(pk=key) if user.pk is not None else rows.none()
    return first_of(mine, str(rows.model._meta.verbose_name), key)


def owned_by(rows: QuerySet[Row], name: str) -> Callable[..., Row]:
    """Return the selector of one of these rows by ``user`` and its id, which is called ``name``; as ``owned``."""

    def get(*, user: Person, **key: str) -> Row:
        return owned(rows.all(), user=user, key=key[name])

    return get


def first_of(rows: QuerySet[Row], kind: str, key: object) -> Row:
    """Return the first row; raises NotFound with what was looked for."""
    row = rows.first()
    if row is None:
        raise NotFound(kind, key)
    return row
