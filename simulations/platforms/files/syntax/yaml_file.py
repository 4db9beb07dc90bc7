"""YAML with line numbers, without aliases, duplicate keys or any tag that makes objects; models as elements."""

import itertools
import re
from collections.abc import Callable
from typing import Any

import yaml

from simulations.platforms.files.syntax.signatures import CONVERT, other_encoding
from simulations.platforms.files.syntax.tree import MAX_DEPTH, MAX_ELEMENTS, Element, check_size, refuse

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
