"""Which server or queue of the imported files a scenario means, when people renamed it or an older version did."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from simulations.declarations.system import Queue, Server, System
from simulations.declarations.texts import keys_in, path_of
from simulations.platforms.shared.family import Patched

PARTS = ("servers", "queues")
TOLD_APART_BY = ("name", "kind", "module")
"""What two objects of one identity have in common."""
Names = Mapping[tuple[str, str], str]
"""Part of a scenario and name of its server or queue -> the name that reading the files gives."""


def names_in_files(system: System, body: Mapping[str, Any]) -> Names:
    """Return what ``body`` calls each server and queue of the system: by identity, else by name."""
    return {
        (part, entity.name): found
        for part, entities in (("servers", system.servers), ("queues", system.queues))
        for entity in entities
        if (found := _name_in(entity, body.get(part, ())))
    }


def as_in_scenario(body: Mapping[str, Any], names: Names) -> dict[str, Any]:
    """Return a body that was read from files with the scenario's names."""
    own = {(part, name): called for (part, called), name in names.items()}
    parts = {
        part: [{**item, "name": own.get((part, item["name"]), item["name"])} for item in body.get(part, ())]
        for part in PARTS
    }
    return {**body, **parts}


def system_as_in_files(system: System, names: Names) -> System:
    """Return the system with the names that reading the files gives."""

    def renamed(part: str, entity: Any) -> Any:
        changes = {"name": names.get((part, entity.name), entity.name)}
        if part == "queues":
            changes["server"] = names.get(("servers", entity.server), entity.server)
        return entity.model_copy(update=changes)

    return System.model_construct(
        platform=system.platform,
        servers=tuple(renamed("servers", server) for server in system.servers),
        queues=tuple(renamed("queues", queue) for queue in system.queues),
    )


def paths_as_in_files(chosen: Mapping[str, Any], names: Names) -> dict[str, Any]:
    """Return chosen settings by the paths that they have in the files."""
    return {_path(path, names): value for path, value in chosen.items()}


def patched_as_in_scenario(patched: Patched, chosen: Iterable[str], names: Names) -> Patched:
    """Return patched files with the scenario's own paths of what they left out."""
    own = {_path(path, names): path for path in chosen}
    refused = {own.get(path, path): reason for path, reason in patched.refused.items()}
    scripts = [replace(item, left_out=tuple(own.get(path, path) for path in item.left_out)) for item in patched.scripts]
    return Patched(tuple(scripts), refused)


def _path(path: str, names: Names) -> str:
    part, name, *rest = keys_in(path)
    return path_of(part, names.get((part, name), name), *rest)


def _name_in(entity: Server | Queue, items: Iterable[Mapping[str, Any]]) -> str:
    known = [(str(item["name"]), item.get("identity") or {}) for item in items]
    if entity.identity is not None and entity.identity.name:
        wanted = [getattr(entity.identity, key) for key in TOLD_APART_BY]
        same = [name for name, identity in known if [identity.get(key, "") for key in TOLD_APART_BY] == wanted]
        if len(same) == 1:
            return same[0]
    alike = [name for name, _ in known if name == entity.name] or [
        name for name, _ in known if _before_any_characters(name) == entity.name
    ]
    return alike[0] if len(alike) == 1 else ""


def _before_any_characters(name: str) -> str:
    """What imports made of a vendor's name when names had letters, digits, blanks, hyphens and underscores only."""
    return re.sub(r"[^A-Za-z0-9_ -]+", "_", name).lstrip(" -")[:100]
