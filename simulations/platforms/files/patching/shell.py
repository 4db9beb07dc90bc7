"""Command lines for a shell: a header, and one line per changed setting, with arguments that need no quoting."""

import re
from collections.abc import Callable

from simulations.platforms.shared.changes import Change
from simulations.platforms.shared.family import Script

Lines = Callable[[tuple[Change, ...]], list[str]]
"""Changes -> the commands for those that the tool can make."""
_PLAIN = re.compile(r"[A-Za-z0-9_.:/=,+@%-]+")


def argument(text: str) -> str:
    """Return ``text`` as one shell argument; single quotes keep every character as it is."""
    return text if _PLAIN.fullmatch(text) else "'" + text.replace("'", "'\"'\"'") + "'"


def plain(value: object, factor: float = 1.0) -> str:
    """Write a value as the tools do: whole numbers without a point, booleans in small letters."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        number = value * factor
        return str(round(number)) if number == round(number) else f"{number:.10g}"
    return str(value)


def shell_script(tool: str, changes: tuple[Change, ...], lines: Lines, scenario_hash: str) -> Script | None:
    """Return the commands of ``tool`` for the changes it can make, or None when there is none."""
    mine = tuple(change for change in changes if lines((change,)))
    if not mine:
        return None
    undo = tuple(change.reverse for change in reversed(mine))
    left_out = tuple(change.path for change in changes if change not in mine)
    return Script(
        tool,
        f"{tool}.sh",
        _text(mine, lines, f"Written by Sluice for the scenario {scenario_hash}", left_out),
        _text(undo, lines, f"Takes back what Sluice wrote for the scenario {scenario_hash}", ()),
        left_out=left_out,
    )


def _text(changes: tuple[Change, ...], lines: Lines, title: str, left_out: tuple[str, ...]) -> str:
    listed = [f"# {change.path}: {change.before} -> {change.after}" for change in changes]
    listed += [f"# Not written, not a setting of this tool: {path}" for path in left_out]
    return "\n".join(["#!/bin/sh", f"# {title}", *listed, "set -e", *lines(changes), ""])
