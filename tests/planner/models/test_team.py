"""Where a row belongs, through the rows that it belongs with."""

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from planner.models import Membership, Role, Run, Scenario, Server, Team
from planner.models.team import beside, holder_of, team_of


@pytest.fixture
def team(owner: User) -> Team:
    """A team."""
    return Team.objects.create(name="Payments")


def test_a_run_belongs_where_its_scenario_does(team: Team, run: Run, scenario: Scenario, stranger: User) -> None:
    assert (holder_of(run), team_of(run), team_of(team)) == (scenario, None, team.pk)
    for owner, held in ((stranger, None), (run.owner, team)):
        Server.objects.create(owner=owner, team=held, name="s", platform="openmq")
    assert not Server.objects.filter(beside(run)).exists()
    Scenario.objects.filter(pk=scenario.pk).update(team=team)
    moved = Run.objects.get(pk=run.pk)
    assert [server.team for server in Server.objects.filter(beside(moved))] == [team]
    assert list(Run.objects.filter(beside(moved, Run.held_by))) == [run]


def test_somebody_is_in_a_team_once_in_a_known_role(team: Team, owner: User) -> None:
    first = Membership.objects.create(team=team, user=owner, role=Role.VIEWER)
    assert (str(first), [role.rank for role in Role]) == ("ada in Payments", [0, 1, 2, 3])
    for role in (Role.ADMIN, "boss"):
        with pytest.raises(IntegrityError), transaction.atomic():
            Membership.objects.create(team=team, user=owner, role=role)
