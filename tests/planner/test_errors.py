"""Errors that callers see: what is missing is named shortly, and what is stale says by how much."""

from planner.errors import NotFound, Stale


def test_a_missing_thing_is_named_by_at_most_60_characters() -> None:
    error = NotFound("run", "x" * 100)
    assert str(error) == f"there is no run {'x' * 60!r} of yours"
    assert error.code == "not_found"


def test_a_stale_change_tells_the_present_revision() -> None:
    error = Stale(7)
    assert error.code == "stale"
    assert "is now at revision 7" in str(error)
