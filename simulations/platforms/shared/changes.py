"""Chosen settings as a list of changes, each validated: what every script writer starts from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from simulations.declarations.parameters import changed
from simulations.declarations.path_text import keys_in
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
    entities, by_entity = _entities(system), dict[tuple[str, str], dict[str, Any]]()
    problems = []
    for path, value in chosen.items():
        kind, name, word, setting = _setting_keys(path)
        if (kind, name) not in entities or word != "settings":
            message = f"no setting lies at this path; {nearest(path, _paths(entities))}"
            problems.append(Problem("", path, "unknown_path", message))
            continue
        by_entity.setdefault((kind, name), {})[setting] = value
    changes: list[Change] = []
    for key, values in by_entity.items():
        entity = entities[key]
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
    values: dict[tuple[type, str], dict[str, Any]] = {}
    for change in changes:
        values.setdefault((type(change.entity), change.entity.name), {})[change.setting] = change.after

    def updated(entity: Server | Queue) -> Any:
        new = values.get((type(entity), entity.name))
        return entity if new is None else changed(entity, {"settings": changed(entity.settings, new)})

    return System(
        platform=system.platform,
        servers=tuple(updated(server) for server in system.servers),
        queues=tuple(updated(queue) for queue in system.queues),
    )


def _entities(system: System) -> dict[tuple[str, str], Server | Queue]:
    """Every server and queue by the first two keys of its paths."""
    servers: dict[tuple[str, str], Server | Queue] = {("servers", server.name): server for server in system.servers}
    return {**servers, **{("queues", queue.name): queue for queue in system.queues}}


def _paths(entities: Mapping[tuple[str, str], Server | Queue]) -> list[str]:
    return sorted(
        f"{entity.path}.settings.{setting}"
        for entity in entities.values()
        for setting in type(entity.settings).model_fields
    )


def _setting_keys(path: str) -> tuple[str, str, str, str]:
    """The four keys of a path to a setting; nothing instead of those that it lacks."""
    try:
        kind, name, word, setting = keys_in(path)
    except (KeyError, ValueError):
        return "", "", "", ""
    return kind, name, word, setting
