"""A log of arrivals as a text: one instant to a line, or the messages of equal intervals."""

import csv
import math
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from simulations.declarations.problems import InvalidInput, Problem, short

_ROUNDING = 1e-6
"""Intervals that differ by less, relative to their length, are equal."""


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
