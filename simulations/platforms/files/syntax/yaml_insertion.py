"""Values and new entries in a YAML file of plain mappings: comments, indentation and style of the rest stay."""

import re

from simulations.platforms.files.syntax.splices import Splice, newline_of
from simulations.platforms.files.syntax.tree import Element, refuse
from simulations.platforms.shared.spots import VALUE, Addition, New, Place

SECTIONS = ("resources",)
_PLAIN = re.compile(r"-?[A-Za-z0-9_][A-Za-z0-9_./-]*")


def yaml_replaced(content: bytes, place: Place, text: str) -> Splice:
    """Return the splice for another value, quoted as the old one is."""
    quote = content[place.start : place.start + 1]
    written = _quoted(text) if quote == b"'" else _scalar(text)
    return Splice(place.start, place.end, f'"{text}"' if quote == b'"' and _PLAIN.fullmatch(text) else written)


def yaml_splice(content: bytes, root: Element, addition: Addition, value: str) -> Splice:
    """Return the splice that adds an entry; raises InvalidInput where nothing can be added."""
    if not isinstance(addition.what, New):
        raise TypeError(f"a model takes entries, not {addition.what!r}")
    parent = next(item for item in root.walk() if item.span[0] == addition.parent)
    new = _entry(addition.what, value)
    for name in reversed(addition.around):
        new = (_key(name), [new])
    while isinstance(new[1], list) and (inside := [item for item in parent.children if item.key == new[0]]):
        parent, new = inside[0], new[1][0]
    return _added(content, root, parent, new)


Pair = tuple[str, "str | list[Pair]"]


def _entry(new: New, value: str) -> Pair:
    """The new object as key and value; one with a name is an entry of that name below its kind."""
    children = [_entry(child, value) for child in new.children]
    name = dict(new.attributes).get("name")
    if name is not None:
        return _key(new.name), [(_scalar(name), children)]
    return _key(new.name), children or _scalar(new.text.replace(VALUE, value))


def _key(name: str) -> str:
    """A model's own sections are small; what WebLogic has inside them is not."""
    return name if name in SECTIONS else "".join(part[:1].upper() + part[1:] for part in name.split("-"))


def _added(content: bytes, root: Element, parent: Element, new: Pair) -> Splice:
    start, end = parent.inner
    if content[start : start + 1] == b"{":
        place = parent.children[-1].inner[1] if parent.children else start + 1
        return Splice(place, place, (", " if parent.children else "") + _flow(new))
    if not parent.children and end > start:
        raise refuse("", parent.line, "the entry has a value where a mapping is needed")
    unit = _unit(content, root)
    indent = _column(content, parent.children[0]) if parent.children else _column(content, parent) + unit
    place = _line_end(content, _last(content, parent))
    newline = newline_of(content)
    return Splice(place, place, "".join(newline + line for line in _block(new, indent, unit)))


def _flow(new: Pair) -> str:
    key, value = new
    return f"{key}: {value}" if isinstance(value, str) else f"{key}: {{{', '.join(map(_flow, value))}}}"


def _block(new: Pair, indent: int, unit: int) -> list[str]:
    key, value = new
    if isinstance(value, str):
        return [f"{' ' * indent}{key}: {value}"]
    return [f"{' ' * indent}{key}:", *(line for item in value for line in _block(item, indent + unit, unit))]


def _last(content: bytes, element: Element) -> int:
    """Byte behind the last value of a block."""
    while element.children and content[element.inner[0] : element.inner[0] + 1] not in (b"{", b"["):
        element = element.children[-1]
    return element.inner[1]


def _line_end(content: bytes, position: int) -> int:
    """Byte behind the text of the line that ends or goes on at the position; a block of text ends in its line end."""
    if content[position - 1 : position] == b"\n":
        position -= 1
    found = content.find(b"\n", position)
    end = len(content) if found < 0 else found
    return end - 1 if content[end - 1 : end] == b"\r" else end


def _column(content: bytes, element: Element) -> int:
    return element.span[0] - content.rfind(b"\n", 0, element.span[0]) - 1


def _unit(content: bytes, root: Element) -> int:
    """Blanks by which the file indents."""
    for item in root.children:
        if item.children and content[item.inner[0] : item.inner[0] + 1] not in (b"{", b"["):
            return max(1, _column(content, item.children[0]) - _column(content, item))
    return 2


def _scalar(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else _quoted(text)


def _quoted(text: str) -> str:
    doubled = text.replace("'", "''")
    return f"'{doubled}'"
