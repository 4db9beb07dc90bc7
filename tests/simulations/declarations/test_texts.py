"""Names as the vendors write them, and texts that stay on their line."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.declarations.texts import (
    LONGEST_NAME,
    VENDOR_NAME,
    as_name,
    differing,
    is_below,
    is_one_line,
    keys_in,
    last_key,
    leaves,
    path_and_value,
    path_of,
    step,
)
from tests.examples import examples


@pytest.mark.parametrize("name", ["orders", "-a", "PAY.ORDERS", "a/b", "a'\"b", "Bestellübung", "注文 2", "a: b"])
def test_printable_names(name: str) -> None:
    assert re.fullmatch(VENDOR_NAME, name)
    assert as_name(name) == name


@pytest.mark.parametrize("name", ["", " a", "a ", "a\nb", "a\n", "a\u202eb", "\u200ba", "a\u00a0", "a\x00b", "\ufeffa"])
def test_names_of_which_a_person_would_not_see_all(name: str) -> None:
    assert not re.fullmatch(VENDOR_NAME, name)
    assert re.fullmatch(VENDOR_NAME, as_name(name))


def test_a_name_of_a_file_is_cut_to_what_a_scenario_holds() -> None:
    assert as_name("x" * 500) == "x" * LONGEST_NAME
    assert as_name(" \t") == "unnamed"


@pytest.mark.parametrize("mark", ["\n", "\r", "\x00", "\x85", "\u2028", "\u202e", "\u2066"])
def test_a_text_with_a_control_character_is_no_line(mark: str) -> None:
    assert is_one_line("Größe “18” – 100 %")
    assert not is_one_line(f"before{mark}after")
    assert not is_one_line(f"end{mark}")


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


def test_single_values_have_paths_with_names() -> None:
    body = {"name": "x", "queues": [{"name": "orders", "size": [1, 2]}, {"size": 3}], "run": {"seed": 1}, "sweep": []}
    assert dict(leaves(body)) == {
        "name": "x",
        "queues.orders.name": "orders",
        "queues.orders.size": [1, 2],
        "queues.1.size": 3,
        "run.seed": 1,
        "sweep": [],
    }


def test_what_differs_is_told_value_by_value() -> None:
    before = [{"name": "http", "fair_share": 80}, {"name": "mdb", "fair_share": 20}]
    after = [{"name": "mdb", "fair_share": 320}]
    assert differing(before, after, "managers") == [
        ("managers.http.fair_share", 80, None),
        ("managers.http.name", "http", None),
        ("managers.mdb.fair_share", 20, 320),
    ]
    assert differing([], before[1:]) == [("mdb.fair_share", None, 20), ("mdb.name", None, "mdb")]
    assert differing({"names": []}, {"names": ["a"]}) == [("names", [], ["a"])]
