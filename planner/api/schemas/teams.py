"""Teams, their members, hand-overs and the audit trail."""

from datetime import datetime
from typing import Annotated, Any, ClassVar

from pydantic import Field

from planner.api.schemas.common import In, Out, Stored
from planner.models import Role
from planner.models.team import LONGEST_TEAM_NAME


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
    sources: ClassVar = {"name": "user.username"}


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
