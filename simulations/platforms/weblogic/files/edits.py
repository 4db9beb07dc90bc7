"""Chosen settings as edits of the domain's configuration tree; WLST and Deploy Tooling are two spellings of them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from simulations.platforms.shared.changes import Change
from simulations.platforms.weblogic.files.names import Label
from simulations.platforms.weblogic.files.quota_edits import ATTRIBUTES, is_limited, quota_values
from simulations.platforms.weblogic.parameters.mdb import MAX_LONG
from simulations.platforms.weblogic.parameters.server import Kind, SharedConstraint, WorkManager

Path = tuple[str, ...]
KIND_FOLDERS: dict[Kind, str] = {
    "min_threads": "MinThreadsConstraint",
    "max_threads": "MaxThreadsConstraint",
    "capacity": "Capacity",
}
SERVER = {
    "thread_pool_minimum": "SelfTuningThreadPoolSizeMin",
    "thread_pool_maximum": "SelfTuningThreadPoolSizeMax",
    "stuck_thread_max_time": "StuckThreadMaxTime",
    "stuck_thread_timer_interval": "StuckThreadTimerInterval",
}
FACTORY: dict[str, tuple[str, str, float]] = {
    "flow_control_enabled": ("FlowControlParams", "FlowControlEnabled", 1),
    "flow_maximum": ("FlowControlParams", "FlowMaximum", 1),
    "flow_minimum": ("FlowControlParams", "FlowMinimum", 1),
    "flow_interval": ("FlowControlParams", "FlowInterval", 1),
    "flow_steps": ("FlowControlParams", "FlowSteps", 1),
    "one_way_send_mode": ("FlowControlParams", "OneWaySendMode", 1),
    "one_way_send_window": ("FlowControlParams", "OneWaySendWindowSize", 1),
    "send_timeout": ("DefaultDeliveryParams", "SendTimeout", 1000),
    "messages_maximum": ("ClientParams", "MessagesMaximum", 1),
}
DESTINATION: dict[str, tuple[str, str, float]] = {
    "redelivery_limit": ("DeliveryFailureParams", "RedeliveryLimit", 1),
    "redelivery_delay": ("DeliveryParamsOverrides", "RedeliveryDelay", 1000),
    "messages_threshold_high": ("Thresholds", "MessagesHigh", 1),
    "messages_threshold_low": ("Thresholds", "MessagesLow", 1),
    "bytes_threshold_high": ("Thresholds", "BytesHigh", 1),
    "bytes_threshold_low": ("Thresholds", "BytesLow", 1),
}
ERROR_DESTINATION = "ErrorDestination"
"""The attribute whose value is another destination."""
QUOTA = "Quota"
"""Last part of the path of a destination's quota."""


@dataclass(frozen=True)
class Edit:
    """One attribute (``value`` None = unset), or with an empty attribute an object to create or delete.

    ``target``: the server or cluster that an object is for when it has to be made.
    """

    path: Path
    attribute: str = ""
    value: Any = None
    delete: bool = False
    target: str = ""


def edits_of(change: Change, changes: tuple[Change, ...]) -> tuple[Edit, ...]:
    """Return the edits of one of the changes; empty when the setting is not part of the domain's configuration."""
    name, key = change.entity.name, change.setting
    if key in SERVER:
        return (Edit(_server(name), SERVER[key], _scaled(change.after, 1)),)
    if key == "shared_capacity":
        return (Edit((*_server(name), "OverloadProtection"), "SharedCapacityForWorkManagers", change.after),)
    if key == "self_tuning":  # the vendor's attribute says the opposite
        return (Edit(_server(name), "Use81StyleExecuteQueues", not change.after),)
    if key in ("work_managers", "constraints"):
        return tuple(replace(edit, target=Label(f"target of {name}")) for edit in _objects(change.before, change.after))
    if key in FACTORY:
        folder, attribute, factor = FACTORY[key]
        path = (*_module(f"factory of {name}"), "ConnectionFactory", Label(f"factory of {name}"), folder)
        return (Edit(path, attribute, _scaled(change.after, factor)),)
    if key in DESTINATION:
        folder, attribute, factor = DESTINATION[key]
        value = MAX_LONG if key.endswith(("_high", "_low")) and change.after == -1 else change.after
        return (Edit((*_destination(change), folder), attribute, _scaled(value, factor)),)
    if key == "error_destination":
        path = (*_destination(change), "DeliveryFailureParams")
        return (Edit(path, ERROR_DESTINATION, change.after or None),)
    return tuple(_quota(change, changes)) if key in ATTRIBUTES else ()


