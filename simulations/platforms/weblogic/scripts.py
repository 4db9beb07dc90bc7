"""The two spellings of edits: a WLST script in Jython and a Deploy Tooling model in YAML."""

from typing import Any

import yaml

from simulations.platforms.base import Script
from simulations.platforms.changes import Change
from simulations.platforms.weblogic.edits import Edit, edits_of

WLST_HELPERS = '''
def enter(path, names):
    """Go to a configuration object and create what is missing on the way."""
    cd('/')
    domain = cmo.getName()
    for kind, name in zip(path, names):
        name = name or domain
        if getMBean(kind + '/' + name) is None:
            create(name, kind)
        cd(kind + '/' + name)


def reference(path, names):
    """The configuration object itself, for attributes that refer to one."""
    enter(path, names)
    return cmo


connect()
edit()
startEdit()
'''
FOOTER = "save()\nactivate()"
PLURALS = {
    "WorkManager": "WorkManagers",
    "MaxThreadsConstraint": "MaxThreadsConstraints",
    "MinThreadsConstraint": "MinThreadsConstraints",
    "Capacity": "Capacities",
    "FairShareRequestClass": "FairShareRequestClasses",
    "ResponseTimeRequestClass": "ResponseTimeRequestClasses",
    "Server": "Servers",
    "JMSSystemResource": "JMSSystemResources",
    "JmsResource": "JMSResource",
    "ConnectionFactory": "ConnectionFactories",
    "Queue": "Queues",
    "Topic": "Topics",
}


def wlst_script(changes: tuple[Change, ...], scenario_hash: str) -> Script | None:
    """Return the WLST script, or None when no change is part of the domain's configuration."""
    if not any(edits_of(change) for change in changes):
        return None
    undo = tuple(change.reverse for change in reversed(changes))
    return Script(
        "wlst",
        "apply.py",
        _wlst(changes, f"Written by Sluice for the scenario {scenario_hash}"),
        _wlst(undo, f"Takes back what Sluice wrote for the scenario {scenario_hash}"),
    )


def model_script(changes: tuple[Change, ...], scenario_hash: str) -> Script | None:
    """Return the Deploy Tooling model, or None when no change is part of the domain's configuration."""
    if not any(edits_of(change) for change in changes):
        return None
    undo = tuple(change.reverse for change in reversed(changes))
    title = f"# Written by Sluice for the scenario {scenario_hash}\n"
    return Script("wdt", "model.yaml", title + _model(changes), title + "# Takes the changes back\n" + _model(undo))


def _wlst(changes: tuple[Change, ...], title: str) -> str:
    header = [f"# {title}", "# Run with: wlst.sh <this file>; check the names of JMS modules and factories first"]
    body: list[str] = []
    for change in changes:
        edits = edits_of(change)
        header.append(f"# {change.path}" if edits else f"# Not in the domain's configuration: {change.path}")
        body.extend(_statement(edit) for edit in edits)
    return "\n".join([*header, WLST_HELPERS, *body, FOOTER, ""])


def _statement(edit: Edit) -> str:
    kinds, names = _wlst_path(edit)
    target = f"{kinds!r}, {names!r}"
    if edit.delete:
        return f"enter({kinds[:-1]!r}, {names[:-1]!r}); delete({names[-1]!r}, {kinds[-1]!r})"
    if not edit.attribute:
        return f"enter({target})"
    if edit.attribute in PLURALS:
        if edit.value is None:
            return f"enter({target}); cmo.set{edit.attribute}(None)"
        path = _wlst_path(Edit(("resources", "SelfTuning", edit.attribute, str(edit.value))))
        return f"found = reference({path[0]!r}, {path[1]!r}); enter({target}); cmo.set{edit.attribute}(found)"
    return f"enter({target}); set({edit.attribute!r}, {edit.value!r})"


def _wlst_path(edit: Edit) -> tuple[list[str], list[str]]:
    """Folders and names from the root of the domain; folders without a name of their own take the one above."""
    parts = list(edit.path[1:])
    kinds: list[str] = []
    names: list[str] = []
    while parts:
        kind = parts.pop(0)
        named = kind not in ("SelfTuning", "JmsResource") and bool(parts)
        above = names[-1] if names else ""
        kinds.append(PLURALS.get(kind, kind))
        names.append(parts.pop(0) if named else above)
    return kinds, names


def _model(changes: tuple[Change, ...]) -> str:
    model: dict[str, Any] = {}
    for change in changes:
        for edit in edits_of(change):
            _place(model, edit)
    return yaml.safe_dump(model, sort_keys=False, allow_unicode=True)


def _place(model: dict[str, Any], edit: Edit) -> None:
    """Put an edit into the tree; the tool deletes a name that is written with an exclamation mark."""
    here = model
    for key in edit.path[:-1]:
        here = here.setdefault(key, {})
    if edit.delete:
        here.pop(edit.path[-1], None)
        here[f"!{edit.path[-1]}"] = None
        return
    found = here.setdefault(edit.path[-1], {})
    if edit.attribute:
        found[edit.attribute] = "" if edit.value is None else edit.value
