"""Names as the vendors write them, and texts that stay on their line."""

import re

import pytest

from simulations.declarations.texts import LONGEST_NAME, VENDOR_NAME, as_name, is_one_line


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