def _quota(change: Change, changes: tuple[Change, ...]) -> Iterator[Edit]:
    path = (*_destination(change), QUOTA)
    if is_limited(change, changes, made=False) and not is_limited(change, changes, made=True):
        yield Edit(path, delete=True)
    for attribute, value in quota_values(change, changes):
        yield Edit(path, attribute, value)


def _server(name: str) -> Path:
    return ("topology", "Server", Label(f"server of {name}"))


def _destination(change: Change) -> Path:
    name = change.entity.name
    kind = "Topic" if getattr(change.entity, "kind", "queue") == "topic" else "Queue"
    return (*_module(name), Label(f"{kind} of {name}"), Label(f"destination of {name}"))


def _module(name: str) -> Path:
    return ("resources", "JMSSystemResource", Label(f"module of {name}"), "JmsResource")


def _scaled(value: Any, factor: float) -> Any:
    return value if factor == 1 and not isinstance(value, float) else round(value * factor)


def _objects(before: tuple[Any, ...], after: tuple[Any, ...]) -> Iterator[Edit]:
    """Differences between two lists of work managers or shared constraints, by name."""
    old, new = {item.name: item for item in before}, {item.name: item for item in after}
    for name, item in new.items():
        if old.get(name) != item:
            if name not in old:
                yield Edit(_path(item))
            yield from _shared(item) if isinstance(item, SharedConstraint) else _manager(item, old.get(name))
    for name, item in old.items():
        if name not in new:
            yield from _gone(item)


def _path(item: SharedConstraint | WorkManager) -> Path:
    kind = KIND_FOLDERS[item.kind] if isinstance(item, SharedConstraint) else "WorkManager"
    return ("resources", "SelfTuning", kind, item.name)


def _shared(item: SharedConstraint) -> Iterator[Edit]:
    yield Edit(_path(item), "Count", item.count)


def _manager(item: WorkManager, old: WorkManager | None) -> Iterator[Edit]:
    path = _path(item)
    for folder, attribute, new, was in (
        ("FairShareRequestClass", "FairShare", item.fair_share, old.fair_share if old else None),
        ("ResponseTimeRequestClass", "GoalMs", _milliseconds(item), _milliseconds(old)),
    ):
        yield from _part(path, folder, attribute, new, was)
    for kind, folder in KIND_FOLDERS.items():
        yield from _part(path, folder, "Count", getattr(item, kind), getattr(old, kind) if old else None)


def _part(path: Path, folder: str, attribute: str, new: Any, was: Any) -> Iterator[Edit]:
    """One constraint or request class of a work manager: inline values get an object of their own."""
    if new == was:
        return
    own = ("resources", "SelfTuning", folder, f"{path[-1]}-{folder}")
    if isinstance(new, str):
        yield Edit(path, folder, new)
    elif new is not None:
        if was is None or isinstance(was, str):
            yield Edit(own)
        yield Edit(own, attribute, new)
        yield Edit(path, folder, own[-1])
    else:
        yield Edit(path, folder)
    if was is not None and not isinstance(was, str) and (new is None or isinstance(new, str)):
        yield Edit(own, delete=True)


def _gone(item: SharedConstraint | WorkManager) -> Iterator[Edit]:
    yield Edit(_path(item), delete=True)
    if isinstance(item, SharedConstraint):
        return
    inline = {folder: getattr(item, kind) for kind, folder in KIND_FOLDERS.items()}
    inline |= {"FairShareRequestClass": item.fair_share, "ResponseTimeRequestClass": _milliseconds(item)}
    for folder, value in inline.items():
        if value is not None and not isinstance(value, str):
            yield Edit(("resources", "SelfTuning", folder, f"{item.name}-{folder}"), delete=True)


def _milliseconds(item: WorkManager | None) -> int | None:
    return None if item is None or item.response_time_goal is None else round(item.response_time_goal * 1000)
