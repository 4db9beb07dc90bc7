"""Edits as a WLST script: what it looks up, the value that each object has to have, and the one that it gets."""

from collections.abc import Iterator, Mapping
from typing import Any

from simulations.platforms.files.patching.jython import Step, jython_script, literal
from simulations.platforms.shared.changes import Change
from simulations.platforms.weblogic.files.edits import QUOTA, Edit, edits_of
from simulations.platforms.weblogic.files.names import Label
from simulations.platforms.weblogic.parameters.mdb import MAX_LONG

HELPERS = '''

def found(kinds, name, module):
    """The JMS module and the object of one of these kinds; a module without a name is whichever has the object."""
    if not name:
        raise Exception('its name is missing: fill in NAMES at the head')
    held = []
    for system in domain.getJMSSystemResources():
        if module in ('', system.getName()):
            for kind in kinds:
                item = getattr(system.getJMSResource(), 'lookup' + kind)(name)
                if item is not None:
                    held.append((system.getJMSResource(), item))
    if len(held) != 1:
        raise Exception('%d objects in JMS modules are a %s %s' % (len(held), kinds[0], name))
    return held[0]


def value_of(bean, attribute):
    """The value of an attribute; another object is told by its name."""
    if hasattr(bean, 'is' + attribute):
        return getattr(bean, 'is' + attribute)()
    value = getattr(bean, 'get' + attribute)()
    if hasattr(value, 'getName'):
        return value.getName()
    return value


class Value:
    """An attribute of a bean."""

    def read(self):
        return value_of(self.bean, self.attribute)

    def write(self, value):
        getattr(self.bean, 'set' + self.attribute)(value)

    def meant(self, value):
        return value


class ServerValue(Value):
    """An attribute of a server or of a part of it."""

    def __init__(self, name, parts, attribute):
        self.bean, self.attribute = domain.lookupServer(NAMES[name]), attribute
        if self.bean is None:
            raise Exception('the domain has no Server ' + NAMES[name])
        for part in parts:
            self.bean = getattr(self.bean, 'get' + part)()


class Messaging(Value):
    """An attribute of a part of a destination or connection factory."""

    def __init__(self, kinds, name, module, part, attribute):
        item = found(kinds, NAMES[name], NAMES[module])[1]
        self.bean, self.attribute, self.module = getattr(item, 'get' + part)(), attribute, NAMES[module]

    def meant(self, value):
        if self.attribute != 'ErrorDestination' or value is None:
            return value
        return found(KINDS, value, self.module)[1]


class Quota(Value):
    """An attribute of a destination's quota, or with no attribute whether there is one that limits something."""

    def __init__(self, kinds, name, module, attribute):
        self.name, self.attribute = NAMES[name], attribute
        self.module, self.item = found(kinds, self.name, NAMES[module])
        quota = self.item.getQuota()
        for kind in KINDS:
            for other in getattr(self.module, 'get' + kind + 's')():
                if quota is None or other.getQuota() is None or other.getName() == self.name:
                    continue
                if other.getQuota().getName() == quota.getName():
                    raise Exception('the quota %s is also that of %s' % (quota.getName(), other.getName()))

    def read(self):
        quota = self.item.getQuota()
        if quota is None:
            return None
        if self.attribute:
            return value_of(quota, self.attribute)
        if same(quota.getMessagesMaximum(), NO_LIMIT) and same(quota.getBytesMaximum(), NO_LIMIT):
            return None
        return 'limits'

    def write(self, value):
        own = self.name + '-quota'
        quota = self.item.getQuota()
        if self.attribute:
            if quota is None:
                quota = self.module.lookupQuota(own) or self.module.createQuota(own)
                self.item.setQuota(quota)
            getattr(quota, 'set' + self.attribute)(value)
        elif quota is not None and quota.getName() == own:
            self.item.setQuota(None)
            self.module.destroyQuota(quota)
        elif quota is not None:
            quota.setMessagesMaximum(NO_LIMIT)
            quota.setBytesMaximum(NO_LIMIT)


class Tuned(Value):
    """An object of the domain's self-tuning, or one of its attributes."""

    def __init__(self, kind, name, target, attribute):
        self.kind, self.name, self.target, self.attribute = kind, name, target, attribute

    def bean(self):
        return getattr(domain.getSelfTuning(), 'lookup' + self.kind)(self.name)

    def read(self):
        bean = self.bean()
        if bean is None:
            return None
        return value_of(bean, self.attribute or 'Name')

    def meant(self, value):
        if not self.attribute and value:
            target = domain.lookupCluster(NAMES[self.target]) or domain.lookupServer(NAMES[self.target])
            if target is None:
                raise Exception('the domain has no Server or Cluster ' + NAMES[self.target])
            return target
        if value is None or self.attribute not in REFERENCES:
            return value
        bean = getattr(domain.getSelfTuning(), 'lookup' + self.attribute)(value)
        if bean is None and not [1 for step in STEPS if step[2][:2] == (self.attribute, value) and step[4]]:
            raise Exception('the domain has no %s %s' % (self.attribute, value))
        return bean

    def write(self, value):
        bean = self.bean()
        if self.attribute:
            getattr(bean, 'set' + self.attribute)(value)
        elif value is None:
            getattr(domain.getSelfTuning(), 'destroy' + self.kind)(bean)
        elif bean is None:
            getattr(domain.getSelfTuning(), 'create' + self.kind)(self.name).addTarget(value)


def ready():
    if getConfigManager().getCurrentEditor() is not None:
        raise Exception('somebody is editing the domain: %s' % (getConfigManager().getCurrentEditor(),))
    if len(getConfigManager().getUnactivatedChanges()):
        raise Exception('changes of somebody else wait to be activated')


def begin():
    startEdit(0, -1, 'true')


def commit():
    save()
    activate()


def cancel():
    if getConfigManager().isEditor():
        try:
            undo('true', 'y')
        finally:
            cancelEdit('y')


def leave(code):
    exit('y', code)


BY_HAND = "Enter: edit(); undo('true', 'y'); cancelEdit('y')"
DONE = 'Some of them count after a restart only: see isRestartRequired().'
NO_LIMIT = 9223372036854775807
KINDS = ('Queue', 'Topic', 'UniformDistributedQueue', 'UniformDistributedTopic')
connect()
edit()
domain = cmo
REFERENCES = (
    'MinThreadsConstraint',
    'MaxThreadsConstraint',
    'Capacity',
    'FairShareRequestClass',
    'ResponseTimeRequestClass',
)
'''
NO_QUOTA = (None, MAX_LONG)
"""What a destination has when nothing limits it."""


def wlst_text(changes: tuple[Change, ...], comments: list[str], names: Mapping[Label, str]) -> str:
    """Return the script that makes the changes. ``names``: what is called how in the domain."""
    steps = list(_steps(changes, names))
    used = {part for step in steps for part in step.at if isinstance(part, Label)}
    known = [f"    {literal(str(label))}: {literal(names.get(label, label.assumed))}," for label in sorted(used)]
    head = [
        "# Names in the domain: fill in what is empty; a module may stay empty where only one has the object.",
        "NAMES = {",
        *known,
        "}",
    ]
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
        kinds = (names[kind],) if kind in names else (known, f"UniformDistributed{known}")
    if part == QUOTA:
        return "Quota", (kinds, name, module, edit.attribute)
    return "Messaging", (kinds, name, module, part, edit.attribute)
