"""Rows by id and owner together."""

from operator import attrgetter

import pytest
from django.contrib.auth.models import AnonymousUser, User

from planner import selectors, services
from planner.errors import NotFound
from planner.models import Role, Run, Scenario
from planner.selectors.owned import first_of, owned


def test_a_row_is_its_owners(owner: User, stranger: User, scenario: Scenario) -> None:
    assert owned(Scenario.objects.all(), user=owner, key=scenario.pk) == scenario
    messages = set()
    for user, key in ((stranger, scenario.pk), (AnonymousUser(), scenario.pk), (owner, "scn_other")):
        with pytest.raises(NotFound) as refused:
            owned(Scenario.objects.all(), user=user, key=key)
        messages.add(str(refused.value).replace("scn_other", scenario.pk))
    assert messages == {f"there is no scenario '{scenario.pk}' of yours"}, "all alike"


def test_the_first_row_or_what_was_looked_for(scenario: Scenario) -> None:
    assert first_of(Scenario.objects.all(), "scenario", "x") == scenario
    with pytest.raises(NotFound, match="there is no version '7' of yours"):
        first_of(Scenario.objects.none(), "version", 7)


def test_a_person_sees_their_teams_with_their_role(owner: User, stranger: User) -> None:
    team = services.team_create(actor=owner, name="Payments")
    services.team_create(actor=stranger, name="Others")
    services.member_set(team=team, actor=owner, name="eve", role="viewer")
    assert list(map(attrgetter("name", "role"), selectors.teams_list(user=stranger))) == [
        ("Others", Role.ADMIN),
        ("Payments", Role.VIEWER),
    ]
    assert [row.name for row in selectors.teams_list(user=owner)] == ["Payments"]


def test_only_what_is_seen_can_be_handed_over(owner: User, stranger: User, scenario: Scenario, run: Run) -> None:
    assert selectors.handed_get(user=owner, key=scenario.pk) == scenario
    for user, key in ((stranger, scenario.pk), (owner, run.pk), (owner, "srv_none"), (owner, "")):
        with pytest.raises(NotFound):
            selectors.handed_get(user=user, key=key)


def test_a_team_narrows_the_scenarios(owner: User, scenario: Scenario) -> None:
    team = services.team_create(actor=owner, name="Payments")
    assert not selectors.scenarios_list(user=owner, team=team.pk).exists()
    services.hand_over(row=scenario, actor=owner, team=team)
    assert list(selectors.scenarios_list(user=owner, team=team.pk)) == [scenario]
