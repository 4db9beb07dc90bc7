"""Teams, their members, hand-overs, and the audit trail."""

from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import READ, ApiViewSet, Listed, Shown, Store, answer, created, idempotent
from planner.api.lists import EventFilter
from planner.api.reading import read_body
from planner.api.schemas import teams as bodies
from planner.models import Membership, Role, Team

MANAGING = {"GET": "read", "POST": "admin", "DELETE": "admin"}
ADMIN = {"POST": "admin"}


class TeamViewSet(Listed, Shown):
    """The caller's teams."""

    lookup_url_kwarg = "team_id"
    selector, lister = selectors.team_get, selectors.teams_list
    line = body = bodies.TeamOut
    sorts = ("name", "-created_at")
    scopes = MANAGING

    @extend_schema(request=bodies.TeamIn)
    @idempotent
    def create(self, request: Request) -> Store:
        """Create a team; who makes it is its admin."""
        make = partial(services.team_create, actor=self.caller, name=read_body(request, bodies.TeamIn).name)
        return lambda: created(self.body.of(selectors.team_get(user=self.caller, team_id=make().pk)), "teams")


class OfTeam(Listed):
    """Base of what a team has."""

    def rows(self) -> QuerySet[Any]:
        """Return all of it."""
        return type(self).lister(user=self.caller, team=self.team)

    @property
    def team(self) -> Team:
        """The team that the address names; raises NotFound."""
        return selectors.team_get(user=self.caller, team_id=self.kwargs["team_id"])

    @property
    def managed(self) -> Team:
        """The same for who manages it; raises Forbidden."""
        selectors.role_check(self.team, Role.ADMIN, user=self.caller)
        return self.team


class MemberViewSet(OfTeam):
    """The members of a team."""

    lookup_url_kwarg = "name"
    line = bodies.MemberOut
    sorts = ("name",)
    scopes = MANAGING

    def rows(self) -> QuerySet[Membership]:
        """Return all of them."""
        return selectors.team_members(team=self.team)

    @extend_schema(operation_id="team_member_set", request=bodies.MemberIn, responses={200: bodies.MemberOut})
    def create(self, request: Request, team_id: str) -> HttpResponse:
        """Give somebody a role, and make them a member where they are none; for admins of the team."""
        team, body = self.managed, read_body(request, bodies.MemberIn)
        made = services.member_set(team=team, actor=self.caller, **dict(body))
        return answer(self.line.of(made, name=made.user.get_username()))

    @extend_schema(operation_id="team_member_remove")
    def destroy(self, request: Request, team_id: str, name: str) -> None:
        """End a membership: an admin anybody's, everybody their own."""
        services.member_remove(team=self.team, actor=self.caller, name=name)


class InvitationViewSet(OfTeam):
    """The invitations to a team that nobody has accepted yet, for its admins."""

    lookup_url_kwarg = "invitation_id"
    lister = selectors.invitations_list
    line = bodies.InvitationOut
    scopes = MANAGING

    @extend_schema(request=bodies.InvitationIn, responses={201: bodies.NewInvitationOut})
    def create(self, request: Request, team_id: str) -> HttpResponse:
        """Ask somebody to join. The link is shown this once, so an Idempotency-Key has no effect here."""
        team, body = self.managed, read_body(request, bodies.InvitationIn)
        issued = services.member_invite(team=team, actor=self.caller, **dict(body))
        address = request.build_absolute_uri(f"/invitations/{issued.secret}/")
        return self.shown_once(issued.row, bodies.NewInvitationOut.of(issued.row, address=address))

    @extend_schema(operation_id="invitation_withdraw")
    def destroy(self, request: Request, team_id: str, invitation_id: str) -> None:
        """End an invitation now."""
        services.invitation_withdraw(team=self.team, actor=self.caller, invitation_id=invitation_id)


class MembershipViewSet(ApiViewSet):
    """Joining."""

    scopes = ADMIN

    @extend_schema(request=bodies.MembershipIn, responses={201: bodies.TeamOut})
    def create(self, request: Request) -> HttpResponse:
        """Accept an invitation; 404 where it does not ask the caller, was used or withdrawn, or has expired."""
        body = read_body(request, bodies.MembershipIn)
        joined = services.invitation_accept(secret=body.secret, user=self.caller)
        return created(bodies.TeamOut.of(joined.team, role=joined.role), "teams")


class EventViewSet(Listed):
    """What the caller did, and how they signed in."""

    lister = selectors.events_list
    line = bodies.EventOut
    filterset_class = EventFilter
    sorts = ("-at",)
    scopes = READ


class TeamEventViewSet(OfTeam, EventViewSet):
    """What was done to a team's things, and how its members signed in; for its admins."""


class HandOverViewSet(ApiViewSet):
    """Handing over."""

    scopes = ADMIN

    @extend_schema(operation_id="hand_over", request=bodies.HandOverIn, responses={204: None})
    def create(self, request: Request) -> None:
        """Let a scenario with its runs and reports, a stored server or a webhook belong to a team or to a person."""
        body = read_body(request, bodies.HandOverIn)
        row = selectors.handed_get(user=self.caller, key=body.thing)
        team = selectors.team_get(user=self.caller, team_id=body.team) if body.team else None
        services.hand_over(row=row, actor=self.caller, team=team, person=body.person)
