"""Work managers inside a descriptor: those that are new, differ or are gone, as splices."""

import itertools
from collections.abc import Iterator
from xml.sax.saxutils import escape

from simulations.platforms.changes import Change
from simulations.platforms.common import settings_of
from simulations.platforms.formats.drafts import safe_name
from simulations.platforms.formats.splices import Splice, place_for
from simulations.platforms.formats.tree import Element
from simulations.platforms.weblogic.parameters import (
    DEFAULT_WORK_MANAGER,
    ServerSettings,
    SharedConstraint,
    WorkManager,
)

GOAL, SHARE = "response-time-request-class", "fair-share-request-class"
THREADS = {"min_threads": "min-threads-constraint", "max_threads": "max-threads-constraint", "capacity": "capacity"}
ORDER = ("name", GOAL, SHARE, "context-request-class", "request-class-name", *THREADS.values())
"""The schema's order of a work manager's children; a reference stands where the object would."""
Shared = dict[str, SharedConstraint]


def patched_constraints(root: Element, change: Change) -> Iterator[Splice]:
    """New counts of the shared constraints that the file declares, wherever it does."""
    before = {item.name: item.count for item in change.before}
    for item in change.after:
        for element in root.walk():
            count = element.child("count")
            found = count is not None and (element.name, element.value("name")) == (THREADS[item.kind], item.name)
            if found and count is not None and before.get(item.name) != item.count:
                yield Splice(*count.inner, str(item.count))


def patched_managers(root: Element, change: Change, changes: tuple[Change, ...]) -> Iterator[Splice]:
    """Work managers that the file declares and that differ or are gone, and new ones that its beans use."""
    before, after = ({item.name: item for item in items} for items in (change.before, change.after))
    declared = {item.value("name"): item for item in root.all("work-manager")}
    shared = {item.name: item for item in _constraints(change, changes)}
    for name, manager in after.items():
        if name in declared and name in before:
            yield from _differences(declared[name], before[name], manager, shared)
        elif name not in before and name in _used(root, changes):
            lines = [f"<name>{escape(name)}</name>", *_parts(manager, shared).values()]
            text = "".join(f"    {line}\n" for line in lines)
            yield Splice(root.inner[1], root.inner[1], f"  <work-manager>\n{text}  </work-manager>\n")
    for name in before:
        if name not in after and name in declared:
            yield Splice(*declared[name].span, "")


def _differences(element: Element, old: WorkManager, new: WorkManager, shared: Shared) -> Iterator[Splice]:
    """Splices for the parts of a declared work manager that differ; its other children stay as they are."""
    was, now = _parts(old, shared), _parts(new, shared)
    for name in (GOAL, SHARE, *THREADS.values()):
        if was.get(name) == now.get(name):
            continue
        found = element.child(name) or element.child(f"{name}-name")
        if found is not None:
            yield Splice(*found.span, now.get(name, ""))
        elif name in now:
            place = place_for(element, name, ORDER)
            yield Splice(place, place, now[name])


def _parts(manager: WorkManager, shared: Shared) -> dict[str, str]:
    """Element name -> the element for each part that the work manager has."""
    name, parts = escape(manager.name), {}
    if manager.response_time_goal is not None:
        parts[GOAL] = _object(GOAL, f"{name}-goal", "goal-ms", round(manager.response_time_goal * 1000))
    if manager.fair_share is not None:
        parts[SHARE] = _object(SHARE, f"{name}-share", "fair-share", manager.fair_share)
    for kind, element in THREADS.items():
        value = getattr(manager, kind)
        if isinstance(value, str):
            count = shared[value].count if value in shared else 0
            parts[element] = _object(element, escape(value), "count", count)
        elif value is not None:
            parts[element] = _object(element, f"{name}-{element}", "count", value)
    return parts


def _object(element: str, name: str, key: str, value: int) -> str:
    return f"<{element}><name>{name}</name><{key}>{value}</{key}></{element}>"


def _used(root: Element, changes: tuple[Change, ...]) -> set[str]:
    """Names of the work managers that the beans of the file dispatch to, once the changes are made."""
    beans = {safe_name(item.value("ejb-name")): item for item in root.all("weblogic-enterprise-bean")}
    used = {name: item.value("dispatch-policy") or DEFAULT_WORK_MANAGER for name, item in beans.items()}
    new = {change.entity.name: change.after for change in changes if change.setting == "work_manager"}
    return {new.get(name, policy) for name, policy in used.items()}


def _constraints(change: Change, changes: tuple[Change, ...]) -> tuple[SharedConstraint, ...]:
    """The shared constraints of the server before and after the changes; the later ones count."""
    new = (item.after for item in changes if item.entity is change.entity and item.setting == "constraints")
    return (*settings_of(change.entity, ServerSettings).constraints, *itertools.chain.from_iterable(new))
