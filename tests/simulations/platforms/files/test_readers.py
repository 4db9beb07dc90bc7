"""Hostile and odd files: each is refused with its name and line, or read with a line for every element."""

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.platforms.files.syntax import text_files, xml_file
from simulations.platforms.files.syntax.text_files import load_properties
from simulations.platforms.files.syntax.tree import MAX_BYTES, MAX_DEPTH, MAX_ELEMENTS, Account

BOMB = b"""<?xml version="1.0"?>
<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;&x;&x;">]>
<a>&y;</a>"""
FETCH = b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'
PARAMETER = b'<!DOCTYPE a [<!ENTITY % p SYSTEM "http://example.invalid/p.dtd"> %p;]><a/>'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (BOMB, "entities are not allowed"),
        (FETCH, "entities are not allowed"),
        (PARAMETER, "entities are not allowed"),
        (b"<a>" * (MAX_DEPTH + 1), "nested deeper"),
        (b"<a>" + b" " * MAX_BYTES + b"</a>", "at most"),
        (b"<a><b></a>", "no XML"),
        (b"", "no XML"),
        (b'<?xml version="1.0" encoding="x-none"?><a/>', "no XML"),
        (b'<?xml version="1.0" encoding="shift_jis"?><a/>', "several bytes a letter; convert it to UTF-8"),
        ('<?xml version="1.0" encoding="UTF-16"?><a/>'.encode("utf-16"), "written in UTF-16; convert it to UTF-8"),
        ("<a/>".encode("utf-32"), "written in UTF-32; convert it to UTF-8"),
    ],
)
def test_hostile_or_broken_xml_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(InvalidInput, match=message) as error:
        xml_file.load(content, "upload.xml")
    assert error.value.problems[0].path.startswith("upload.xml")


def test_a_document_type_is_read_over_without_fetching_it() -> None:
    root = xml_file.load(b'<!DOCTYPE a PUBLIC "-//X//DTD" "http://example.invalid/x.dtd">\n<a><b>1</b></a>', "f")
    assert (root.value("b"), root.children[0].line) == ("1", 2)


def test_positions_are_those_of_the_bytes() -> None:
    content = '<?xml version="1.0" encoding="UTF-8"?>\n<a x="&gt;>"><b>é</b><c y=\'>\'/><d> 2 </d></a>'.encode()
    root = xml_file.load(content, "f")
    spans = [content[slice(*item.span)].decode() for item in root.children]
    assert spans == ["<b>é</b>", "<c y='>'/>", "<d> 2 </d>"]
    assert [content[slice(*item.inner)].decode() for item in root.children] == ["é", "", " 2 "]
    assert root.value("d") == "2"


@pytest.mark.parametrize(
    ("content", "message", "line"),
    [
        (b"a: 1\nb: &x 2\n", "anchors and aliases", 2),
        (b"a: 1\na: 2\n", "written twice", 2),
        (b"a: !!python/object:os.system 1\n", "no plain value", 1),
        (b"a: 1\nb: !!bool maybe\n", "'maybe' is no plain value", 2),
        (b"a: !!timestamp soon\n", "no plain value", 1),
        (b"a: !!float ''\n", "no plain value", 1),
        (b"a: " + b"9" * 5000, f"'{'9' * 80}' is no plain value", 1),
        (b"a: [1\n", "no YAML", 2),
        (b"\xfe\xff\xff", "written in UTF-16; convert it to UTF-8", 0),
        (b"a: \xe9", "not UTF-8 text; convert it", 0),
        (b"? [1]\n: 2\n", "plain text", 1),
        (b"[" * 2000 + b"]" * 2000, "nested", 0),
    ],
)
def test_yaml_beyond_plain_data_is_refused(content: bytes, message: str, line: int) -> None:
    with pytest.raises(InvalidInput, match=message) as error:
        text_files.load(content, "f.yaml")
    assert error.value.problems[0].path.startswith(f"f.yaml:{line}" if line else "f.yaml")


def test_yaml_keeps_the_line_of_every_key() -> None:
    entry = text_files.load(b"a:\n  - 1\n  - b: true\n", "f.yaml")
    assert entry.value == {"a": [1, {"b": True}]}
    assert entry.lines["a", 1, "b"] == 3


def test_properties_are_read_as_java_does() -> None:
    root = load_properties(b"# c\n! c\na=1\nb : 2\nc\\=d=3\nlong=x\\\n   y\nempty\n", "f")
    assert [(item.key, item.text, item.line) for item in root.children] == [
        ("a", "1", 3),
        ("b", "2", 4),
        ("c=d", "3", 5),
        ("long", "xy", 6),
        ("empty", "", 8),
    ]


@pytest.mark.parametrize(("backslashes", "values"), [(1, ["xy"]), (2, ["x\\", ""]), (3, ["x\\y"])])
def test_a_line_goes_on_after_an_odd_number_of_backslashes(backslashes: int, values: list[str]) -> None:
    root = load_properties(b"long=x" + b"\\" * backslashes + b"\ny\n", "f")
    assert [item.text for item in root.children] == values


def test_the_account_covers_every_element_once() -> None:
    root = xml_file.load(b"<a><b x='1' y='2'>t</b><c><d/><e>1</e></c><f>2</f></a>", "f.xml")
    account = Account("f.xml")
    account.note("understood", root.children[0], "queues.q", "x", "x")
    account.note("understood", root.children[2], "queues.q.f", "2")
    lines = account.finish(root)
    assert [(item.status, item.path) for item in lines] == [
        ("understood", "queues.q"),
        ("understood", "queues.q.f"),
        ("ignored", "a.b"),
        ("ignored", "a.b"),
        ("ignored", "a.c"),
    ]
    assert "with 2 elements" in lines[-1].message


def test_text_between_elements_is_not_passed_over() -> None:
    """Build tools put a token where whole elements are to stand."""
    root = xml_file.load(b"<domain>\n<name>d</name>@more-servers@\n</domain>", "config.xml")
    account = Account("config.xml")
    account.take(root.children[0])
    assert [(item.line, "@more-servers@" in item.message) for item in account.finish(root)] == [(1, True)]


def test_yaml_entries_are_counted_while_they_are_read() -> None:
    with pytest.raises(InvalidInput, match=f"more than {MAX_ELEMENTS} entries"):
        text_files.load(b"a: [" + b"1," * MAX_ELEMENTS + b"1]\n", "f.yaml")


def test_properties_in_utf_16_are_refused_with_the_remedy() -> None:
    with pytest.raises(InvalidInput, match="written in UTF-16; convert it to UTF-8"):
        load_properties("imq.system.max_count=5\n".encode("utf-16"), "config.properties")
