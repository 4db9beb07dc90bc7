"""The two spellings of edits: a WLST script in Jython and a Deploy Tooling model in YAML."""

from collections.abc import Mapping
from typing import Any

import yaml

from simulations.platforms.shared.family import Change, Script
from simulations.platforms.weblogic.files.edits import QUOTA, Edit, Path, edits_of
from simulations.platforms.weblogic.files.names import Label
from simulations.platforms.weblogic.files.wlst import wlst_text

Names = Mapping[Label, str]
FILL_IN = "Names that the imported files do not tell are variables: the tool takes them from -variable_file"


def domain_scripts(
    changes: tuple[Change, ...], scenario_hash: str, names: Names, refused: Mapping[str, str]
) -> tuple[Script, ...]:
    """Return the WLST script and the Deploy Tooling model; none when no change is in the domain's configuration.

    ``names``: what the imported files call the objects in the domain. ``refused``: paths not to write, and why.
    """
    mine = tuple(change for change in changes if change.path not in refused and edits_of(change, changes))
    if not mine:
        return ()
    undo = tuple(change.reverse for change in reversed(mine))
    left_out = tuple(change.path for change in changes if change not in mine)
    comments = [f"Written by Sluice for the scenario {scenario_hash}", *_listed(mine)]
    reasons = {path: refused.get(path, "not in the domain's configuration") for path in left_out}
    comments += [f"Not written, {reason}: {path}" for path, reason in reasons.items()]
    reasons = reasons if refused else {}
    undoing = [f"Takes back what Sluice wrote for the scenario {scenario_hash}", *_listed(undo)]
    script = (wlst_text(mine, comments, names), wlst_text(undo, undoing, names))
    model = (_model(mine, comments, names), _model(undo, undoing, names))
    return (
        Script("wlst", "apply.py", *script, left_out, reasons=reasons),
        Script("wdt", "model.yaml", *model, left_out, reasons=reasons),
    )


def _listed(changes: tuple[Change, ...]) -> list[str]:
    return [f"{change.path}: {_short(change.before)} -> {_short(change.after)}" for change in changes]


def _short(value: Any) -> str:
    """A value for a comment; lists are named by their length."""
    return f"{len(value)} declared" if isinstance(value, tuple) else str(value)


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
