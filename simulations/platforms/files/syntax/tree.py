"""Parsed configuration as plain elements with line numbers, and the account of what became of each of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from simulations.declarations.problems import InvalidInput, Problem
from simulations.platforms.shared.family import Understood

MAX_BYTES = 5_000_000
MAX_DEPTH = 60
MAX_ELEMENTS = 100_000
"""Elements, entries or lines of one file, and of all files of an import together."""


def element_count(content: bytes) -> int:
    """Return how many elements, entries or lines a file has at most, without parsing it."""
    return max(content.count(b"<") - content.count(b"</"), content.count(b"\n"), content.count(b": "))


def check_size(content: bytes, file: str) -> None:
    """Raise InvalidInput for a file that is too large."""
    if len(content) > MAX_BYTES:
        raise refuse(file, 0, f"the file has {len(content)} bytes, at most {MAX_BYTES} are read")


def refuse(file: str, line: int, message: str) -> InvalidInput:
    """Return the error that refuses a file, with its name and line; the caller raises it."""
    place = f"{file}:{line}" if line else file
    return InvalidInput([Problem(pointer="", path=place, code="unreadable_file", message=message)])


MAX_TEXT = 60
"""Characters of stray text that are shown."""
DELETED = "!"
"""What stands before the name of an object that a YAML model takes away."""


@dataclass(eq=False)
class Element:
    """An XML element (name without namespace) or a YAML entry (name in small letters with hyphens, ``key`` as written).

    ``span``: bytes of the whole element; ``inner``: bytes between its tags, or of a property's value. Both are empty
    for YAML.
    """

    name: str
    line: int
    key: str = ""
    text: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    children: list["Element"] = field(default_factory=list)
    span: tuple[int, int] = (0, 0)
    inner: tuple[int, int] = (0, 0)
    values: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Attribute -> bytes of its value with the quotes."""
    keyed: bool = False
    """YAML style: the objects of a kind are the children of one entry, each under its own name."""

    def child(self, *path: str) -> "Element | None":
        """Return the first element at the path of names below, or None."""
        here: Element | None = self
        for name in path:
            here = None if here is None else next((item for item in here.children if item.name == name), None)
        return here

    def all(self, *path: str) -> list["Element"]:
        """Return all elements at the path of names below."""
        found = [self]
        for name in path:
            found = [item for parent in found for item in parent.children if item.name == name]
        return found

    def value(self, *path: str) -> str:
        """Return the text at the path below, or an empty text."""
        found = self.child(*path)
        return "" if found is None else found.text

    def named(self, kind: str) -> Iterator[tuple[str, "Element"]]:
        """Yield name and element of each object of a kind, in either style."""
        for item in self.all(kind):
            if self.keyed:
                yield from ((entry.key, entry) for entry in item.children if not entry.key.startswith(DELETED))
            else:
                yield item.value("name") or item.attributes.get("name", ""), item

    def walk(self) -> Iterator["Element"]:
        """Yield this element and everything below it."""
        waiting = [self]
        while waiting:
            item = waiting.pop()
            yield item
            waiting.extend(reversed(item.children))


class Account:
    """What became of each element of one file; whatever nobody took is listed as ignored at the end."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.printed = False
        """Whether a command printed or wrote the file, which is then not changed."""
        self.in_order = False
        """Whether the line that is read takes the place of what the file said before."""
        self.overrides: Callable[[str], bool] = lambda file: False
        """Whether it takes the place of what another file said before."""
        self.lines: list[Understood] = []
        self._taken: set[int] = set()
        self._attributes: set[tuple[int, str]] = set()
        self._below: dict[int, tuple[int, bool]] = {}

    def note(self, status: str, element: Element, path: str, message: str, attribute: str = "") -> None:
        """Add a line about an element (or one attribute of it) and take it off the list of ignored ones."""
        self.lines.append(Understood(status, path, message, self.file, element.line))
        self.take(element, attribute)

    def take(self, element: Element | None, *attributes: str) -> None:
        """Count an element (or some attributes of it) as dealt with without a line of its own, such as a name."""
        if element is None:
            return
        named = {(id(element), attribute) for attribute in attributes if attribute}
        self._attributes |= named
        if not named:
            self._taken.add(id(element))

    def finish(self, root: Element) -> tuple[Understood, ...]:
        """Add a line for everything that nobody took and return all lines in the order of the file."""
        name = root.key or root.name
        if self._measured(root)[1] or not root.children:
            self._ignored(root, name)
        else:  # nothing was understood: then the reader wants to see at least the first level
            for item in root.children:
                self._ignored(item, f"{name}.{item.key or item.name}")
        return tuple(sorted(self.lines, key=lambda item: item.line))

    def _measured(self, element: Element) -> tuple[int, bool]:
        """How many elements are below this one, and whether it or one of them was taken."""
        parts = [self._measured(item) for item in element.children]
        known = self._is_known(element) or any(known for _, known in parts)
        self._below[id(element)] = sum(count + 1 for count, _ in parts), known
        return self._below[id(element)]

    def _ignored(self, element: Element, path: str) -> None:
        count, known = self._below[id(element)]
        if not known:
            message = f"not used, with {count} elements in it" if count else "not used"
            self.lines.append(Understood("ignored", path, message, self.file, element.line))
            return
        unused = [name for name in element.attributes if (id(element), name) not in self._attributes]
        said = [f"not used: {', '.join(unused)}"] if unused else []
        if element.text and element.children:
            said.append(f"the text between its elements is not read: {element.text[:MAX_TEXT]!r}")
        elif element.text and id(element) not in self._taken:
            said.append("not used")
        self.lines += [Understood("ignored", path, message, self.file, element.line) for message in said]
        counted: dict[str, Element] = {}
        for item in element.children:
            if id(item) in self._taken and not item.key:
                counted.setdefault(item.name, item)
            first = counted.get(item.name)
            if first and id(item) not in self._taken and item.text and not first.children and not item.children:
                message = f"{item.text!r} contradicts {first.text!r} of line {first.line}, which counts"
                self.note("contradictory", item, f"{path}.{item.name}", message)
            else:
                self._ignored(item, f"{path}.{item.key or item.name}")

    def _is_known(self, element: Element) -> bool:
        return id(element) in self._taken or any((id(element), name) in self._attributes for name in element.attributes)
