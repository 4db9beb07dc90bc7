"""Who sees what, and who may do what with it: the one place that decides, for every page, address and download.

What belongs to a team is seen by its members; everything else by its owner alone. Runs, reports, exports and baselines
belong where their scenario does. Teams with their members, and the audit trail as their admins may read it, follow.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, F, Model, OuterRef, Q, QuerySet
from django.utils import timezone

from planner.errors import Forbidden, NotFound
from planner.models import JOB_ERROR, AuditEvent, Invitation, Membership, Role, Scenario, Server, Team, Webhook
from planner.models.team import holder_of, team_of

Row = TypeVar("Row", bound=Model)
Person = User | AnonymousUser
SIGN_IN = "sign-in"
"""Beginning of the actions that say how somebody signed in, or did not."""
Handed = Scenario | Server | Webhook
HANDED: Mapping[str, type[Handed]] = {"scn": Scenario, "srv": Server, "whk": Webhook}
"""Beginning of an id -> what can be handed over."""


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
        yours = f"; yours is “{role.label.lower()}”" if role else ""
        raise Forbidden(f"this takes the role “{needed.label.lower()}” in the team that it belongs to{yours}")


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


def teams_list(*, user: Person) -> QuerySet[Team]:
    """The teams that the user belongs to, each with the user's ``role``."""
    return Team.objects.filter(memberships__user=user.pk).annotate(role=F("memberships__role"))


def team_get(*, user: Person, team_id: str) -> Team:
    """One team of the user, with their ``role``; raises NotFound."""
    return first_of(teams_list(user=user).filter(pk=team_id), "team", team_id)


def team_members(*, team: Team) -> QuerySet[Membership]:
    """The members by ``name``."""
    return team.memberships.select_related("user").annotate(name=F("user__username"))


def invitations_list(*, user: Person, team: Team) -> QuerySet[Invitation]:
    """The invitations to the team that nobody has accepted yet; raises Forbidden for who is no admin of it."""
    role_check(team, Role.ADMIN, user=user)
    return team.invitations.filter(expires_at__gt=timezone.now())


def handed_get(*, user: Person, key: str) -> Handed:
    """What can be handed over, by its id; raises NotFound."""
    kind: Any = HANDED.get(key.partition("_")[0], Scenario)
    found: Handed = owned(kind.objects.select_related("owner", "team"), user=user, key=key)
    return found


def events_list(*, user: Person, team: Team | None = None) -> QuerySet[AuditEvent]:
    """What the user did, or with ``team`` what was done to its things, newest first, and how its members signed in.
    Raises Forbidden for who is no admin of the team."""
    if team is None:
        wanted = Q(actor=user.pk) | Q(action__startswith=SIGN_IN, target=str(user.pk))
    else:
        role_check(team, Role.ADMIN, user=user)
        members = map(str, team.memberships.values_list("user_id", flat=True))
        wanted = Q(team=team) | Q(team=None, action__startswith=SIGN_IN, target__in=list(members))
    return AuditEvent.objects.filter(wanted).exclude(action=JOB_ERROR).select_related("actor")
