"""Shell scripts for command lines: a plan of every value first, then all changes or none, read back afterwards."""

import re
from collections.abc import Callable, Mapping

from simulations.platforms.shared.changes import Change
from simulations.platforms.shared.family import Script

Value = tuple[str, str, str, str]
"""Scenario path, object and key as shell words, and the value as text."""
Values = Callable[[tuple[Change, ...]], list[Value]]
"""Changes -> what the tool sets for those that it can make."""
_PLAIN = re.compile(r"[A-Za-z0-9_.:/=,+@%-]+")
HEAD = """set -u
APPLY=0  # 1: make the changes; 0: show the plan and change nothing
ANYWAY=0  # 1: also change what has another value than the expected one"""
RUNNER = r"""
step() {  # path, object, key, expected, wanted
    n=$((n + 1))
    case $pass in
    plan)
        present=$(held "$2" "$3")
        eval "present_$n=\$present"
        word=ok
        [ "$present" = "$4" ] || { word=DIFFERS; different=$((different + 1)); }
        case $present$3 in "$3") case $3 in *property.*) ;; *) word=STOP; missing=$((missing + 1)) ;; esac ;; esac
        echo "$word $1 ($2 $3): present '$present', expected '$4', wanted '$5'" ;;
    apply) [ "$failed" -gt 0 ] || make "$2" "$3" "$5" || failed=$n ;;
    revert)
        [ "$n" -gt "$failed" ] && return
        eval "present=\$present_$n"
        make "$2" "$3" "$present" || left=$((left + 1)) ;;
    verify) [ "$(held "$2" "$3")" = "$5" ] || { echo "$1 reads back with another value"; left=$((left + 1)); } ;;
    esac
}
pass_over() { pass=$1; n=0; steps; }
missing=0 different=0 failed=0 left=0
pass_over plan
if [ "$missing" -gt 0 ] || { [ "$different" -gt 0 ] && [ "$ANYWAY" != 1 ]; }; then
    echo "Nothing is changed: $missing missing, $different with another value."
    exit 1
elif [ "$APPLY" != 1 ]; then
    echo "Nothing is changed: this was the plan. Set APPLY=1 at the head to make the changes."
    exit 0
fi
pass_over apply
if [ "$failed" -gt 0 ]; then
    pass_over revert
    echo "FAILED at change $failed: those before it are taken back, $left could not be; the undo script does that."
    exit 1
fi
pass_over verify
[ "$left" = 0 ] || exit 1
echo "All changes are made and read back. The undo script takes them back."
"""


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
    apply = _text(values(mine), values(undo), helpers, [titles[0], *_listed(mine, left_out)], names)
    back = _text(values(undo), values(mine), helpers, [titles[1], *_listed(undo, ())], names)
    return Script(tool, f"{tool}.sh", apply, back, left_out)


def _listed(changes: tuple[Change, ...], left_out: tuple[str, ...]) -> list[str]:
    listed = [f"{change.path}: {change.before} -> {change.after}" for change in changes]
    return [*listed, *(f"Not written, not a setting of this tool: {path}" for path in left_out)]


def _text(new: list[Value], old: list[Value], helpers: str, comments: list[str], names: Mapping[str, str]) -> str:
    expected = {(entity, key): value for _, entity, key, value in old}
    steps = [
        f"    step {argument(path)} {entity} {key} {argument(expected[entity, key])} {argument(value)}"
        for path, entity, key, value in new
    ]
    used = [name for name in names if any(f'"${name}"' in entity or f':${name}"' in entity for _, entity, _, _ in new)]
    head = [f"{name}={argument(names[name]) if names[name] else ''}  # name of the object" for name in used]
    checks = [f': "${{{name}:?fill it in at the head}}"' for name in used]
    lines = [*(f"# {line}" for line in comments), HEAD, *head, *checks, helpers, "steps() {", *steps, "}", RUNNER]
    return "\n".join(["#!/bin/sh", *lines])
