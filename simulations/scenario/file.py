"""Reading a scenario file, YAML in its harmless form, with the line of all that is wrong; and a log of arrivals.

Refused are tags, aliases, duplicate keys, NaN and infinity, files over 1 MB and nesting deeper than 30: a file that
people exchange must mean what it shows and cost what it weighs.
"""

import csv
import math
from collections.abc import Hashable, Iterable
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

from simulations.declarations.problems import InvalidInput, Problem, short

MAX_BYTES = 1_000_000
MAX_DEPTH = 30
_ROUNDING = 1e-6
"""Intervals that differ by less, relative to their length, are equal."""


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


_Loader.add_constructor("tag:yaml.org,2002:float", _finite)
_Loader.add_constructor("tag:yaml.org,2002:timestamp", lambda _, node: node.value)  # nothing in a scenario is a date


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


def arrivals_in(text: str, name: str) -> dict[str, Any]:
    """Return the body of the arrivals that a log tells: a ``trace`` of its instants, or its ``counts`` by interval.

    The first column holds instants, in seconds or ISO 8601 (UTC without a zone), in any order; the earliest is the
    start. A second column holds the messages of the interval that begins there; intervals are equally long. A first
    line without a number is a heading. Raises InvalidInput, which names ``name`` and the line.
    """
    rows = [(number, row) for number, row in enumerate(csv.reader(text.splitlines()), start=1) if any(row)]
    if rows and math.isnan(_instant(rows[0][1][0])):
        rows = rows[1:]
    if not rows:
        raise _wrong(name, 1, "no instant is there; write one to a line")
    instants = [_read(name, number, row[0], _instant(row[0])) for number, row in rows]
    if all(len(row) == 1 for _, row in rows):
        start = min(instants)
        return {"kind": "trace", "source": sorted(instant - start for instant in instants)}
    return _counted(name, rows, instants)


def _counted(name: str, rows: Iterable[tuple[int, list[str]]], instants: list[float]) -> dict[str, Any]:
    counts = []
    for number, row in rows:
        text = row[1] if len(row) > 1 else ""
        count = _number(text)
        if count < 0 or not count.is_integer():
            raise _wrong(name, number, f"{short(text)} is no number of messages")
        counts.append(round(count))
    pairs = sorted(zip(instants, counts, strict=True))
    steps = [later[0] - earlier[0] for earlier, later in pairwise(pairs)]
    if not steps or steps[0] <= 0 or max(steps) - min(steps) > _ROUNDING * steps[0]:
        message = "counts need at least two intervals, all equally long; write an interval without messages"
        raise _wrong(name, 1, message)
    return {"kind": "counts", "every": steps[0], "counts": [count for _, count in pairs]}


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _instant(text: str) -> float:
    """Seconds, or nan where the text is no instant."""
    number = _number(text)
    if not math.isnan(number):
        return number
    try:
        at = datetime.fromisoformat(text.strip())
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return math.nan


def _read(name: str, line: int, text: str, value: float) -> float:
    if not math.isfinite(value):
        raise _wrong(name, line, f"{short(text)} is not understood; write seconds, or an instant of ISO 8601")
    return value


def _wrong(name: str, line: int, message: str) -> InvalidInput:
    return InvalidInput([Problem("", f"{name}, line {line}", "log", message)])
