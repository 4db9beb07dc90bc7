"""Teams: making them, who belongs to them or is invited, and handing over what belongs to somebody."""

import secrets
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from planner.errors import Conflict, Forbidden, NotFound, QuotaReached, conflict_where_taken
from planner.models import ApiToken, Baseline, Calibration, Membership, Role, SavedView, Scenario, Team, audit
from planner.models.report import secret_digest
from planner.models.team import LONGEST_INVITATION, LONGEST_NAME, LONGEST_TEAM_NAME, Invitation
from planner.selectors import role_check
from planner.selectors.owned import HANDED, Handed, first_of, invitations_list
from planner.services.rows import Issued
from planner.web.counters import counted
from simulations.declarations.problems import InvalidInput, nearest
from simulations.declarations.texts import ONE_LINE, REMEDIES, is_one_line

MOST_COUNTED, COUNTED_SECONDS = 100, 3600
"""Invitations that one person makes or opens in so many seconds."""


@transaction.atomic
def team_create(*, actor: User, name: str) -> Team:
    """Make a team with ``actor`` as its admin. Raises InvalidInput for the name, Conflict for a taken one."""
    text = " ".join(name.split())
    if not text or len(text) > LONGEST_TEAM_NAME:
        raise InvalidInput.at(("name",), f"a team needs a name of at most {LONGEST_TEAM_NAME} characters")
    if not is_one_line(text):
        raise InvalidInput.at(("name",), REMEDIES[ONE_LINE], value=text)
    with conflict_where_taken(f"there is a team {text!r} already; choose another name"):
        made = Team.objects.create(name=text)
    Membership.objects.create(team=made, user=actor, role=Role.ADMIN)
    audit(actor=actor, action="team.create", row=made, name=text)
    return made


@transaction.atomic
def member_set(*, team: Team, actor: User, name: str, role: str) -> Membership:
    """Give the person of that name a role in the team, and make them a member where they are none. Raises Forbidden
    unless an admin acts, InvalidInput for an unknown name or role, Conflict where no admin would stay."""
    _check_managing(team, actor, role)
    return _joined(team, _person(name), role, actor=actor, action="team.member")


def _check_managing(team: Team, actor: User, role: str) -> None:
    role_check(team, Role.ADMIN, user=actor)
    if role not in Role.values:
        raise InvalidInput.at(("role",), f"unknown role; {nearest(role, Role.values)}", value=role)


def _joined(team: Team, user: User, role: str, *, actor: User, action: str) -> Membership:
    _keep_an_admin(team, user, role)
    made, _ = Membership.objects.update_or_create(team=team, user=user, defaults={"role": role})
    audit(actor=actor, action=action, row=team, person=user.get_username(), role=role)
    return made


@transaction.atomic
def member_invite(*, team: Team, actor: User, name: str, role: str, days: int = 7) -> Issued[Invitation]:
    """Ask somebody, by the name that they sign in with or by e-mail address, to join within LONGEST_INVITATION days.

    A new invitation ends the one before. Whether there is such an account makes no difference. Raises Forbidden for who
    is no admin of the team, InvalidInput for the name or the role, QuotaReached for too many in an hour.
    """
    _check_managing(team, actor, role)
    invited = name.strip()
    if not invited or len(invited) > LONGEST_NAME or not is_one_line(invited):
        message = f"write the name that they sign in with, or their e-mail address, in one line of {LONGEST_NAME}"
        raise InvalidInput.at(("name",), f"{message} characters at most", value=name)
    _count(actor)
    secret = secrets.token_urlsafe(24)
    expires = timezone.now() + timedelta(days=max(1, min(days, LONGEST_INVITATION)))
    values = {"role": role, "digest": secret_digest(secret), "expires_at": expires}
    made, _ = Invitation.objects.update_or_create(team=team, invited=invited, defaults=values)
    audit(actor=actor, action="team.invite", row=team, invited=invited, role=role)
    return Issued(made, secret)


@transaction.atomic
def invitation_withdraw(*, team: Team, actor: User, invitation_id: str) -> None:
    """End an invitation. Raises Forbidden for who is no admin of the team, NotFound."""
    invitation = first_of(invitations_list(user=actor, team=team).filter(pk=invitation_id), "invitation", invitation_id)
    invitation.delete()
    audit(actor=actor, action="team.withdraw", row=team, invited=invitation.invited)


