"""Teams, their members, hand-overs and the audit trail."""

from datetime import datetime
from typing import Annotated, Any, ClassVar

from pydantic import Field

from planner.api.schemas.common import In, Out, Stored
from planner.models import Role
from planner.models.team import LONGEST_INVITATION, LONGEST_TEAM_NAME


class TeamIn(In):
    """A new team; who makes it is its admin."""

    name: Annotated[str, Field(min_length=1, max_length=LONGEST_TEAM_NAME)]


class TeamOut(Stored):
    """A team of the caller's."""

    name: str
    role: Role
    """What the caller may do there."""


class MemberIn(In):
    """Who is to have which role."""

    name: Annotated[str, Field(min_length=1, max_length=150)]
    """As they sign in."""
    role: Role


class MemberOut(Out):
    """Somebody's role in a team."""

    name: str
    role: Role


class InvitationIn(MemberIn):
    """Who is asked to join in which role, by the name that they sign in with or their e-mail address."""

    days: Annotated[int, Field(ge=1, le=LONGEST_INVITATION)] = 7


class InvitationOut(Stored):
    """An invitation that waits for its answer; its link is stored nowhere."""

    name: str
    role: Role
    expires_at: datetime
    sources: ClassVar = {"name": "invited"}


class NewInvitationOut(InvitationOut):
    """A new invitation."""

    address: str
    """Its link, shown this once. It counts for who is invited alone, once they have signed in."""


class MembershipIn(In):
    """Joining a team."""

    secret: Annotated[str, Field(min_length=1, max_length=100)]
    """The last part of the link of an invitation."""


class HandOverIn(In):
    """What is to belong to a team, or to a person alone."""

    thing: str
    """Id of a scenario, a stored server or a webhook."""
    team: str = ""
    """Id of the team; empty where ``person`` is to have it."""
    person: Annotated[str, Field(max_length=150)] = ""
    """The person, as they sign in."""


class EventOut(Out):
    """What somebody did."""

    at: datetime
    actor: str | None
    """Null: Sluice itself, or somebody who has not signed in."""
    action: str
    target: str
    """Id of what it was done to."""
    details: dict[str, Any]
    sources: ClassVar = {"actor": "actor.username"}
