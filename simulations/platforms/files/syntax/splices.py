"""Replacing bytes of a file at given places and nothing else; and new elements of an XML file in its own style."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from simulations.platforms.files.syntax.tree import Element, refuse
from simulations.platforms.shared.spots import VALUE, Addition, Attribute, New, Raw

_DECLARED = re.compile(rb"(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z][A-Za-z0-9._-]*)")

BOM = b"\xef\xbb\xbf"
"""What some editors put before UTF-8 text."""
Order = Mapping[str, Sequence[str]]
"""Element -> its children in the order of the schema."""
QUOTES = {'"': "&quot;", "'": "&apos;"}
_TAG = re.compile(rb"<([^\s/>]+)")


@dataclass(frozen=True)
class Splice:
    """Bytes ``start`` to ``end`` become ``text``."""

    start: int
    end: int
    text: str


def spliced(content: bytes, splices: Sequence[Splice], encoding: str) -> bytes:
    """Return the content with all splices made, which do not overlap; texts for one place keep their order. What the
    encoding lacks becomes a reference."""
    pieces, end = [], 0
    for splice in sorted(splices, key=lambda item: (item.start, item.end)):
        pieces += [content[end : splice.start], splice.text.encode(encoding, errors="xmlcharrefreplace")]
        end = splice.end
    return b"".join([*pieces, content[end:]])


def place_for(parent: Element, name: str, order: Sequence[str]) -> int:
    """Return where a new child belongs: behind the last one of its name or that the schema's order wants before it.
    Where the order is not known that is behind all children."""
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


def xml_splice(content: bytes, root: Element, addition: Addition, value: str, order: Order) -> Splice:
    """Return the splice that adds what the file lacks."""
    if isinstance(addition.what, Raw):
        text = addition.what.text.replace(VALUE, escape(value, QUOTES))
        return Splice(addition.parent, addition.parent, text)
    parent = next(item for item in root.walk() if item.span[0] == addition.parent)
    around = list(addition.around)
    while around and (inside := parent.child(around[0])) is not None:
        parent = inside
        around.pop(0)
    if isinstance(addition.what, Attribute):
        end = parent.span[1] - 2 if _closes_itself(content, parent) else parent.inner[0] - 1
        end = len(content[:end].rstrip())
        return Splice(end, end, f' {addition.what.name}="{escape(value, QUOTES)}"')
    new = addition.what
    for name in reversed(around):
        new = New(name, "", children=(new,))
    return _element(content, root, parent, new, value, order)


def _element(content: bytes, root: Element, parent: Element, new: New, value: str, order: Order) -> Splice:
    layout = _layout(content, root, parent)
    start = layout.line(layout.indent)
    text = start + layout.rendered(new, value, layout.indent)
    end = layout.line(_lead(content, parent) or "")
    if _closes_itself(content, parent):
        closing = f"{end}</{_tag(content, parent)}>"
        return Splice(parent.span[1] - 2, parent.span[1], f">{text}{closing}")
    if parent.inner[0] == parent.inner[1]:
        return Splice(parent.inner[0], parent.inner[0], text + end)
    place = place_for(parent, new.name, order.get(parent.name, ()))
    return Splice(place, place, text)


@dataclass(frozen=True)
class _Layout:
    """How the elements below a parent are written; without an indentation all stand in one line."""

    prefix: str
    newline: str
    indent: str | None
    unit: str

    def line(self, indent: str | None) -> str:
        return "" if self.indent is None or indent is None else self.newline + indent

    def rendered(self, new: New, value: str, indent: str | None) -> str:
        """The element as text, its children on lines of their own where there are lines."""
        attributes = "".join(f' {key}="{escape(text.replace(VALUE, value), QUOTES)}"' for key, text in new.attributes)
        name = self.prefix + new.name
        if new.children:
            inner = None if indent is None else indent + self.unit
            parts = "".join(self.line(inner) + self.rendered(child, value, inner) for child in new.children)
            return f"<{name}{attributes}>{parts}{self.line(indent)}</{name}>"
        text = escape(new.text.replace(VALUE, value))
        return f"<{name}{attributes}>{text}</{name}>" if text else f"<{name}{attributes}/>"


def _layout(content: bytes, root: Element, parent: Element) -> _Layout:
    unit = (_lead(content, root.children[0]) if root.children else None) or "  "
    own = _lead(content, parent)
    below = None if own is None else own + unit
    indent = _lead(content, parent.children[0]) if parent.children else below
    return _Layout(_prefix(content, parent), newline_of(content), indent, unit)


def _lead(content: bytes, element: Element) -> str | None:
    """The blanks before an element that begins its line; None where something else stands before it."""
    start = element.span[0]
    lead = content[content.rfind(b"\n", 0, start) + 1 : start]
    return None if lead.strip() else lead.decode("ascii", "ignore")


def _prefix(content: bytes, parent: Element) -> str:
    """The namespace prefix that children of the parent have, with its colon; that of the parent where it has none."""
    own = _prefix_of(content, parent)
    return own if not parent.children or own in (_prefix_of(content, item) for item in parent.children) else ""


def _prefix_of(content: bytes, element: Element) -> str:
    before, colon, _ = _tag(content, element).rpartition(":")
    return before + colon


def _tag(content: bytes, element: Element) -> str:
    found = _TAG.match(content, element.span[0])
    return found[1].decode("utf-8", "replace") if found else element.name


def _closes_itself(content: bytes, element: Element) -> bool:
    return content[element.span[1] - 2 : element.span[1]] == b"/>" and element.inner[0] == element.span[1]