def invitation_read(*, secret: str, user: User) -> Invitation:
    """Return what a link asks ``user``, by their name or e-mail address. Raises NotFound for everything else alike,
    QuotaReached for who tries too many."""
    _count(user)
    waiting = Invitation.objects.select_related("team").filter(digest=secret_digest(secret))
    found = waiting.filter(expires_at__gt=timezone.now()).first()
    if found is None or (found.invited != user.get_username() and found.invited.lower() != user.email.lower()):
        raise NotFound("invitation", "at this address")
    return found


@transaction.atomic
def invitation_accept(*, secret: str, user: User) -> Membership:
    """Join the team that a link asks ``user`` to join, which ends it; raises as ``invitation_read``."""
    invitation = invitation_read(secret=secret, user=user)
    if not invitation.delete()[0]:
        raise NotFound("invitation", "at this address")
    return _joined(invitation.team, user, invitation.role, actor=user, action="team.join")


def _count(user: User) -> None:
    if counted(f"invitations:{user.pk}", seconds=COUNTED_SECONDS) > MOST_COUNTED:
        raise QuotaReached(f"one person makes or opens {MOST_COUNTED} invitations an hour; try again later")


@transaction.atomic
def member_remove(*, team: Team, actor: User, name: str) -> None:
    """End a membership: an admin anybody's, everybody their own. What they made for the team stays with it. Raises
    Forbidden, InvalidInput for an unknown name, Conflict where no admin would be left."""
    if name != actor.get_username():
        role_check(team, Role.ADMIN, user=actor)
    user = _person(name)
    _keep_an_admin(team, user, "")
    if Membership.objects.filter(team=team, user=user).delete()[0]:
        audit(actor=actor, action="team.leave", row=team, person=name)


def _person(name: str) -> User:
    found = User.objects.filter(username=name.strip(), is_active=True).first()
    if found is None:
        raise InvalidInput.at(("name",), "there is nobody of this name; write it as they sign in", value=name)
    return found


def _keep_an_admin(team: Team, user: User, role: str) -> None:
    admins = list(Membership.objects.select_for_update().filter(team=team, role=Role.ADMIN))
    if role != Role.ADMIN and [member.user_id for member in admins] == [user.pk]:
        raise Conflict("a team has at least one admin; make somebody else admin first")


@transaction.atomic
def hand_over(*, row: Handed, actor: User, team: Team | None = None, person: str = "") -> None:
    """Let a scenario, server or webhook belong to a team, or without one to the person of that name alone.

    What is a team's is handed on by its admins, what is one's own by oneself; who hands something to a team plans in
    it. A scenario takes its runs and reports along and is no baseline any more. Raises Forbidden, InvalidInput for an
    unknown name, Conflict where the name is taken there.
    """
    role_check(row, Role.ADMIN, user=actor)
    if team is not None:
        role_check(team, Role.PLANNER, user=actor)
    owner = row.owner if team else _person(person)
    _given(row, owner, team)
    target = team.name if team else owner.get_username()
    audit(actor=actor, action=f"{row._meta.model_name}.hand-over", row=row, to=target)


def _given(row: Handed, owner: User, team: Team | None) -> None:
    row.owner, row.team = owner, team
    changed = ["owner", "team"]
    if isinstance(row, Scenario):
        row.preset = ""
        changed.append("preset")
        Baseline.objects.filter(version__scenario=row, unpinned_at=None).update(unpinned_at=timezone.now())
    with conflict_where_taken(f"something is called {str(row)!r} there already; rename it first"):
        row.save(update_fields=changed)


@transaction.atomic
def person_close(*, person: User, successor: User, actor: User | None) -> None:
    """Hand over all that is ``person``'s alone and end the account: tokens, sessions, memberships.

    What they signed, ran and wrote keeps their name. Raises Conflict where a team would have no admin or a name is
    taken, Forbidden for the successor themselves.
    """
    if person == successor or not successor.is_active:
        raise Forbidden("name somebody else, who can still sign in")
    for member in person.memberships.select_related("team"):
        _keep_an_admin(member.team, person, "")
    for kind in HANDED.values():
        for row in kind.objects.filter(owner=person, team=None):
            _given(row, successor, None)
    Calibration.objects.filter(owner=person).update(owner=successor)
    SavedView.objects.filter(owner=person).delete()
    ApiToken.objects.filter(owner=person, revoked_at=None).update(revoked_at=timezone.now())
    person.memberships.all().delete()
    person.is_active = False
    person.save(update_fields=["is_active"])
    audit(actor=actor, action="person.close", row=person, to=successor.get_username())
