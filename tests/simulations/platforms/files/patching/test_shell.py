"""Arguments of a shell mean what they say, whatever they hold."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.platforms.files.patching.shell import argument, plain


@given(st.text(st.characters(exclude_characters="\0")))
def test_the_shell_reads_every_argument_back(text: str) -> None:
    assert shlex.split(argument(text)) == [text]


@pytest.mark.parametrize("text", ["maxSessions=36", "a/b:c", "1.5", "50%"])
def test_what_needs_no_quotes_gets_none(text: str) -> None:
    assert argument(text) == text


@pytest.mark.parametrize(
    ("value", "factor", "written"),
    [
        (True, 1.0, "true"),
        (18, 1.0, "18"),
        (0.25, 1000.0, "250"),
        (0.1, 3.0, "0.3"),
        (2.5, 1.0, "2.5"),
        ("x", 9.0, "x"),
    ],
)
def test_values_are_written_as_the_tools_do(value: object, factor: float, written: str) -> None:
    assert plain(value, factor) == written
