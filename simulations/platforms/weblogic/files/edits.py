"""Chosen settings as edits of the domain's configuration tree; WLST and Deploy Tooling are two spellings of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from simulations.declarations.identity import UNKNOWN
from simulations.declarations.parameters import Declaration, addresses_of
from simulations.declarations.system import Queue, System
from simulations.platforms.shared.family import Change, changed_system
from simulations.platforms.weblogic.files.names import Label, camel
from simulations.platforms.weblogic.files.work_managers.reading import CONSTRAINTS, KEYS, parts_of
from simulations.platforms.weblogic.parameters.mdb import MAX_LONG, THRESHOLD_NAMES, MdbSettings
from simulations.platforms.weblogic.parameters.server import ServerSettings, SharedConstraint, WorkManager

ATTRIBUTES = {declared.name: camel(path[-1]) for path, declared in addresses_of(MdbSettings, "quota").items()}
"""Setting of the queue -> attribute of the quota."""


def is_limited(change: Change, changes: tuple[Change, ...], *, made: bool) -> bool:
    """Whether the destination has a quota of its own, before the changes or when they are ``made``; as long as nothing
    is chosen, limits of its JMS server are none."""
    limits = _limits(change, changes, made=made)
    identity = change.entity.identity or UNKNOWN
    if identity.part("quota").kind == STORE:
        return limits != _limits(change, (), made=False)
    return any(limits[setting] != -1 for setting in ("messages_quota", "bytes_quota"))


def _limits(change: Change, changes: tuple[Change, ...], *, made: bool) -> dict[str, Any]:
    values = {setting: getattr(change.entity.settings, setting) for setting in ATTRIBUTES}
    return values | {item.setting: item.after if made else item.before for item in _mine(change, changes)}


def _mine(change: Change, changes: tuple[Change, ...]) -> list[Change]:
    return [item for item in changes if item.entity is change.entity and item.setting in ATTRIBUTES]


Path = tuple[str, ...]
KIND_FOLDERS = {kind: camel(element) for element, kind in CONSTRAINTS.items()}
PARTS = {camel(part): camel(key) for part, key in KEYS.items()}
"""Object of a part of a work manager -> the attribute with its value."""
ADDRESSES = {
    declared.name: (holder, path, declared)
    for model, holder in ((ServerSettings, "server"), (MdbSettings, "factory"), (MdbSettings, "destination"))
    for path, declared in addresses_of(model, holder).items()
}
"""Setting -> the object that has it, the names that lead there, and its declaration."""
QUOTA = "Quota"
"""Last part of the path of a destination's quota."""
STORE = "JMSServer"
"""Kind of what counts together all that its destinations hold."""


@dataclass(frozen=True)
class Edit:
    """One attribute (``value`` None = unset), or with an empty attribute an object to create or delete. ``target``: the
    server or cluster that an object is for when it has to be made, or the name of a quota of its own."""

    path: Path
    attribute: str = ""
    value: Any = None
    delete: bool = False
    target: str = ""


def edits_of(change: Change, changes: tuple[Change, ...]) -> tuple[Edit, ...]:
    """Return the edits of one of the changes; empty when the setting is not part of the domain's configuration."""
    name, key = change.entity.name, change.setting
    if key == "self_tuning":  # the vendor's attribute says the opposite
        return tuple(Edit(path, "Use81StyleExecuteQueues", not change.after) for path in _servers(change))
    if key in ("work_managers", "constraints"):
        return tuple(replace(edit, target=Label(f"target of {name}")) for edit in _objects(change.before, change.after))
    if key in ADDRESSES:
        holder, (*folders, attribute), declared = ADDRESSES[key]
        if key in THRESHOLD_NAMES and (servers := vars(change.made)["jms_server"]):
            # What the scenario has one name for may be several servers that state the same.
            paths = [("resources", STORE, server) for server in servers.split("+")]
            return tuple(Edit(path, camel(key.replace("_", "-")), change.after) for path in paths)
        holders = _servers(change) if holder == "server" else [_holder(holder, change)]
        below, value = tuple(map(camel, folders)), _as_written(declared, change.after)
        return tuple(Edit((*path, *below), camel(attribute), value) for path in holders)
    return tuple(_quota(change, changes)) if key in ATTRIBUTES else ()


