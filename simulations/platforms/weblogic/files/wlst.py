"""Edits as a WLST script: what it looks up, the value that each object has to have, and the one that it gets."""

from collections.abc import Iterator, Mapping
from typing import Any

from simulations.platforms.files.patching.jython import Step, jython_script, literal
from simulations.platforms.files.patching.script_parts import part
from simulations.platforms.shared.family import Change
from simulations.platforms.weblogic.files.edits import QUOTA, Edit, edits_of
from simulations.platforms.weblogic.files.names import Label
from simulations.platforms.weblogic.parameters.mdb import MAX_LONG

HELPERS = "\n\n" + part(__file__, "wlst.jy") + "\n"
"""What finds, reads and writes objects, in Jython 2.1."""
HEAD = "# Names in the domain: fill in what is empty; a module may stay empty where only one has the object."
NO_QUOTA = (None, MAX_LONG)
"""What a destination has when nothing limits it."""


def wlst_text(changes: tuple[Change, ...], comments: list[str], names: Mapping[Label, str]) -> str:
    """Return the script that makes the changes. ``names``: what is called how in the domain."""
    steps = list(_steps(changes, names))
    used = {part for step in steps for part in step.at if isinstance(part, Label)}
    known = [f"    {literal(str(label))}: {literal(names.get(label, label.assumed))}," for label in sorted(used)]
    head = (HEAD, "NAMES = {", *known, "}")
    return jython_script([*comments, "Run with: wlst.sh <this file>"], head, HELPERS, steps)


def _steps(changes: tuple[Change, ...], names: Mapping[Label, str]) -> Iterator[Step]:
    undo = tuple(change.reverse for change in reversed(changes))
    held = {(edit.path, edit.attribute): edit for change in undo for edit in edits_of(change, undo)}
    made = set[tuple[Any, ...]]()
    for change in changes:
        for edit in edits_of(change, changes):
            key = (edit.path, edit.attribute)
            if key not in made:
                made.add(key)
                kind, at = _found_by(edit, names)
                yield Step(change.path, kind, at, _expected(edit, held.get(key)), _wanted(edit))


def _wanted(edit: Edit) -> Any:
    if edit.attribute:
        return edit.value
    return None if edit.delete else edit.path[-1]


def _expected(edit: Edit, taken_back: Edit | None) -> tuple[Any, ...]:
    """What taking the edit back sets is what is there now."""
    if taken_back is not None and (edit.attribute or edit.path[-1] != QUOTA):
        return (_wanted(taken_back),)
    if edit.path[-1] != QUOTA:
        return (None,)
    return (*NO_QUOTA, edit.value) if edit.attribute else ("limits",)


def _found_by(edit: Edit, names: Mapping[Label, str]) -> tuple[str, tuple[Any, ...]]:
    """The script's class for an edit, and what it finds the object by."""
    path = edit.path
    if path[0] == "topology":
        return "ServerValue", (path[2], path[3:], edit.attribute)
    if path[1] == "SelfTuning":
        return "Tuned", (path[2], path[3], edit.target, edit.attribute)
    module, (kind, name, part) = path[2], path[-3:]
    kinds: tuple[str, ...] = (kind,)
    if isinstance(kind, Label):
        known = kind.partition(" of ")[0]
        kinds = (names[kind],) if names.get(kind) else (known, f"UniformDistributed{known}")
    if part == QUOTA:
        return "Quota", (kinds, name, module, edit.target, edit.attribute)
    return "Messaging", (kinds, name, module, part, edit.attribute)
