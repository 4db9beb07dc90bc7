"""Rows by id and owner together."""

import pytest
from django.contrib.auth.models import AnonymousUser, User

from planner.errors import NotFound
from planner.models import Scenario
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
