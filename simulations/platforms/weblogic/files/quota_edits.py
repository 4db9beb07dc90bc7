"""Quotas as edits: a destination gets one of its own where it has none, and loses it when nothing is limited."""

from collections.abc import Iterator
from typing import Any

from simulations.declarations.parameters import addresses_of
from simulations.platforms.shared.family import Change
from simulations.platforms.weblogic.files.names import camel
from simulations.platforms.weblogic.parameters.mdb import MAX_LONG, MdbSettings

ATTRIBUTES = {declared.name: camel(path[-1]) for path, declared in addresses_of(MdbSettings, "quota").items()}
"""Setting of the queue -> attribute of the quota."""


def quota_values(change: Change, changes: tuple[Change, ...]) -> Iterator[tuple[str, Any]]:
    """Yield what the change sets at the quota; nothing where the destination has none afterwards.

    The first change of a quota that is new sets all its attributes, as nothing has set the others before.
    """
    if not is_limited(change, changes, made=True):
        return
    after = _limits(change, changes, made=True)
    completes = change is _mine(change, changes)[0] and not is_limited(change, changes, made=False)
    for setting, attribute in ATTRIBUTES.items():
        if completes or setting == change.setting:
            yield attribute, MAX_LONG if after[setting] == -1 else after[setting]


def is_limited(change: Change, changes: tuple[Change, ...], *, made: bool) -> bool:
    """Whether the destination has a quota, before the changes or when they are ``made``."""
    limits = _limits(change, changes, made=made)
    return any(limits[setting] != -1 for setting in ("messages_quota", "bytes_quota"))


def _limits(change: Change, changes: tuple[Change, ...], *, made: bool) -> dict[str, Any]:
    values = {setting: getattr(change.entity.settings, setting) for setting in ATTRIBUTES}
    return values | {item.setting: item.after if made else item.before for item in _mine(change, changes)}


def _mine(change: Change, changes: tuple[Change, ...]) -> list[Change]:
    return [item for item in changes if item.entity is change.entity and item.setting in ATTRIBUTES]
