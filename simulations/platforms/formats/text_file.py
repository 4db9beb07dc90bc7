"""Line-based text as elements: Java properties, and plain lines for commands and tables."""

import re
from collections.abc import Iterator

from simulations.platforms.formats.limits import MAX_BYTES, MAX_ELEMENTS, refuse
from simulations.platforms.formats.tree import Element

_SEPARATOR = re.compile(r"(?<!\\)[=:]|(?<!\\)[ \t\f]+")


def lines_of(content: bytes, file: str) -> list[tuple[int, str]]:
    """Return number and text of each line; raises InvalidInput when the file is too large or no text."""
    if len(content) > MAX_BYTES:
        raise refuse(file, 0, f"the file has {len(content)} bytes, at most {MAX_BYTES} are read")
    if b"\0" in content:
        raise refuse(file, 0, "the file is no text")
    lines = list(enumerate(content.decode("utf-8-sig", errors="replace").splitlines(), start=1))
    if len(lines) > MAX_ELEMENTS:
        raise refuse(file, 0, f"the file has more than {MAX_ELEMENTS} lines")
    return lines


def load_properties(content: bytes, file: str) -> Element:
    """Return the properties of a file in Java's format as elements: ``key`` and ``text``, comments left out."""
    root = Element("properties", 1, key="properties")
    for line, text in _logical(lines_of(content, file)):
        found = _SEPARATOR.search(text)
        key, value = (text, "") if found is None else (text[: found.start()], text[found.end() :])
        value = value.strip().lstrip("=:").strip()
        root.children.append(Element("property", line, key=_unescape(key.strip()), text=_unescape(value)))
    return root


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
