"""Paths into a scenario's body: what they name, what they refuse, and copies with one value changed."""

from typing import Any

import pytest

from simulations.declarations.paths import HORIZON, chosen, location_of, value_in, with_value

BODY: dict[str, Any] = {
    "queues": [{"name": "orders", "settings": {"limit": 3}}, {"limit": 9}],
    "run": {"horizon": {"messages": 5}},
}


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("queues.orders.settings.limit", ("queues", 0, "settings", "limit")),
        ("queues.0.settings.limit", ("queues", 0, "settings", "limit")),
        ("queues.1.limit", ("queues", 1, "limit")),
        ("run.horizon.duration", ("run", "horizon", "duration")),
    ],
)
def test_items_are_named_by_name_or_index_and_any_horizon_is_known(path: str, location: tuple[str | int, ...]) -> None:
    assert location_of(BODY, path) == location


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("queue.orders", "did you mean 'queues'"),
        ("queues.order", "did you mean 'orders'"),
        ("queues.2", "nothing is named '2'"),
        ("queues.orders.name.first", "nothing lies below 'name'"),
    ],
)
def test_a_path_that_leads_nowhere_is_refused_with_a_remedy(path: str, said: str) -> None:
    with pytest.raises(KeyError, match=said):
        location_of(BODY, path)


def test_a_body_as_written_may_lack_keys_that_have_a_default() -> None:
    location = location_of(BODY, "queues.orders.settings.other", known_only=False)
    assert location == ("queues", 0, "settings", "other")
    assert value_in(with_value(BODY, location, 7), location) == 7


def test_a_value_is_set_in_a_copy_and_nothing_else_changes() -> None:
    changed = with_value(BODY, ("queues", 0, "settings", "limit"), 4)
    assert value_in(changed, ("queues", 0)) == {"name": "orders", "settings": {"limit": 4}}
    assert value_in(BODY, ("queues", 0, "settings", "limit")) == 3
    assert (changed["queues"][1], changed["run"]) == (BODY["queues"][1], BODY["run"])
    assert with_value({}, ("a", "b"), 1) == {"a": {"b": 1}}


def test_one_horizon_takes_the_place_of_another() -> None:
    assert chosen((*HORIZON, "duration"), "9s") == (HORIZON, {"duration": "9s"})
    assert chosen(("run", "seed"), 9) == (("run", "seed"), 9)
