"""Teams: making them, who belongs to them, and handing over what belongs to somebody."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from planner.errors import Conflict, Forbidden, conflict_where_taken
from planner.models import ApiToken, Baseline, Calibration, Membership, Role, SavedView, Scenario, Team, audit
from planner.models.team import LONGEST_TEAM_NAME
from planner.selectors import role_check
from planner.selectors.teams import HANDED, Handed
from simulations.declarations.problems import InvalidInput, nearest, problem
from simulations.declarations.texts import ONE_LINE, REMEDIES, is_one_line


@transaction.atomic
def team_create(*, actor: User, name: str) -> Team:
    """Make a team with ``actor`` as its admin. Raises InvalidInput for the name, Conflict for a taken one."""
    text = " ".join(name.split())
    if not text or len(text) > LONGEST_TEAM_NAME:
        raise InvalidInput([problem(("name",), f"a team needs a name of at most {LONGEST_TEAM_NAME} characters")])
    if not is_one_line(text):
        raise InvalidInput([problem(("name",), REMEDIES[ONE_LINE], value=text)])
    with conflict_where_taken(f"there is a team {text!r} already; choose another name"):
        made = Team.objects.create(name=text)
    Membership.objects.create(team=made, user=actor, role=Role.ADMIN)
    audit(actor=actor, action="team.create", row=made, name=text)
    return made


@transaction.atomic
def member_set(*, team: Team, actor: User, name: str, role: str) -> Membership:
    """Give the person of that name a role in the team, and make them a member where they are none.

    Raises Forbidden for who is no admin of the team, InvalidInput for an unknown name or role, Conflict where no admin
    would be left.
    """
    role_check(team, Role.ADMIN, user=actor)
    if role not in Role.values:
        raise InvalidInput([problem(("role",), f"unknown role; {nearest(role, Role.values)}", value=role)])
    user = _person(name)
    _keep_an_admin(team, user, role)
    made, _ = Membership.objects.update_or_create(team=team, user=user, defaults={"role": role})
    audit(actor=actor, action="team.member", row=team, person=user.get_username(), role=role)
    return made


@transaction.atomic
def member_remove(*, team: Team, actor: User, name: str) -> None:
    """End a membership: an admin anybody's, everybody their own. What they made for the team stays with it.

    Raises Forbidden, InvalidInput for an unknown name, Conflict where no admin would be left.
    """
    if name != actor.get_username():
        role_check(team, Role.ADMIN, user=actor)
    user = _person(name)
    _keep_an_admin(team, user, "")
    if Membership.objects.filter(team=team, user=user).delete()[0]:
        audit(actor=actor, action="team.leave", row=team, person=name)


def _person(name: str) -> User:
    found = User.objects.filter(username=name.strip(), is_active=True).first()
    if found is None:
        raise InvalidInput([problem(("name",), "there is nobody of this name; write it as they sign in", value=name)])
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
