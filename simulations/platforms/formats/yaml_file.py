"""YAML with line numbers, without aliases, duplicate keys or any tag that makes objects."""

from dataclasses import dataclass
from typing import Any

import yaml

from simulations.platforms.formats.limits import MAX_BYTES, MAX_DEPTH, refuse

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The compiled loader where PyYAML has it; both know plain data only."""


@dataclass(frozen=True)
class Entry:
    """A YAML value: ``value`` is plain data, ``lines`` the line of each leaf by its path of keys and indices."""

    value: Any
    lines: dict[tuple[str | int, ...], int]


def load(content: bytes, file: str) -> Entry:
    """Read one YAML document; raises InvalidInput that names the line for anything that is no plain data."""
    if len(content) > MAX_BYTES:
        raise refuse(file, 0, f"the file has {len(content)} bytes, at most {MAX_BYTES} are read")
    try:
        text = content.decode("utf-8-sig")
        _no_aliases(text, file)
        node = yaml.compose(text, Loader=LOADER)
    except UnicodeDecodeError as error:
        raise refuse(file, 0, "the file is not UTF-8 text") from error
    except RecursionError as error:
        raise refuse(file, 0, "the file is nested too deeply") from error
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise refuse(file, line, f"the file is no YAML: {error.problem}") from error
    except yaml.YAMLError as error:
        raise refuse(file, 0, "the file is no YAML: a character is not allowed") from error
    lines: dict[tuple[str | int, ...], int] = {}
    return Entry(None if node is None else _value(node, (), lines, file), lines)


def _no_aliases(text: str, file: str) -> None:
    for token in yaml.scan(text, Loader=LOADER):
        if isinstance(token, yaml.AnchorToken | yaml.AliasToken):
            raise refuse(file, token.start_mark.line + 1, "anchors and aliases are not read; write the value out")


def _value(node: yaml.Node, path: tuple[str | int, ...], lines: dict[tuple[str | int, ...], int], file: str) -> Any:
    if len(path) > MAX_DEPTH:
        raise refuse(file, node.start_mark.line + 1, f"nested deeper than {MAX_DEPTH} levels")
    lines[path] = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        return _mapping(node, path, lines, file)
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, (*path, index), lines, file) for index, item in enumerate(node.value)]
    return _scalar(node, file)


def _mapping(
    node: yaml.MappingNode, path: tuple[str | int, ...], lines: dict[tuple[str | int, ...], int], file: str
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode):
            raise refuse(file, line, "a key must be plain text")
        key = str(key_node.value)
        if key in found:
            raise refuse(file, line, f"the key {key!r} is written twice")
        found[key] = _value(value_node, (*path, key), lines, file)
        lines[*path, key] = line
    return found


def _scalar(node: yaml.Node, file: str) -> Any:
    loader = yaml.SafeLoader("")
    try:
        return loader.construct_object(node)
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise refuse(file, node.start_mark.line + 1, f"{node.value!r} is no plain value") from error
    finally:
        loader.dispose()