def _quota(change: Change, changes: tuple[Change, ...]) -> Iterator[Edit]:
    """What a change sets at a quota. The first change of a new one sets all its attributes, which nothing has set."""
    path, name = (*_holder("destination", change), QUOTA), change.entity.name
    own = "" if is_limited(change, (), made=False) else Label(f"quota of {name}")
    before, after = (is_limited(change, changes, made=made) for made in (False, True))
    if before and not after:
        yield Edit(path, delete=True, target=own)
    limits, completes = _limits(change, changes, made=True), not before and change is _mine(change, changes)[0]
    for setting, attribute in ATTRIBUTES.items() if after else ():
        if completes or setting == change.setting:
            yield Edit(path, attribute, MAX_LONG if limits[setting] == -1 else limits[setting], target=own)


def _servers(change: Change) -> list[Path]:
    """The servers that have a setting alike: the members of a cluster, or the template of those that it makes."""
    parts = (change.entity.identity or UNKNOWN).parts
    members: list[Path] = [("topology", item.kind, item.name) for item in parts if item.role == "member"]
    return members or [("topology", "Server", Label(f"server of {change.entity.name}"))]


def _holder(holder: str, change: Change) -> Path:
    """The object of the domain that has the setting."""
    name = change.entity.name
    if holder == "factory":
        return (*_module(f"factory of {name}"), "ConnectionFactory", Label(f"factory of {name}"))
    kind = "Topic" if getattr(change.entity, "kind", "queue") == "topic" else "Queue"
    return (*_module(name), Label(f"{kind} of {name}"), Label(f"destination of {name}"))


def _module(name: str) -> Path:
    return ("resources", "JMSSystemResource", Label(f"module of {name}"), "JmsResource")


def _as_written(declared: Declaration, value: Any) -> Any:
    """The value in the vendor's unit; where nothing is chosen it is unset."""
    if value == -1 and declared.maximum == float(MAX_LONG):
        return MAX_LONG
    if isinstance(value, str):
        return value or None
    return round(value * declared.quantity.factor) if isinstance(value, float) else value


def _objects(before: tuple[Any, ...], after: tuple[Any, ...]) -> Iterator[Edit]:
    """Differences between two lists of work managers or shared constraints, by name."""
    old, new = _identified(before, after), _identified(after, before)
    held, kept = set(_own_objects(old)), set(_own_objects(new))
    for name, item in new.items():
        if name not in old:
            yield Edit(_path(item))
        was = old.get(name)
        if isinstance(item, WorkManager):
            yield from _manager(item, was, held, kept)
        elif was is None or was.count != item.count:
            yield Edit(_path(item), "Count", item.count)
    for name, item in old.items():
        if name not in new:
            yield Edit(_path(item), delete=True)
            yield from (Edit(path, delete=True) for path in _own_objects({name: item}) if path not in kept)


def _identified(items: tuple[Any, ...], others: tuple[Any, ...]) -> dict[str, Any]:
    """The items by name; what one of them does not know of itself, the other of its name does."""
    known = {item.name: item.identity for item in others}
    return {item.name: item.model_copy(update={"identity": item.identity or known.get(item.name)}) for item in items}


def _path(item: SharedConstraint | WorkManager) -> Path:
    kind = KIND_FOLDERS[item.kind] if isinstance(item, SharedConstraint) else "WorkManager"
    return ("resources", "SelfTuning", kind, item.name)


def _manager(item: WorkManager, old: WorkManager | None, held: set[Path], kept: set[Path]) -> Iterator[Edit]:
    """The constraints and request classes of a work manager; inline values get an object of their own."""
    before = dict.fromkeys(PARTS) if old is None else _values(old)
    for folder, new in _values(item).items():
        was, own, reference = before[folder], _own_object(item, folder), _path(item)
        if new == was:
            continue
        if new is None or isinstance(new, str):
            yield Edit(reference, folder, new)
        else:
            if own not in held:
                yield Edit(own)
            yield Edit(own, PARTS[folder], new)
            yield Edit(reference, folder, own[-1])
        if own in held - kept:
            yield Edit(own, delete=True)


