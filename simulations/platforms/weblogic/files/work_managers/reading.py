"""Work managers and constraints, in descriptors (objects inside objects) and in a domain (references by name)."""

from collections.abc import Iterator

from simulations.declarations.parameters import parameters_of
from simulations.platforms.files.importing.drafts import Sourced, number_of
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.weblogic.files.domain.contents import Imported, Manager, manager_path
from simulations.platforms.weblogic.files.names import camel
from simulations.platforms.weblogic.parameters.server import WorkManager

CONSTRAINTS = {item.quantity.native: item.name for item in parameters_of(WorkManager) if item.quantity.names}
"""Element of a domain or descriptor -> what it bounds."""
GOAL, SHARE = "response-time-request-class", "fair-share-request-class"
KEYS = {SHARE: "fair-share", GOAL: "goal-ms", **dict.fromkeys(CONSTRAINTS, "count")}
"""Part of a work manager -> the element that has its value."""
CLASSES = {
    **dict.fromkeys((SHARE, "fair-share-request"), ("fair_share", "fair-share", 1.0)),
    **dict.fromkeys((GOAL, "response-time-request"), ("response_time_goal", "goal-ms", 0.001)),
}


def parts_of(manager: WorkManager) -> Iterator[tuple[str, int | str]]:
    """Yield element and value of each part that a work manager has, in the schema's order."""
    if manager.response_time_goal is not None:
        yield GOAL, round(manager.response_time_goal * 1000)
    if manager.fair_share is not None:
        yield SHARE, manager.fair_share
    for element, setting in CONSTRAINTS.items():
        value = getattr(manager, setting)
        if value is not None:
            yield element, value


def read_work(parent: Element, found: Imported, account: Account) -> None:
    """Read all work managers, shared constraints and shared request classes directly below ``parent``."""
    for element_name, kind in CONSTRAINTS.items():
        for name, element in parent.named(element_name):
            count = _count(element, account, f"constraint {name}", found)
            if count is None:
                found.uncounted.add(name)
            else:
                known = found.constraints.get(name, (kind, count))
                if known != (kind, count):
                    status = "understood" if parent.keyed else "contradictory"
                    message = f"{count} counts, in place of {known[1]} that was said before"
                    account.note(status, element, f"constraint {name}", message)
                found.constraints[name] = (kind, count)
                found.constraint_identities.setdefault(name, _declared(name, element_name, parent, account))
                account.take(element.child("name"))
    for element_name, (key, value_name, factor) in CLASSES.items():
        for name, element in parent.named(element_name):
            value = _value(element, value_name, account, f"request class {name}")
            if value is None:
                found.uncounted.add(name)
            else:
                found.classes[name] = (key, value * factor)
                account.take(element.child("name"))
    for name, element in parent.named("work-manager"):
        account.take(element.child("name"))
        first = found.managers.get(name)
        if first is not None and not parent.keyed:
            message = f"another work manager of this name is in {first.file}:{first.line}, which counts; rename one"
            path = manager_path(name)
            account.note("contradictory", element.child("name") or element, path, message)
        else:
            _manager(name, element, found, account)
            found.managers[name].scope = scope_of(parent)


def scope_of(parent: Element) -> str:
    """Return who has the objects directly below an element: the domain, or one application alone."""
    return "domain" if parent.name == "self-tuning" else "application"


def _declared(name: str, kind: str, parent: Element, account: Account) -> dict[str, str]:
    """The identity of a constraint."""
    return {"name": name, "kind": camel(kind), "file": account.file, "scope": scope_of(parent)}


def _manager(name: str, element: Element, found: Imported, account: Account) -> None:
    manager = found.managers.setdefault(name, Manager(name, file=account.file, line=element.line))
    path = manager_path(name)
    take_targets(element, path, found, account)
    for item in element.children:
        base = item.name.removesuffix("-name")
        if base in CONSTRAINTS:
            _constraint(manager, CONSTRAINTS[base], item, account, found)
            inline = item.value("name")
            if inline in found.constraints:
                found.constraint_identities.setdefault(inline, _declared(inline, base, element, account))
        elif base in CLASSES:
            _request_class(manager, base, item, account)
        elif item.name == "request-class-name":
            manager.request_class, manager.class_name = Sourced(item.text, account.file, item.line), item.text
            account.note("understood", item, path, f"request class {item.text}")
        elif base == "context-request-class":
            message = "a request class by user or group is not simulated; the default share counts"
            account.note("unresolved", item, path, message)


def _constraint(manager: Manager, kind: str, item: Element, account: Account, found: Imported) -> None:
    """An object with a count of its own, or (without children) the name of a shared one."""
    path = f"{manager_path(manager.name)}.{kind}"
    if not item.children:
        manager.values[kind] = item.text
        account.note("understood", item, path, f"shares the constraint {item.text}")
        return
    account.take(item.child("name"))
    count = _count(item, account, path, found)
    if count is None:
        return
    shared = item.value("name")
    is_known = shared and found.constraints.setdefault(shared, (kind, count)) == (kind, count)
    manager.values[kind] = shared if is_known else count


def _request_class(manager: Manager, base: str, item: Element, account: Account) -> None:
    key, value_name, factor = CLASSES[base]
    path = f"{manager_path(manager.name)}.{key}"
    manager.class_name = item.value("name") or item.text
    if not item.children:
        manager.request_class = Sourced(item.text, account.file, item.line)
        account.note("understood", item, path, f"request class {item.text}")
        return
    account.take(item.child("name"))
    value = _value(item, value_name, account, path)
    if value is not None:
        manager.values[key] = value * factor


def _count(element: Element, account: Account, path: str, found: Imported) -> int | None:
    """The count of a constraint; one that follows a JDBC pool has none that a file of this kind gives."""
    target = element.child("target")
    if target is not None:
        account.take(target)
        found.targets.update(targets_of(target, account))
    for name in ("pool-name", "connection-pool-name"):
        pool = element.child(name)
        if pool is not None:
            account.note("unresolved", pool, path, f"follows the size of the JDBC pool {pool.text}; give a number")
            return None
    value = _value(element, "count", account, path)
    return None if value is None or value < 1 else int(value)


def _value(element: Element, name: str, account: Account, path: str) -> float | None:
    item = element.child(name)
    if item is None:
        return None
    value = number_of(item, account, path)
    if value is not None:
        account.note("understood", item, path, f"{value:g}")
    return value


def take_targets(element: Element, path: str, found: Imported, account: Account) -> list[str]:
    """Note and return the servers and clusters that an object is for; none where it does not say."""
    item = element.child("target")
    if item is None:
        return []
    account.take(element.child("name"))
    targets = targets_of(item, account)
    found.targets.update(targets)
    account.note("understood", item, path, f"runs on {', '.join(targets)}")
    return targets


def targets_of(item: Element, account: Account) -> list[str]:
    """Return the servers and clusters that an element names, as one text or as a list."""
    for part in item.children:
        account.take(part)
    named = [item.text.split(","), *([part.text] for part in item.children)]
    return [name.strip() for names in named for name in names if name.strip()]
