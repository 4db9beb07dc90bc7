"""Shell scripts for command lines: a plan of every value first, then all changes or none, read back afterwards."""

from collections.abc import Callable, Mapping
from shlex import quote

from simulations.declarations.tables import part
from simulations.platforms.shared.family import Change, Script, change_lines

Value = tuple[str, str, str, str]
"""Scenario path, object and key as shell words, and the value as text."""
Values = Callable[[tuple[Change, ...]], list[Value]]
"""Changes -> what the tool sets for those that it can make."""
HEAD = part(__file__, "head.sh")
RUNNER = "\n" + part(__file__, "runner.sh") + "\n"


def plain(value: object, factor: float = 1.0) -> str:
    """Write a value as the tools do: whole numbers without a point, booleans in small letters."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        number = value * factor
        return str(round(number)) if number == round(number) else f"{number:.10g}"
    return str(value)


def shell_script(
    tool: str, changes: tuple[Change, ...], values: Values, helpers: str, scenario_hash: str, names: Mapping[str, str]
) -> Script | None:
    """Return the script for the changes that ``tool`` can make, or None when there is none.

    ``helpers``: the functions ``held`` (object, key) and ``make`` (object, key, value), and what they need.
    ``names``: variables that values use, with what the vendor calls the object; the empty ones are to be filled in.
    """
    mine = tuple(change for change in changes if values((change,)))
    if not mine:
        return None
    undo = tuple(change.reverse for change in reversed(mine))
    left_out = tuple(change.path for change in changes if change not in mine)
    titles = (f"Written by Sluice for the scenario {scenario_hash}", f"Takes back the scenario {scenario_hash}")
    silent = [f"Not written, not a setting of this tool: {path}" for path in left_out]
    apply = _text(values(mine), values(undo), helpers, [titles[0], *change_lines(mine), *silent], names)
    back = _text(values(undo), values(mine), helpers, [titles[1], *change_lines(undo)], names)
    return Script(tool, f"{tool}.sh", apply, back, left_out)


def _text(new: list[Value], old: list[Value], helpers: str, comments: list[str], names: Mapping[str, str]) -> str:
    expected = {(entity, key): value for _, entity, key, value in old}
    steps = [
        f"    step {quote(path)} {entity} {key} {quote(expected[entity, key])} {quote(value)}"
        for path, entity, key, value in new
    ]
    used = [name for name in names if any(f'"${name}"' in entity or f':${name}"' in entity for _, entity, _, _ in new)]
    head = [f"{name}={quote(names[name]) if names[name] else ''}  # name of the object" for name in used]
    checks = [f': "${{{name}:?fill it in at the head}}"' for name in used]
    lines = [*(f"# {line}" for line in comments), HEAD, *head, *checks, helpers, "steps() {", *steps, "}", RUNNER]
    return "\n".join(["#!/bin/sh", *lines])
