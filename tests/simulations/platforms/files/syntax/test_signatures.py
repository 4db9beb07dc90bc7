"""Whose a file is, from its first bytes."""

import pytest

from simulations.platforms.files.syntax.signatures import has_line, is_yaml, other_encoding, root_of

XML = "<server name='s'/>"


@pytest.mark.parametrize(
    "before",
    [b"", b"\xef\xbb\xbf", b"\n \t", b"<?xml version='1.0'?>\n", b"<!-- <jms> -->", b"<!--a--><?b?><!--c-->\n"],
)
def test_the_root_is_found_behind_marks_comments_and_declarations(before: bytes) -> None:
    assert root_of(before + XML.encode()) == ("server", " name='s'/")


def test_the_root_is_named_without_its_prefix() -> None:
    assert root_of(b"<wls:domain xmlns:wls='urn:x'>")[0] == "domain"


@pytest.mark.parametrize("content", [b"", b"a: 1", b"key=<value>", b"<!-- only a comment -->", b"<9>"])
def test_what_is_no_xml_has_no_root(content: bytes) -> None:
    assert root_of(content) == ("", "")


@pytest.mark.parametrize(("encoding", "name"), [("utf-16", "UTF-16"), ("utf-16-le", "UTF-16"), ("cp037", "EBCDIC")])
def test_xml_in_another_encoding_is_named(encoding: str, name: str) -> None:
    content = f"<?xml version='1.0'?>{XML}".encode(encoding)
    remedy = "convert it to UTF-8 (iconv does), also in its first line where that names the encoding"
    assert other_encoding(content) == f"the file is written in {name}; {remedy}"
    assert other_encoding(XML.encode()) == ""


def test_names_and_lines() -> None:
    assert [is_yaml(name) for name in ("a.YAML", "b.yml", "yaml.xml")] == [True, True, False]
    assert has_line(b"x\n  create dest\n", b"create", b"update")
    assert not has_line(b"x create\n", b"create")
