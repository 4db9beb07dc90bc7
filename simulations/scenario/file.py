"""Reading a scenario file: YAML in its harmless form, with the line of everything that is wrong.

Refused are tags, aliases, duplicate keys, NaN and infinity, files over 1 MB and nesting deeper than 30: a file that
people exchange must mean what it shows and cost what it weighs.
"""

import math
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from simulations.declarations.problems import InvalidInput, Problem, short

MAX_BYTES = 1_000_000
MAX_DEPTH = 30


def _refused(problem: str, mark: Any) -> yaml.MarkedYAMLError:
    """Something YAML allows and a scenario file does not."""
    return yaml.MarkedYAMLError(problem=problem, problem_mark=mark)


class _Loader(yaml.SafeLoader):
    """A safe loader that composes nodes one by one, so that each rule sees the line it is broken in."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event: yaml.Event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent):
            raise _refused("aliases (*name) are not allowed; write the value out", event.start_mark)
        if tag := getattr(event, "tag", None):
            raise _refused(f"tags ({tag}) are not allowed; write the plain value", event.start_mark)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _refused(f"nested deeper than {MAX_DEPTH} levels", event.start_mark)
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:  # noqa: FBT001, FBT002 (PyYAML's signature)
        seen = set()
        for key_node, _ in node.value:
            key = key_node.value
            if not isinstance(key_node, yaml.ScalarNode) or key_node.tag == "tag:yaml.org,2002:merge":
                raise _refused("a key must be a plain word", key_node.start_mark)
            if key in seen:
                raise _refused(f"the key {short(key)} is there twice; remove one", key_node.start_mark)
            seen.add(key)
        return super().construct_mapping(node, deep)


def _finite(loader: _Loader, node: yaml.ScalarNode) -> float:
    value = loader.construct_yaml_float(node)
    if not math.isfinite(value):
        raise _refused(f"{node.value} is not a number that can be used", node.start_mark)
    return value


def _as_text(loader: _Loader, node: yaml.ScalarNode) -> str:
    """Dates stay texts: nothing in a scenario is a date."""
    return loader.construct_scalar(node)


_Loader.add_constructor("tag:yaml.org,2002:float", _finite)
_Loader.add_constructor("tag:yaml.org,2002:timestamp", _as_text)


def read_yaml(text: str, *, name: str = "input") -> Any:
    """Return the values of a YAML text; raises InvalidInput that says what is wrong in which line of ``name``."""
    try:
        # The loader is a SafeLoader with more refusals.
        return yaml.load(text, Loader=_Loader)  # noqa: S506 # nosec B506
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{name}, line {mark.line + 1}, column {mark.column + 1}" if mark else name
        what = ", ".join(filter(None, (error.context, error.problem))) or "not understood"
        raise _refusal(where, "not_yaml", f"not readable as YAML: {what}") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        what = str(error).partition("\n")[0]
        raise _refusal(name, "not_yaml", f"not readable as YAML: {what}") from error


def read_scenario_file(path: Path) -> Any:
    """Return the body in a scenario file; raises InvalidInput when the file is missing, too large or not YAML."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise _refusal(path, "unreadable", error.strerror or "cannot be read") from error
    if len(content) > MAX_BYTES:
        raise _refusal(path, "too_large", f"the file is larger than {MAX_BYTES} bytes; a scenario has a few thousand")
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise _refusal(path, "not_text", f"the file is not UTF-8 text (byte {error.start}); is it YAML?") from error
    return read_yaml(text, name=path.name)


def _refusal(place: str | Path, code: str, message: str) -> InvalidInput:
    return InvalidInput([Problem("", str(place), code, message)])
