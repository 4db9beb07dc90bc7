"""Errors that callers see: what is missing is named shortly, and what is stale says by how much."""

import pytest

from planner.errors import Conflict, NotFound, Stale, conflict_where_taken
from planner.models import Team


def test_a_missing_thing_is_named_by_at_most_60_characters() -> None:
    error = NotFound("run", "x" * 100)
    assert str(error) == f"there is no run {'x' * 60!r} of yours"
    assert error.code == "not_found"


def test_a_stale_change_tells_the_present_revision() -> None:
    error = Stale(7)
    assert error.code == "stale"
    assert "is now at revision 7" in str(error)


@pytest.mark.django_db
def test_what_is_taken_is_a_conflict_after_which_rows_can_still_be_read() -> None:
    Team.objects.create(name="Payments")
    with pytest.raises(Conflict, match="choose another"), conflict_where_taken("choose another"):
        Team.objects.create(name="Payments")
    assert Team.objects.count() == 1
