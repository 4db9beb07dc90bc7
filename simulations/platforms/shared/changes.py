"""Chosen settings as a list of changes, each validated: what every script writer starts from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from simulations.declarations.parameters import changed
from simulations.declarations.path_text import keys_in, path_of
from simulations.declarations.problems import InvalidInput, Problem, nearest, problems_of
from simulations.declarations.system import Queue, Server, System


@dataclass(frozen=True)
class Change:
    """One setting of one server or queue: its value before and after."""

    entity: Server | Queue
    setting: str
    before: Any
    after: Any

    @property
    def path(self) -> str:
        """The scenario path of the setting."""
        return f"{self.entity.path}.settings.{self.setting}"

    @property
    def reverse(self) -> "Change":
        """The change that takes this one back."""
        return Change(self.entity, self.setting, self.after, self.before)


def changes_of(system: System, chosen: Mapping[str, Any]) -> tuple[Change, ...]:
    """Return the changes that ``chosen`` (scenario path -> value) makes; raises InvalidInput with every problem."""
    entities: tuple[Server | Queue, ...] = (*system.servers, *system.queues)
    holders = {f"{entity.path}.settings": entity for entity in entities}
    by_holder, problems = dict[str, dict[str, Any]](), []
    for path, value in chosen.items():
        holder, _, setting = _normal(path).rpartition(".")
        if holder not in holders:
            known = (f"{place}.{name}" for place, item in holders.items() for name in type(item.settings).model_fields)
            message = f"no setting lies at this path; {nearest(path, sorted(known))}"
            problems.append(Problem("", path, "unknown_path", message))
            continue
        by_holder.setdefault(holder, {})[setting] = value
    changes: list[Change] = []
    for holder, values in by_holder.items():
        entity = holders[holder]
        try:
            after = changed(entity.settings, values)
        except ValidationError as error:
            problems.extend(problems_of(error, type(entity.settings), values))
            continue
        changes.extend(Change(entity, name, getattr(entity.settings, name), getattr(after, name)) for name in values)
    if problems:
        raise InvalidInput(problems)
    return tuple(changes)


def changed_system(system: System, changes: tuple[Change, ...]) -> System:
    """Return the system with all changes made; those of one entity together, as they may only fit together."""
    values: dict[str, dict[str, Any]] = {}
    for change in changes:
        values.setdefault(change.entity.path, {})[change.setting] = change.after

    def updated(entity: Server | Queue) -> Any:
        new = values.get(entity.path)
        return entity if new is None else changed(entity, {"settings": changed(entity.settings, new)})

    return System(
        platform=system.platform,
        servers=tuple(updated(server) for server in system.servers),
        queues=tuple(updated(queue) for queue in system.queues),
    )


def _normal(path: str) -> str:
    """The path as ``path_of`` writes it; empty where it is none."""
    try:
        return path_of(*keys_in(path))
    except KeyError:
        return ""
