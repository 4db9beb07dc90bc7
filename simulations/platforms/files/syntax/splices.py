"""Replacing bytes of a file at given places and nothing else."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from simulations.platforms.files.syntax.tree import Element, refuse

_DECLARED = re.compile(rb"(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z][A-Za-z0-9._-]*)")

BOM = b"\xef\xbb\xbf"
"""What some editors put before UTF-8 text."""


@dataclass(frozen=True)
class Splice:
    """Bytes ``start`` to ``end`` become ``text``."""

    start: int
    end: int
    text: str


def spliced(content: bytes, splices: Sequence[Splice], encoding: str) -> bytes:
    """Return the content with all splices made, which do not overlap; texts for one place keep their order.

    What the encoding lacks becomes a reference.
    """
    pieces, end = [], 0
    for splice in sorted(splices, key=lambda item: (item.start, item.end)):
        pieces += [content[end : splice.start], splice.text.encode(encoding, errors="xmlcharrefreplace")]
        end = splice.end
    return b"".join([*pieces, content[end:]])


def place_for(parent: Element, name: str, order: Sequence[str]) -> int:
    """Return where a new child belongs: behind the last one of its name or that the schema's order wants before it.

    Where the order is not known that is behind all children.
    """
    known = [item for item in parent.children if name not in order or item.name in order[: order.index(name) + 1]]
    return known[-1].span[1] if known else parent.inner[0]


def newline_of(content: bytes) -> str:
    """Return how the lines of a file end."""
    return "\r\n" if b"\r\n" in content else "\n"


def encoding_of(content: bytes, file: str) -> str:
    """Return the encoding that an XML file declares.

    Raises InvalidInput unless it is known, one ASCII letter is one byte in it, and reading and writing gives the same
    bytes: only then can a part be replaced and the rest be kept.
    """
    found = _DECLARED.match(content)
    name = found[1].decode() if found else "utf-8"
    try:
        kept = b"<a>".decode(name) == "<a>" and content.decode(name).encode(name) == content
    except (LookupError, UnicodeError):
        kept = False
    if not kept:
        raise refuse(file, 1, f"a file in the encoding {name} cannot be patched; convert it to UTF-8")
    return name
