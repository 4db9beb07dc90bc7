"""Ending an account from the command line."""

import pytest
from django.contrib.auth.models import User
from django.core.management.base import CommandError

from planner import services
from planner.models import Scenario
from tests.planner.management.commands.conftest import printed


def test_what_was_theirs_alone_is_handed_over(owner: User, stranger: User, scenario: Scenario) -> None:
    assert "eve has what was theirs alone" in printed("close_account", "ada", "--to", "eve")
    scenario.refresh_from_db()
    owner.refresh_from_db()
    assert (scenario.owner, owner.is_active) == (stranger, False)


def test_it_says_why_it_cannot_be(owner: User, stranger: User) -> None:
    services.team_create(actor=owner, name="Payments")
    for names, reason in (
        (("ada", "eve"), "at least one admin"),
        (("ada", "ada"), "somebody else"),
        (("x", "eve"), "'x'"),
    ):
        with pytest.raises(CommandError, match=reason):
            printed("close_account", names[0], "--to", names[1])
