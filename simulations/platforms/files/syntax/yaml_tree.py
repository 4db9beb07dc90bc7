"""A YAML model as elements: the same tree that XML becomes."""

import re
from typing import Any

from simulations.platforms.files.syntax.tree import Element
from simulations.platforms.files.syntax.yaml_file import Entry, Path

ROOT = -1
"""Where the model itself begins: before its first key."""
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def tree_of(entry: Entry) -> Element:
    """Return the model as the root of a tree."""
    root = _element("model", entry.value, (), entry)
    root.span = (ROOT, root.span[1])
    return root


def _element(key: str, value: Any, path: Path, entry: Entry) -> Element:
    """Return a YAML value as an element; keys become names in small letters with hyphens."""
    start, inner, end = entry.spans.get(path, (0, 0, 0))
    name = _CAPITAL.sub("-", key).lower()
    element = Element(name, entry.lines.get(path, 1), key=key, keyed=True, span=(start, end), inner=(inner, end))
    if isinstance(value, dict):
        element.children = [_element(name, item, (*path, name), entry) for name, item in value.items()]
    elif isinstance(value, list):
        element.children = [_element(str(i), item, (*path, i), entry) for i, item in enumerate(value)]
    elif value is not None:
        element.text = str(value).lower() if isinstance(value, bool) else str(value)
    return element
