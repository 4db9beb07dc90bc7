"""The two spellings of edits: a WLST script in Jython and a Deploy Tooling model in YAML."""

from dataclasses import replace
from typing import Any

import yaml

from simulations.platforms.shared.changes import Change
from simulations.platforms.shared.family import Script
from simulations.platforms.weblogic.files.edits import ERROR_DESTINATION, QUOTA, Edit, edits_of

WLST_HELPERS = '''
def named(kind, name):
    """The server or cluster, or whatever else the domain itself holds."""
    found = getattr(domain, 'lookup' + kind)(name)
    if found is None:
        raise Exception('the domain has no ' + kind + ' ' + name)
    return found


def declared(kind, name, target):
    """The object below the domain's self-tuning; a missing one is made for the target."""
    tuning = domain.getSelfTuning()
    found = getattr(tuning, 'lookup' + kind)(name)
    if found is None:
        found = getattr(tuning, 'create' + kind)(name)
        found.addTarget(domain.lookupCluster(target) or named('Server', target))
    return found


def removed(kind, name):
    """Take an object out of the domain's self-tuning."""
    tuning = domain.getSelfTuning()
    found = getattr(tuning, 'lookup' + kind)(name)
    if found is not None:
        getattr(tuning, 'destroy' + kind)(found)


def module_of(kinds, name):
    """The module that declares the destination or connection factory, and the object itself."""
    for system in domain.getJMSSystemResources():
        for kind in kinds:
            found = getattr(system.getJMSResource(), 'lookup' + kind)(name)
            if found is not None:
                return system.getJMSResource(), found
    raise Exception('no JMS module has a ' + kinds[0] + ' ' + name)


def of_messaging(kinds, name):
    """The destination or connection factory, in whichever module it is declared."""
    return module_of(kinds, name)[1]


def quota_of(kinds, name):
    """The quota of a destination; one that has none gets its own. A quota of several destinations is not touched."""
    module, found = module_of(kinds, name)
    if found.getQuota() is None:
        found.setQuota(module.lookupQuota(name + '-quota') or module.createQuota(name + '-quota'))
    quota = found.getQuota().getName()
    for kind in ('Queue', 'Topic', 'UniformDistributedQueue', 'UniformDistributedTopic'):
        for other in getattr(module, 'get' + kind + 's')():
            if other.getQuota() is not None and other.getName() != name and other.getQuota().getName() == quota:
                raise Exception('the quota ' + quota + ' is also that of ' + other.getName())
    return found.getQuota()


def without_quota(kinds, name):
    """Take away a quota that was made for the destination; another one stays and limits nothing."""
    module, found = module_of(kinds, name)
    if found.getQuota() is None:
        return
    quota = quota_of(kinds, name)
    if quota.getName() == name + '-quota':
        found.setQuota(None)
        module.destroyQuota(quota)
    else:
        quota.setMessagesMaximum(9223372036854775807)
        quota.setBytesMaximum(9223372036854775807)


connect()
edit()
startEdit()
domain = cmo
'''
FOOTER = "save()\nactivate()"
REFERENCES = (
    "MinThreadsConstraint",
    "MaxThreadsConstraint",
    "Capacity",
    "FairShareRequestClass",
    "ResponseTimeRequestClass",
)
"""Attributes of a work manager whose value is another object."""
KINDS = {
    "Queue": ("Queue", "UniformDistributedQueue"),
    "Topic": ("Topic", "UniformDistributedTopic"),
    "ConnectionFactory": ("ConnectionFactory",),
}


def wlst_script(changes: tuple[Change, ...], scenario_hash: str) -> Script | None:
    """Return the WLST script, or None when no change is part of the domain's configuration."""
    if not any(edits_of(change, changes) for change in changes):
        return None
    undo = tuple(change.reverse for change in reversed(changes))
    return Script(
        "wlst",
        "apply.py",
        _wlst(changes, f"Written by Sluice for the scenario {scenario_hash}"),
        _wlst(undo, f"Takes back what Sluice wrote for the scenario {scenario_hash}"),
        left_out=_left_out(changes),
    )


