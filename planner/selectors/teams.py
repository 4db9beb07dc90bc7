"""Teams with their members and invitations, and the audit trail as a person or a team's admin may read it."""

from collections.abc import Mapping
from typing import Any

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from planner.models import JOB_ERROR, AuditEvent, Invitation, Membership, Role, Scenario, Server, Team, Webhook
from planner.selectors.owned import Person, first_of, owned, role_check

SIGN_IN = "sign-in"
"""Beginning of the actions that say how somebody signed in, or did not."""

Handed = Scenario | Server | Webhook
HANDED: Mapping[str, type[Handed]] = {"scn": Scenario, "srv": Server, "whk": Webhook}
"""Beginning of an id -> what can be handed over."""


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

    Raises Forbidden for who is no admin of the team.
    """
    if team is None:
        wanted = Q(actor=user.pk) | Q(action__startswith=SIGN_IN, target=str(user.pk))
    else:
        role_check(team, Role.ADMIN, user=user)
        members = map(str, team.memberships.values_list("user_id", flat=True))
        wanted = Q(team=team) | Q(team=None, action__startswith=SIGN_IN, target__in=list(members))
    return AuditEvent.objects.filter(wanted).exclude(action=JOB_ERROR).select_related("actor")