def _own_objects(managers: Mapping[str, Any]) -> Iterator[Path]:
    """The objects that hold inline values; a shared constraint has none."""
    for item in managers.values():
        if isinstance(item, WorkManager):
            values = _values(item).items()
            yield from (_own_object(item, folder) for folder, value in values if isinstance(value, int))


def _own_object(item: WorkManager, folder: str) -> Path:
    """The object with an inline value: what the identity calls it, else named after its work manager."""
    role = next((kind for kind, name in KIND_FOLDERS.items() if name == folder), "request_class")
    known = (item.identity or UNKNOWN).part(role)
    name = known.name if known.kind in ("", folder) else ""
    return ("resources", "SelfTuning", folder, name or f"{item.name}-{folder}")


def _values(item: WorkManager) -> dict[str, int | str | None]:
    """The value of each part of a work manager by the object that has it: a number, or the name of a shared one."""
    return dict.fromkeys(PARTS) | {camel(part): value for part, value in parts_of(item)}


def of_foreign(changes: tuple[Change, ...]) -> Iterator[tuple[str, str]]:
    """Yield the changes of objects that the domain does not have for a destination of another provider."""
    for change in changes:
        holder = ADDRESSES.get(change.setting, ("quota" if change.setting in ATTRIBUTES else "",))[0]
        if holder in ("factory", "destination", "quota") and vars(change.made)["destination"] == "foreign":
            yield change.path, "the destination is another provider's, and so is what has this setting"


def of_shared_objects(system: System, changes: tuple[Change, ...]) -> Iterator[tuple[str, str]]:
    """Yield the changes of an object that several queues share and in which they would differ, and why not."""
    queues = {queue.name: queue for queue in changed_system(system, changes).queues}
    for change in changes:
        queue, key = queues.get(change.entity.name), change.setting
        if not isinstance(change.made, MdbSettings) or queue is None or (mine := _object(queue, key)) is None:
            continue
        sharing = [other for other in queues.values() if other is not queue and _object(other, key) == mine]
        others = [other.name for other in sharing if vars(other.settings)[key] != change.after]
        if others:
            yield change.path, f"{mine[0]} {mine[-1]!r} is also that of {' and '.join(others)}, which would differ"


def _object(queue: Queue, setting: str) -> tuple[str, ...] | None:
    """What the domain calls the object with a setting of the queue; None where the files do not tell."""
    holder = ADDRESSES.get(setting, ("quota" if setting in ATTRIBUTES else "",))[0]
    known, server = queue.identity or UNKNOWN, vars(queue.settings)["jms_server"]
    if setting in THRESHOLD_NAMES and server:
        return ("JMS server", server)
    own = known.part(holder)
    if holder == "factory":
        return ("connection factory", own.module, own.name) if own.name else None
    if own.kind == QUOTA:
        return (holder, known.module, own.name)
    return ("destination", known.module, known.name) if holder and known.name else None


def shared_classes(changes: tuple[Change, ...]) -> Iterator[tuple[str, str]]:
    """Yield the changes of a request class that work managers share and that not all of them make, and why not."""
    for change in changes:
        if change.setting != "work_managers":
            continue
        old, new = _identified(change.before, change.after), _identified(change.after, change.before)
        wanted: dict[Path, set[Any]] = {}
        for name in old.keys() & new.keys():
            for path in (*_own_objects({name: old[name]}), *_own_objects({name: new[name]})):
                wanted.setdefault(path, set()).add(_values(new[name])[path[2]])
        mixed = sorted(path[3] for path, values in wanted.items() if len(values - {None}) > 1)
        if mixed:
            yield change.path, f"several work managers share the request class {mixed[0]!r} and would differ"