def model_script(changes: tuple[Change, ...], scenario_hash: str) -> Script | None:
    """Return the Deploy Tooling model, or None when no change is part of the domain's configuration."""
    if not any(edits_of(change, changes) for change in changes):
        return None
    undo = tuple(change.reverse for change in reversed(changes))
    title = f"# Written by Sluice for the scenario {scenario_hash}\n"
    left_out = _left_out(changes)
    listed = "".join(f"# {change.path}: {_short(change.before)} -> {_short(change.after)}\n" for change in changes)
    listed += "".join(f"# Not in the domain's configuration: {path}\n" for path in left_out)
    undo_title = f"# Takes back what Sluice wrote for the scenario {scenario_hash}\n"
    return Script("wdt", "model.yaml", title + listed + _model(changes), undo_title + _model(undo), left_out)


def _left_out(changes: tuple[Change, ...]) -> tuple[str, ...]:
    return tuple(change.path for change in changes if not edits_of(change, changes))


def _short(value: Any) -> str:
    """A value for a comment; lists are named by their length."""
    return f"{len(value)} declared" if isinstance(value, tuple) else str(value)


def _wlst(changes: tuple[Change, ...], title: str) -> str:
    header = [
        f"# {title}",
        "# Run with: wlst.sh <this file>; check servers and connection factories",
    ]
    body: list[str] = []
    for change in changes:
        edits = edits_of(change, changes)
        shown = _ascii(f"{change.path}: {_short(change.before)} -> {_short(change.after)}")
        header.append(f"# {shown}" if edits else f"# Not in the domain's configuration: {change.path}")
        body.extend(_statement(edit) for edit in edits)
    return "\n".join([*header, WLST_HELPERS, *body, FOOTER, ""])


def _statement(edit: Edit) -> str:
    if edit.delete and edit.path[-1] == QUOTA:
        return f"without_quota({KINDS[edit.path[-3]]!r}, {edit.path[-2]!r})"
    if edit.delete:
        return f"removed({edit.path[-2]!r}, {_literal(edit.path[-1])})"
    found = _object(edit)
    if not edit.attribute:
        return found
    value = _literal(edit.value)
    if edit.attribute == ERROR_DESTINATION and edit.value is not None:
        value = f"of_messaging({KINDS['Queue'] + KINDS['Topic']!r}, {value})"
    elif edit.attribute in REFERENCES and edit.value is not None:
        value = f"declared({edit.attribute!r}, {value}, {edit.target!r})"
    return f"{found}.set{edit.attribute}({value})"


def _literal(value: Any) -> str:
    """A value in the script, which is ASCII: Jython takes other bytes of a plain text for Latin-1."""
    return f"u{value!a}" if isinstance(value, str) and not value.isascii() else repr(value)


def _ascii(text: str) -> str:
    return text.encode("ascii", "backslashreplace").decode()


def _object(edit: Edit) -> str:
    """The expression for the object that the edit is about."""
    if edit.path[0] == "topology":
        part = "".join(f".get{name}()" for name in edit.path[3:])
        return f"named({edit.path[1]!r}, {edit.path[2]!r}){part}"
    if edit.path[1] == "SelfTuning":
        return f"declared({edit.path[2]!r}, {_literal(edit.path[3])}, {edit.target!r})"
    kind, name, part = edit.path[-3:]
    if part == QUOTA:
        return f"quota_of({KINDS[kind]!r}, {name!r})"
    return f"of_messaging({KINDS[kind]!r}, {name!r}).get{part}()"


def _model(changes: tuple[Change, ...]) -> str:
    model: dict[str, Any] = {}
    for change in changes:
        for edit in edits_of(change, changes):
            for part in _with_names(edit):
                _place(model, part)
    return yaml.safe_dump(model, sort_keys=False, allow_unicode=True)


def _with_names(edit: Edit) -> tuple[Edit, ...]:
    """A model has a quota beside its destination, which names it."""
    if edit.path[-1] != QUOTA:
        return (edit,)
    *module, _, name, _ = edit.path
    own = f"{name}-quota"
    named = Edit(edit.path[:-1], QUOTA, None if edit.delete else own)
    return (replace(edit, path=(*module, QUOTA, own)), named)


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
    elif edit.target:
        found["Target"] = edit.target
