"""Line-based text as elements: Java properties, and plain lines for commands and tables."""

import itertools
import re
from collections.abc import Iterator

from simulations.platforms.files.syntax.signatures import other_encoding
from simulations.platforms.files.syntax.splices import Splice, newline_of
from simulations.platforms.files.syntax.tree import MAX_ELEMENTS, Element, check_size, refuse
from simulations.platforms.shared.spots import Addition, New

_SEPARATOR = re.compile(r"(?<!\\)[=:]|(?<!\\)[ \t\f]+")


def lines_of(content: bytes, file: str) -> list[tuple[int, str]]:
    """Return number and text of each line; raises InvalidInput when the file is too large or no text."""
    check_size(content, file)
    if b"\0" in content:
        raise refuse(file, 0, other_encoding(content) or "the file is no text")
    lines = list(enumerate(content.decode("utf-8-sig", errors="replace").splitlines(), start=1))
    if len(lines) > MAX_ELEMENTS:
        raise refuse(file, 0, f"the file has more than {MAX_ELEMENTS} lines")
    return lines


def load_properties(content: bytes, file: str) -> Element:
    """Return the properties of a file in Java's format as elements: ``key`` and ``text``, comments left out."""
    root = Element("properties", 1, key="properties")
    places = _places(content)
    for line, text in _logical(lines_of(content, file)):
        found = _SEPARATOR.search(text)
        key, value = (text, "") if found is None else (text[: found.start()], text[found.end() :])
        value = value.strip().lstrip("=:").strip()
        item = Element("property", line, key=_unescape(key.strip()), text=_unescape(value))
        item.inner = _value_place(content, places.get(line), value)
        root.children.append(item)
    return root


def escaped(text: str) -> str:
    """Write a property's value."""
    return text.replace("\\", "\\\\")


def property_splice(content: bytes, addition: Addition, value: str) -> Splice:
    """Return the splice that appends a property to a file of properties, as a line of its own."""
    if not isinstance(addition.what, New):
        raise TypeError(f"a file of properties takes keys, not {addition.what!r}")
    newline = newline_of(content)
    before = newline if content and not content.endswith((b"\n", b"\r")) else ""
    return Splice(len(content), len(content), f"{before}{addition.what.name}={escaped(value)}{newline}")


def _places(content: bytes) -> dict[int, tuple[int, int]]:
    """First and last byte of each line; nothing where bytes and text have different lines."""
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        return {}
    ends = list(itertools.accumulate(len(line) for line in content.splitlines(keepends=True)))
    return dict(enumerate(itertools.pairwise([0, *ends]), start=1)) if len(ends) == len(lines) else {}


def _value_place(content: bytes, line: tuple[int, int] | None, value: str) -> tuple[int, int]:
    """Where the value stands at the end of its line; (0, 0) where the line goes on or has none."""
    if line is None or not value:
        return 0, 0
    text, wanted = content[slice(*line)].rstrip(), value.encode()
    return (line[0] + len(text) - len(wanted), line[0] + len(text)) if text.endswith(wanted) else (0, 0)


def _logical(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Join lines that end in a backslash, and leave out blank lines and comments."""
    start, pending = 0, ""
    for line, text in lines:
        stripped = text.strip()
        if not pending and (not stripped or stripped[0] in "#!"):
            continue
        start = start if pending else line
        if stripped.endswith("\\") and not stripped.endswith("\\\\"):
            pending += stripped[:-1]
            continue
        yield start, pending + stripped
        pending = ""
    if pending:
        yield start, pending


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
