"""YAML without aliases, duplicate keys and tags that make objects, Java properties, and plain lines, as elements."""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import yaml

from simulations.platforms.files.syntax.signatures import CONVERT, other_encoding
from simulations.platforms.files.syntax.splices import Splice, newline_of
from simulations.platforms.files.syntax.tree import MAX_DEPTH, MAX_ELEMENTS, Element, check_size, refuse
from simulations.platforms.shared.spots import Addition, New

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The compiled loader where PyYAML has it; both know plain data only."""
OPENING = (yaml.FlowSequenceStartToken, yaml.FlowMappingStartToken)
CLOSING = (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken)
TOKENS = 6
"""Most tokens of one entry: key, value, what stands before them, and the ends of blocks."""
MISFITS = (ValueError, OverflowError, KeyError, IndexError, AttributeError)
"""What PyYAML raises where a tag says another type than the text has: a truth, a date or a number that is none."""

Path = tuple[str | int, ...]
ROOT = -1
"""Where the model itself begins: before its first key."""
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_DELETION = re.compile(r"!\w[\w.-]*:$")
"""An entry that a model takes away, written without quotes: YAML takes its name for a tag."""
COMMENT = ("#", "!")
"""How a line of properties begins that says nothing."""
_SEPARATOR = re.compile(r"(?<!\\)[=:]|(?<!\\)[ \t\f]+")


def load(content: bytes, file: str) -> "Entry":
    """Read one YAML document; raises InvalidInput that names the line for anything that is no plain data."""
    check_size(content, file)
    try:
        text = content.decode("utf-8-sig")
        _check_tokens(text, file)
        node = yaml.compose(text, Loader=LOADER)
    except UnicodeDecodeError as error:
        message = other_encoding(content) or f"the file is not UTF-8 text; {CONVERT}"
        raise refuse(file, 0, message) from error
    except RecursionError as error:
        raise refuse(file, 0, "the file is nested too deeply") from error
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise refuse(file, line, f"the file is no YAML: {error.problem}") from error
    except yaml.YAMLError as error:
        raise refuse(file, 0, "the file is no YAML: a character is not allowed") from error
    return Entry(node, file, _bytes_of(text, len(content) - len(text.encode())))


def _bytes_of(text: str, before: int) -> Callable[[int], int]:
    """Return what turns the position of a character into that of its first byte, ``before`` bytes later."""
    if text.isascii():
        return lambda position: before + position
    starts = list(itertools.accumulate((len(letter.encode()) for letter in text), initial=before))
    return starts.__getitem__


def _check_tokens(text: str, file: str) -> None:
    """Refuse aliases, and what costs much before anything else can: the parser takes its time for deep brackets."""
    depth = 0
    for count, token in enumerate(yaml.scan(text, Loader=LOADER)):
        line = token.start_mark.line + 1
        depth += isinstance(token, OPENING) - isinstance(token, CLOSING)
        if isinstance(token, yaml.AnchorToken | yaml.AliasToken):
            raise refuse(file, line, "anchors and aliases are not read; write the value out")
        if depth > MAX_DEPTH:
            raise refuse(file, line, f"nested deeper than {MAX_DEPTH} levels")
        if count > TOKENS * MAX_ELEMENTS:
            raise refuse(file, line, f"more than {MAX_ELEMENTS} entries")


class Entry:
    """A YAML value: ``value`` is plain data, ``lines`` the line of each leaf by its path of keys and indices."""

    def __init__(self, node: yaml.Node | None, file: str, byte: Callable[[int], int]) -> None:
        self.lines: dict[Path, int] = {}
        self.spans: dict[Path, tuple[int, int, int]] = {}
        """First byte of the key (of the value in a list), first byte of the value, and the one behind it."""
        self._file, self._byte = file, byte
        self.value = None if node is None else self._value(node, ())

    def _value(self, node: yaml.Node, path: Path, key: yaml.Node | None = None) -> Any:
        """The plain data of a node; a node in a mapping begins where its key does."""
        if len(path) > MAX_DEPTH:
            raise refuse(self._file, node.start_mark.line + 1, f"nested deeper than {MAX_DEPTH} levels")
        first = key or node
        if len(self.lines) >= MAX_ELEMENTS:
            raise refuse(self._file, first.start_mark.line + 1, f"more than {MAX_ELEMENTS} entries")
        self.lines[path] = first.start_mark.line + 1
        begin, inner, end = (mark.index for mark in (first.start_mark, node.start_mark, node.end_mark))
        self.spans[path] = self._byte(begin), self._byte(inner), self._byte(end)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.ScalarNode) and not node.value and _DELETION.match(node.tag):
            name = node.tag.removesuffix(":")
            self.lines[*path, name] = node.start_mark.line + 1
            return {name: None}
        if isinstance(node, yaml.SequenceNode):
            return [self._value(item, (*path, index)) for index, item in enumerate(node.value)]
        return _scalar(node, self._file)

    def _mapping(self, node: yaml.MappingNode, path: Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                raise refuse(self._file, line, "a key must be plain text")
            key = str(key_node.value)
            if key in found:
                raise refuse(self._file, line, f"the key {key!r} is written twice")
            found[key] = self._value(value_node, (*path, key), key_node)
        return found


def _scalar(node: yaml.Node, file: str) -> Any:
    loader = yaml.SafeLoader("")
    try:
        return loader.construct_object(node)
    except (yaml.YAMLError, *MISFITS) as error:
        raise refuse(file, node.start_mark.line + 1, f"{node.value[:80]!r} is no plain value") from error
    finally:
        loader.dispose()


def load_tree(content: bytes, file: str) -> Element:
    """Read a model as the root of a tree, the same that XML becomes; raises InvalidInput as ``load`` does."""
    entry = load(content, file)
    root = _element("model", entry.value, (), entry)
    root.span = (ROOT, root.span[1])
    return root


def hyphenated(name: str) -> str:
    """Return a name of the vendor's objects and attributes as its files write it, ``JNDIName`` as ``jndi-name``."""
    return _CAPITAL.sub("-", name).lower()


def _element(key: str, value: Any, path: Path, entry: Entry) -> Element:
    """Return a YAML value as an element; keys become names in small letters with hyphens."""
    start, inner, end = entry.spans.get(path, (0, 0, 0))
    element = Element(
        hyphenated(key), entry.lines.get(path, 1), key=key, keyed=True, span=(start, end), inner=(inner, end)
    )
    if isinstance(value, dict):
        element.children = [_element(name, item, (*path, name), entry) for name, item in value.items()]
    elif isinstance(value, list):
        element.children = [_element(str(i), item, (*path, i), entry) for i, item in enumerate(value)]
    elif value is not None:
        element.text = str(value).lower() if isinstance(value, bool) else str(value)
    return element


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
    for line, text in joined(((line, text.strip()) for line, text in lines_of(content, file)), _goes_on):
        if not text or text.startswith(COMMENT):
            continue
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


def joined(
    lines: Iterable[tuple[int, str]], goes_on: Callable[[str], bool], between: str = ""
) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line, those that go on joined and numbered as their first; ``between`` takes the
    place of the last character, which says that a line goes on. ``goes_on`` gets all that is joined so far."""
    start, whole = 0, ""
    for number, text in lines:
        start, whole = start if whole else number, whole + text
        if goes_on(whole):
            whole = whole[:-1] + between
        else:
            yield start, whole
            whole = ""
    if whole:
        yield start, whole


def _goes_on(text: str) -> bool:
    """Whether a property goes on in the next line: it ends in an odd number of backslashes, and is no comment."""
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1 and not text.startswith(COMMENT)


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
