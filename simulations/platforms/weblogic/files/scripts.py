"""The two spellings of edits, a WLST script in Jython and a Deploy Tooling model in YAML."""

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from simulations.declarations.tables import part
from simulations.platforms.files.patching.jython import Step, jython_script, literal
from simulations.platforms.shared.family import Change, Script, change_lines
from simulations.platforms.weblogic.files.edits import QUOTA, STORE, Edit, Path, edits_of
from simulations.platforms.weblogic.files.names import Label
from simulations.platforms.weblogic.parameters.mdb import MAX_LONG

HELPERS = "\n\n" + part(__file__, "wlst.jy") + "\n"
"""What finds, reads and writes objects, in Jython 2.1."""
HEAD = """# Names in the domain: fill in what is empty; a module may stay empty where only one has the object.
# Where a name is a server's and it has a cluster, repeat the server's settings for each other member."""
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
    if path[0] == "topology" or path[1] == STORE:
        return "ServerValue", (path[1], path[2], path[3:], edit.attribute)
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


Names = Mapping[Label, str]
FILL_IN = "Names that no file tells are variables (-variable_file); repeat a server's settings for each other member"


def domain_scripts(
    changes: tuple[Change, ...], scenario_hash: str, names: Names, refused: Mapping[str, str]
) -> tuple[Script, ...]:
    """Return the WLST script and the Deploy Tooling model; none where they neither write nor refuse a change.
    ``names``: what the imported files call the objects in the domain. ``refused``: paths not to write, and why."""
    mine = tuple(change for change in changes if change.path not in refused and edits_of(change, changes))
    if not mine and not refused:
        return ()
    undo = tuple(change.reverse for change in reversed(mine))
    left_out = tuple(change.path for change in changes if change not in mine)
    comments = [f"Written by Sluice for the scenario {scenario_hash}", *change_lines(mine)]
    reasons = {path: refused.get(path, "not in the domain's configuration") for path in left_out}
    comments += [f"Not written, {reason}: {path}" for path, reason in reasons.items()]
    reasons = reasons if refused else {}
    undoing = [f"Takes back what Sluice wrote for the scenario {scenario_hash}", *change_lines(undo)]
    script = (wlst_text(mine, comments, names), wlst_text(undo, undoing, names))
    model = (_model(mine, comments, names), _model(undo, undoing, names))
    return (
        Script("wlst", "apply.py", *script, left_out, reasons=reasons),
        Script("wdt", "model.yaml", *model, left_out, reasons=reasons),
    )


def _model(changes: tuple[Change, ...], comments: list[str], names: Names) -> str:
    model: dict[str, Any] = {}
    for change in changes:
        for edit in edits_of(change, changes):
            for path, attribute, value in _entries(edit, names):
                _place(model, path, attribute, value, delete=edit.delete and not attribute)
    text = yaml.safe_dump(model, sort_keys=False, allow_unicode=True)
    head = [*comments, *([FILL_IN] if "@@PROP:" in text else [])]
    return "".join(f"# {line}\n" for line in head) + text


def _entries(edit: Edit, names: Names) -> list[tuple[Path, str, Any]]:
    """Path, attribute and value; a model has a quota beside its destination, which names it."""
    path = tuple(_named(part, names) for part in edit.path)
    if edit.path[-1] != QUOTA:
        made = edit.target and not edit.attribute and not edit.delete
        return [(path, "Target", _named(edit.target, names))] if made else [(path, edit.attribute, edit.value)]
    quota = _named(Label(f"quota of {edit.path[-2].partition(' of ')[2]}"), names)
    return [((*path[:4], QUOTA, quota), edit.attribute, edit.value), (path[:-1], QUOTA, None if edit.delete else quota)]


def _named(part: str, names: Names) -> str:
    return names.get(part) or part.variable if isinstance(part, Label) else part


def _place(model: dict[str, Any], path: Path, attribute: str, value: Any, *, delete: bool) -> None:
    """Put an edit into the tree; the tool deletes a name that is written with an exclamation mark."""
    here = model
    for key in path[:-1]:
        here = here.setdefault(key, {})
    if delete:
        here.pop(path[-1], None)
        here[f"!{path[-1]}"] = None
        return
    found = here.setdefault(path[-1], {})
    if attribute:
        found[attribute] = "" if value is None else value
