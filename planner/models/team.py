"""Teams, who belongs to them in which role, and which rows belong to a team through which other row."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models

from planner.models.bases import Dated, Row
from planner.models.identity import id_field

LONGEST_TEAM_NAME = 60
LONGEST_NAME = 150
"""Characters of the name that a person signs in with."""
LONGEST_INVITATION = 30
"""Days."""


class Role(models.TextChoices):
    """What a member may do; each role may do what those before it may."""

    VIEWER = "viewer"
    PLANNER = "planner"
    APPROVER = "approver"
    ADMIN = "admin"

    @property
    def rank(self) -> int:
        """The place among the roles."""
        return list(Role).index(self)


class Team(Dated):
    """People who share scenarios, stored servers and webhooks."""

    id = id_field("team")
    name = models.CharField(max_length=LONGEST_TEAM_NAME, unique=True)

    class Meta:
        ordering = ("name", "id")


class Membership(Row):
    """Somebody's role in a team."""

    says = "{0.user} in {0.team}"
    id = models.BigAutoField(primary_key=True)
    team = models.ForeignKey(Team, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)

    class Meta:
        ordering = ("user__username",)
        constraints = (
            models.UniqueConstraint(fields=("team", "user"), name="member_once"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="member_role_known"),
        )


class Invitation(Dated):
    """Somebody is asked to join a team, until they do. Only the hash of the link's secret is stored."""

    says = "{0.invited} to {0.team}"
    id = id_field("inv")
    team = models.ForeignKey(Team, models.CASCADE, related_name="invitations")
    invited = models.CharField(
        max_length=LONGEST_NAME, help_text="The name that they sign in with, or their e-mail address."
    )
    role = models.CharField(max_length=10, choices=Role)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    expires_at = models.DateTimeField()

    class Meta(Dated.Meta):
        constraints = (models.UniqueConstraint(fields=("team", "invited"), name="invited_once"),)


class Held(models.Model):
    """A row that belongs to a team or, without one, to its owner alone. ``held_by`` of other models is the way from a
    row to the one that it belongs with: a run with its scenario."""

    held_by: ClassVar[str] = ""

    team = models.ForeignKey(
        Team, models.PROTECT, null=True, blank=True, related_name="+", help_text="Empty: the owner's alone."
    )

    class Meta:
        abstract = True


def holder_of(row: models.Model) -> Any:
    """Return the row whose owner and team decide about ``row``; itself where it belongs with no other."""
    held: Any = row
    for part in filter(None, getattr(row, "held_by", "").split("__")):
        held = getattr(held, part)
    return held


def team_of(row: models.Model) -> str | None:
    """Return the id of the team that a row, or a team itself, belongs to; None for what is somebody's alone."""
    return row.pk if isinstance(row, Team) else getattr(holder_of(row), "team_id", None)


def beside(row: models.Model, way: str = "") -> models.Q:
    """Return the condition of belonging where ``row`` belongs; ``way`` as ``held_by`` of the model that is asked."""
    team, before = team_of(row), f"{way}__" if way else ""
    if team is not None:
        return models.Q(**{f"{before}team": team})
    return models.Q(**{f"{before}team": None, f"{before}owner": holder_of(row).owner_id})
