"""Vendor configuration becomes a scenario with an account of every element: what services and commands share.

Also: which server or queue of the files a scenario means, when people renamed it or an older version did.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic_core import to_jsonable_python

from planner.answers.values import platform_wanted
from planner.configuration.uploads import FileSet, storable
from simulations.declarations.problems import InvalidInput, problem
from simulations.declarations.system import Queue, Server, System
from simulations.declarations.texts import keys_in, path_of
from simulations.platforms import PLATFORMS
from simulations.platforms.files.foreign_files import stranger
from simulations.platforms.files.importing.drafts import ASKED, without_choice
from simulations.platforms.files.syntax.tree import refuse
from simulations.platforms.shared.family import Patched, Platform, Understood
from simulations.scenario.spec import ScenarioSpec, parse

MOST_IGNORED = 2_000
"""Elements without a meaning that an account names one by one."""
STATUSES = ("contradictory", "unresolved", "understood", "defaulted", "ignored")
"""What may become of an element, those first that somebody has to look at."""
PARTS = ("servers", "queues")
TOLD_APART_BY = ("name", "kind", "module")
"""What two objects of one identity have in common."""
OLDER = re.compile(r"[^A-Za-z0-9_ -]+")
"""What older versions replaced in a vendor's name, which they cut after 100 characters."""
Names = Mapping[tuple[str, str], str]
"""Part of a scenario and name of its server or queue -> the name that reading the files gives."""


@dataclass(frozen=True)
class ScenarioReading:
    """The scenario that the files describe, and what became of each of their elements."""

    spec: ScenarioSpec
    account: tuple[Understood, ...]
    stated: Mapping[str, Any]
    """The scenario's body as the files give it: without the defaults of what they leave out."""

    @property
    def body(self) -> list[dict[str, Any]]:
        """The account as JSON values."""
        lines: list[dict[str, Any]] = to_jsonable_python(self.account)
        return lines


def configuration_read(files: Mapping[str, bytes], *, platform: str = "", name: str = "") -> ScenarioReading:
    """Return the scenario in the files. Without ``platform`` (a family or its short spelling) they say it themselves.

    Raises InvalidInput that names file and line for anything hostile, broken or unknown, and the clusters where several
    might be meant.
    """
    decided, notes = (files.platform, files.notes) if isinstance(files, FileSet) else ("", ())
    reading = platform_of(files, platform or decided).read(files)
    asked = [problem((ASKED,), line.message) for line in reading.account if line.path == ASKED]
    if asked:
        raise InvalidInput(asked)
    body = dict(reading.scenario)
    if name or body.get("name") in (None, "Imported"):  # a scenario file has a name; vendor files do not
        body["name"] = name or f"Imported from {next(iter(files))}"[:200]
    wrong = {_spot(line) if line.line else line.path for line in reading.account if line.status == "contradictory"}
    kept = (line for line in reading.account if line.status != "understood" or not {line.path, _spot(line)} & wrong)
    cleaned = (replace(line, path=storable(line.path), message=storable(line.message)) for line in kept)
    return ScenarioReading(parse(body), (*_shortened(cleaned), *notes), body)


def _spot(line: Understood) -> tuple[str, int, str]:
    return line.file, line.line, line.path.rpartition(".")[2]


def platform_of(files: Mapping[str, bytes], wanted: str = "") -> Platform:
    """Return the family that is wanted, else the only one that recognises all files; raises InvalidInput."""
    given = without_choice(files)
    owners = {file: [item for item in PLATFORMS.values() if item.recognises(file, given[file])] for file in given}
    families = [item for item in PLATFORMS.values() if all(item in found for found in owners.values())]
    chosen = platform_wanted(wanted) if wanted else None
    if len(families) == 1 and chosen is None:
        return families[0]
    strange = [(file, stranger(content)) for file, content in given.items() if chosen not in owners[file]]
    known = [problem for file, sentence in strange if sentence for problem in refuse(file, 0, sentence).problems]
    if known:
        raise InvalidInput(known)
    if chosen:
        return chosen
    seen = "; ".join(
        f"{file}: {', '.join(item.title for item in found) or 'unknown'}" for file, found in owners.items()
    )
    names = ", ".join(f"{item.title} ({item.name})" for item in families or PLATFORMS.values())
    message = f"it is not clear which platform the files belong to ({seen}); choose one of {names}"
    raise InvalidInput.at(("platform",), message)


def account_counts(account: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return how many lines of an account have each status."""
    found = [line["status"] for line in account]
    return {status: found.count(status) for status in STATUSES}


def _shortened(lines: Iterable[Understood]) -> Iterator[Understood]:
    """Name the first elements that mean nothing to a simulation, and count the others."""
    left = 0
    for line in lines:
        left += line.status == "ignored"
        if line.status != "ignored" or left <= MOST_IGNORED:
            yield line
    if left > MOST_IGNORED:
        yield Understood("ignored", "files", f"{left - MOST_IGNORED:,} further elements are not used")


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


def patched_as_in_scenario(patched: Patched, chosen: Iterable[str], names: Names) -> Patched:
    """Return patched files with the scenario's own paths of what they left out."""
    own = {path_in_files(path, names): path for path in chosen}
    refused = {own.get(path, path): reason for path, reason in patched.refused.items()}
    scripts = [replace(item, left_out=tuple(own.get(path, path) for path in item.left_out)) for item in patched.scripts]
    return Patched(tuple(scripts), refused)


def path_in_files(path: str, names: Names) -> str:
    """Return a scenario path as it is called in the files."""
    part, name, *rest = keys_in(path)
    return path_of(part, names.get((part, name), name), *rest)


def _name_in(entity: Server | Queue, items: Iterable[Mapping[str, Any]]) -> str:
    known = [(str(item["name"]), item.get("identity") or {}) for item in items]
    if entity.identity is not None and entity.identity.name:
        wanted = [getattr(entity.identity, key) for key in TOLD_APART_BY]
        same = [name for name, identity in known if [identity.get(key, "") for key in TOLD_APART_BY] == wanted]
        if len(same) == 1:
            return same[0]
    alike = [name for name, _ in known if name == entity.name]
    alike = alike or [name for name, _ in known if OLDER.sub("_", name).lstrip(" -")[:100] == entity.name]
    return alike[0] if len(alike) == 1 else ""
