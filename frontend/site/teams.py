"""Teams: members, invitations and things, handing over, and what was done: the trail of a team or one's own."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from frontend.site.base import back_to_list, done, form_page, get_page, person, post_page, reading, tell_unknown
from frontend.wording.numbers import TEXTS
from planner import selectors, services
from planner.api.lists import EventFilter
from planner.errors import NotFound
from planner.models import AuditEvent, Role, Team
from planner.selectors.owned import visible
from planner.web.downloads import csv_text, saved_as
from planner.web.trail import ROWS

ROLES = TEXTS["team_roles"]
"""Role -> what it allows beyond those before it."""
LATEST = 200
"""Things of each kind that a team's page shows."""
EVENTS_SHOWN = 100


@form_page
def teams(request: HttpRequest) -> HttpResponse:
    """List the person's teams; make one."""
    if request.method == "POST":
        team = services.team_create(actor=person(request), name=request.POST.get("name", ""))
        return redirect("team", team_id=team.pk)
    return render(request, "frontend/site/teams.html", {"teams": selectors.teams_list(user=person(request))})


@get_page
def team(request: HttpRequest, team: Team) -> HttpResponse:
    """Show a team's members and things."""
    return _page(request, team)


def _page(request: HttpRequest, team: Team, **invited: object) -> HttpResponse:
    user = person(request)
    is_admin = team.role == Role.ADMIN  # type: ignore[attr-defined]
    things = (
        ("Scenarios", "workbench", selectors.scenarios_list(user=user, archived=None)),
        ("Servers", "server", selectors.servers_list(user=user)),
        ("Webhooks", "", selectors.webhooks_list(user=user)),
    )
    context = {
        "team": team,
        "members": selectors.team_members(team=team),
        "roles": [(role.value, role.label, ROLES[role]) for role in Role],
        "things": [(title, page, rows.filter(team=team)[:LATEST]) for title, page, rows in things],
        "own": [(title, rows.filter(team=None)[:LATEST]) for title, _, rows in things],
        "is_admin": is_admin,
        "invitations": selectors.invitations_list(user=user, team=team) if is_admin else (),
        **invited,
        "plans": team.role != Role.VIEWER,  # type: ignore[attr-defined]
    }
    return render(request, "frontend/site/team.html", context)


@post_page
@reading
def member_set(request: HttpRequest, team: Team) -> HttpResponse:
    """Give somebody a role; with the empty role they leave."""
    name, role = request.POST.get("name", "").strip(), request.POST.get("role", "")
    if role:
        services.member_set(team=team, actor=person(request), name=name, role=role)
        return done(request, f"{name} is {Role(role).label.lower()} of {team.name}.", "team", team_id=team.pk)
    services.member_remove(team=team, actor=person(request), name=name)
    address = reverse("teams") if name == person(request).get_username() else reverse("team", args=[team.pk])
    return done(request, f"{name} is no longer in {team.name}.", address)


@post_page
def invitations(request: HttpRequest, team: Team) -> HttpResponse:
    """Invite somebody: the link is shown once, in the answer. ``withdraw`` ends the invitation of that id instead."""
    user, ended = person(request), request.POST.get("withdraw", "")
    if ended:
        services.invitation_withdraw(team=team, actor=user, invitation_id=ended)
        return done(request, "The link no longer opens the team.", "team", team_id=team.pk)
    name, role = request.POST.get("name", ""), request.POST.get("role", "")
    made = services.member_invite(team=team, actor=user, name=name, role=role)
    address = request.build_absolute_uri(reverse("invitation", args=[made.secret]))
    return _page(request, team, invitation=made.row, address=address)


@form_page
def invitation(request: HttpRequest, invitation_secret: str) -> HttpResponse:
    """Show what a link asks the person; sent, they join the team."""
    asked: dict[str, Any] = {"secret": invitation_secret, "user": person(request)}
    try:
        if request.method == "POST":
            member = services.invitation_accept(**asked)
            text = f"You are {member.get_role_display().lower()} of {member.team.name}."
            return done(request, text, "team", team_id=member.team_id)
        context = {"invitation": services.invitation_read(**asked)}
    except NotFound:
        context = {}
    return render(request, "frontend/site/invitation.html", context, status=200 if context else 404)


@post_page
def hand_over(request: HttpRequest) -> HttpResponse:
    """Hand what ``thing`` names to the team of the form, or to the person."""
    user, key = person(request), request.POST.get("team", "")
    row = selectors.handed_get(user=user, key=request.POST.get("thing", ""))
    team = selectors.team_get(user=user, team_id=key) if key else None
    services.hand_over(row=row, actor=user, team=team, person=request.POST.get("person", ""))
    messages.success(request, f"{row} belongs to {team or row.owner.get_username()} now.")
    return back_to_list(request)


@get_page
def activity(request: HttpRequest, team: Team | None = None) -> HttpResponse:
    """Show what was done, filtered by the address; with ``format=csv`` download all of it."""
    found = EventFilter(request.GET, queryset=selectors.events_list(user=person(request), team=team))
    tell_unknown(request, **dict.fromkeys(found.errors, ()))
    rows = found.qs
    if request.GET.get("format") == "csv":
        lines = (_line(event) for event in rows.iterator())
        text = csv_text([("at", "who", "what", "to", "details"), *lines])
        return HttpResponse(text, content_type="text/csv; charset=utf-8", headers=saved_as("activity.csv"))
    page = Paginator(rows.values_list("pk", flat=True), EVENTS_SHOWN).get_page(request.GET.get("page"))
    known = rows.in_bulk(list(page))  # as in the list of runs
    things: dict[str, Any] = {}
    for prefix, kind in ROWS.items():  # named where the person may see them
        wanted = [event.target for event in known.values() if event.target.startswith(f"{prefix}_")]
        things |= visible(kind._default_manager.all(), user=person(request)).in_bulk(wanted) if wanted else {}
    events = [(known[key], things.get(known[key].target)) for key in page]
    context = {"team": team, "page": page, "events": events, "texts": TEXTS, "filters": request.GET}
    return render(request, "frontend/site/activity.html", context)


def _line(event: AuditEvent) -> tuple[object, ...]:
    pairs = [(name, value if isinstance(value, list) else [value]) for name, value in event.details.items()]
    details = "; ".join(f"{name}: {', '.join(map(str, values))}" for name, values in pairs)
    return event.at.isoformat(), str(event.actor or ""), event.action, event.target, details
