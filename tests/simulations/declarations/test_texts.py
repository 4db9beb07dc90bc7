"""Names that need no quotes, and texts that stay on their line."""

import re

import pytest

from simulations.declarations.texts import PLAIN_NAME, is_one_line


@pytest.mark.parametrize("name", ["orders", "_a", "9 lives", "a-b_c"])
def test_plain_names(name: str) -> None:
    assert re.match(PLAIN_NAME, name)


@pytest.mark.parametrize("name", ["", " a", "-a", "a.b", "a'b", "ä", "a\nb"])
def test_names_that_a_path_or_a_script_would_misread(name: str) -> None:
    assert not re.match(PLAIN_NAME, name)


@pytest.mark.parametrize("mark", ["\n", "\r", "\x00", "\x85", "\u2028", "\u202e", "\u2066"])
def test_a_text_with_a_control_character_is_no_line(mark: str) -> None:
    assert is_one_line("Größe “18” – 100 %")
    assert not is_one_line(f"before{mark}after")
    assert not is_one_line(f"end{mark}")
