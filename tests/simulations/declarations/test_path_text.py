"""Paths as text: every name can stand in one, and old plain paths mean what they meant."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.declarations.path_text import is_below, keys_in, last_key, path_and_value, path_of, step
from tests.examples import examples

NAMES = ("orders", "PAY.ORDERS", "jms/Orders", 'a"b\\c', "Bestellübung", "x[1]", "注文", "a=b", "0", "two words", "-")
MANY = examples(100, nightly=5_000)


@pytest.mark.parametrize(
    ("keys", "path"),
    [
        (("queues", "orders", "settings", "maximum_sessions"), "queues.orders.settings.maximum_sessions"),
        (("queues", 0, "two words", "a-b_c"), "queues.0.two words.a-b_c"),
        (("queues", "PAY.ORDERS", "name"), 'queues["PAY.ORDERS"].name'),
        (("queues", 'a"b\\c'), 'queues["a\\"b\\\\c"]'),
        (("queues", "Bestellübung"), "queues.Bestellübung"),
    ],
)
def test_only_names_that_are_not_plain_are_quoted(keys: tuple[str | int, ...], path: str) -> None:
    assert path_of(*keys) == path
    assert keys_in(path) == tuple(map(str, keys))
    assert path_of(*keys[:-1]) + step(str(keys[-1])) == path


@MANY
@given(keys=st.lists(st.text(min_size=1) | st.sampled_from(NAMES), min_size=1, max_size=4))
def test_any_keys_are_read_back_from_their_path(keys: list[str]) -> None:
    assert keys_in(path_of(*keys)) == tuple(keys)
    assert last_key(path_of(*keys)) == keys[-1]


@pytest.mark.parametrize("path", ["queues..x", ".queues", 'queues["a', 'queues["a"]x', 'queues["\\q"].x', "queues[a]"])
def test_what_is_no_path_is_refused_with_a_sentence(path: str) -> None:
    with pytest.raises(KeyError, match=re.compile("out of place|no text in quotes")):
        keys_in(path)
    assert last_key(path) == path


def test_a_path_lies_below_another_one_by_keys_and_not_by_letters() -> None:
    assert is_below('queues["a.b"].settings', "queues")
    assert is_below("queues.orders.settings", "queues.orders")
    assert is_below("queues.orders", "queues.orders")
    assert not is_below("queues.orders2", "queues.orders")


@MANY
@given(name=st.text(min_size=1) | st.sampled_from(NAMES), value=st.text())
def test_the_value_of_an_option_begins_behind_the_first_sign_outside_of_quotes(name: str, value: str) -> None:
    path = path_of("queues", name, "settings", "limit")
    assert path_and_value(f"{path}={value}") == (path, value)
    assert path_and_value(path) == ("", path)
