"""Replacing bytes at places: what is named changes, all else stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulations.declarations.problems import InvalidInput
from simulations.platforms.files.syntax.splices import Splice, encoding_of, newline_of, place_for, spliced
from simulations.platforms.files.syntax.tree import Element


@given(st.lists(st.text("ab\n", max_size=4), min_size=1, max_size=6), st.lists(st.text("xy", max_size=3), min_size=6))
def test_pieces_are_replaced_and_the_rest_stays(kept: list[str], texts: list[str]) -> None:
    content, splices = "", []
    for piece, text in zip(kept, texts, strict=False):
        content += piece
        splices.append(Splice(len(content), len(content) + 1, text))
        content += "-"
    expected = "".join(piece + text for piece, text in zip(kept, texts, strict=False))
    assert spliced(content.encode(), splices[::-1], "utf-8").decode() == expected


def test_what_the_encoding_lacks_becomes_a_reference() -> None:
    assert spliced(b"<a></a>", [Splice(3, 3, "ä€")], "latin-1") == b"<a>\xe4&#8364;</a>"


def test_a_child_belongs_behind_its_like_and_those_that_come_before_it() -> None:
    children = [Element("pool", 1, span=(3, 9)), Element("name", 2, span=(9, 15)), Element("last", 3, span=(15, 20))]
    parent = Element("bean", 1, children=children, inner=(3, 20))
    assert place_for(parent, "name", ["pool", "name", "last"]) == 15
    assert place_for(parent, "first", ["first", "pool", "name", "last"]) == 3
    assert place_for(parent, "unknown", ["pool"]) == 20


def test_line_ends() -> None:
    assert [newline_of(content) for content in (b"a\r\nb", b"a\nb", b"")] == ["\r\n", "\n", "\n"]


@pytest.mark.parametrize(
    ("content", "encoding"),
    [(b"<a/>", "utf-8"), (b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe4</a>", "ISO-8859-1")],
)
def test_the_declared_encoding_is_used(content: bytes, encoding: str) -> None:
    assert encoding_of(content, "a.xml") == encoding


@pytest.mark.parametrize("declared", [b"utf-16", b"utf-7", b"klingon"])
def test_an_encoding_in_which_bytes_move_is_refused(declared: bytes) -> None:
    with pytest.raises(InvalidInput, match="convert it to UTF-8"):
        encoding_of(b"<?xml version='1.0' encoding='" + declared + b"'?><a>+\xe4</a>", "a.xml")
