"""One scenario body out of what was read, with a full account; the scenario's own YAML, read and written completely."""

import re
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

import yaml
from pydantic import ValidationError

from simulations.declarations.identity import UNLIMITED
from simulations.declarations.parameters import PlatformParameters, parameters_of
from simulations.declarations.paths import value_in
from simulations.declarations.problems import InvalidInput, Problem, problems_of, short
from simulations.declarations.system import ASSUMED, MAX_ENTRIES, System
from simulations.declarations.texts import path_of
from simulations.platforms.files.importing.drafts import Draft
from simulations.platforms.files.syntax.text_files import load
from simulations.platforms.files.syntax.tree import refuse
from simulations.platforms.shared.family import Change, Reading, Script, Understood, change_lines, changed_system

DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
"""The compiled dumper where PyYAML has it; both write plain data only."""


def check_number(queues: Mapping[str, Draft]) -> None:
    """Raise InvalidInput when there are more queues than a scenario holds: early, before more work is done."""
    if len(queues) > MAX_ENTRIES:
        message = f"the files describe {len(queues)} queues or more, a scenario holds {MAX_ENTRIES}; import fewer files"
        raise InvalidInput.at(("files",), message)


def assemble(
    platform: str,
    server_model: type[PlatformParameters],
    queue_model: type[PlatformParameters],
    servers: Mapping[str, Draft],
    queues: Mapping[str, Draft],
    said: Iterable[Understood] = (),
) -> Reading:
    """Return the scenario body; values the platform forbids are contradictory, what no file says is defaulted.
    ``said``: the lines with which its account begins."""
    check_number(queues)
    account = [*said]
    server_bodies = [_body(draft, server_model, account) for draft in servers.values()]
    queue_bodies = [_body(draft, queue_model, account) for draft in queues.values()]
    for draft, body in zip(servers.values(), server_bodies, strict=True):
        for key, value in (("cpus", 1), ("instances", 1)):
            if body.setdefault(key, value) == value and key not in draft.fields:
                account.append(Understood("defaulted", f"{draft.path}.{key}", f"{value}: no file says it"))
    for draft, body in zip(queues.values(), queue_bodies, strict=True):
        body.setdefault("server", next(iter(servers)))
        for key, text in (("arrivals", "10 messages/s"), ("service", "100 ms")):
            body[key] = ASSUMED[key].model_dump(mode="json", exclude_none=True)
            body["identity"] = {**body["identity"], f"{key}_assumed": True}
            message = f"load unknown: enter it or import a log; until then {text} is a placeholder"
            account.append(Understood("defaulted", f"{draft.path}.{key}", message))
    body = {"sluice": 1, "name": "Imported", "platform": platform, "servers": server_bodies, "queues": queue_bodies}
    spots = {path: spot for draft in (*servers.values(), *queues.values()) for path, spot in draft.spots.items()}
    return Reading(body, tuple(account), spots)


def _body(draft: Draft, model: type[PlatformParameters], account: list[Understood]) -> dict[str, Any]:
    settings = _accepted(draft, model, account)
    for item in parameters_of(model):
        if item.name not in settings:
            path = f"{draft.path}.settings.{item.name}"
            account.append(Understood("defaulted", path, f"{item.default!r}: no file says it"))
    body = {"name": draft.name, "identity": {}, **draft.fields, "settings": settings}
    if draft.unlimited:
        parts = [{"role": UNLIMITED, "name": name} for name in sorted(draft.unlimited)]
        body["identity"] = {**body["identity"], "parts": [*body["identity"].get("parts", ()), *parts]}
    return body


def _accepted(draft: Draft, model: type[PlatformParameters], account: list[Understood]) -> dict[str, Any]:
    """Leave out what the platform's limits forbid, one value after the other, until the rest is valid."""
    settings: dict[str, Any] = deepcopy({key: item.value for key, item in draft.settings.items()})
    while True:
        try:
            model.model_validate(settings)
        except ValidationError as error:
            first = problems_of(error, model, settings)[0]
            place = _wrong(first, settings)
            name = str(place[0])
            found, path = draft.settings[name], f"{draft.path}.settings.{first.path or name}"
            message = first.message if first.pointer else f"{short(settings[name])}: {first.message}"
            del value_in(settings, place[:-1])[place[-1]]
            left = "left out" if isinstance(place[-1], int) else "the default counts"
            account.append(Understood("contradictory", path, f"{message}; {left}", found.file, found.line))
        else:
            return settings


def _wrong(found: Problem, settings: dict[str, Any]) -> tuple[str | int, ...]:
    """Where lies what to leave out: what lacks a value as a whole, of several the last setting that is named."""
    named = (key for key in reversed(settings) if key in found.message)
    steps = found.pointer.split("/")[1:] or [next(named, next(reversed(settings)))]
    place = tuple(int(step) if step.isdecimal() else step for step in steps)
    return place[:-1] if found.code == "missing" else place


def is_scenario(content: bytes) -> bool:
    """True when the file says that it is a scenario: a key ``sluice``, in YAML at the beginning of a line."""
    if _is_json(content):
        return b'"sluice"' in content
    return any(line.startswith(b"sluice:") for line in content.splitlines())


def is_scenario_of(content: bytes, platform: str) -> bool:
    """True when the file says that it is a scenario of this platform."""
    name = re.escape(platform.encode())
    pattern = rb"^platform:[ \t]*[\"']?" + name + rb"[\"']?[ \t]*(?:#.*)?$"
    if _is_json(content):
        pattern = rb'"platform"\s*:\s*"' + name + rb'"'
    return is_scenario(content) and re.search(pattern, content.replace(b"\r", b""), re.MULTILINE) is not None


def _is_json(content: bytes) -> bool:
    return content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")


def read_scenario(content: bytes, file: str, platform: str) -> Reading:
    """Read a scenario file; every leaf is accounted for with its line."""
    entry = load(content, file)
    if not isinstance(entry.value, dict):
        raise refuse(file, 1, "a scenario is a mapping of keys and values")
    if entry.value.get("platform") != platform:
        found = entry.value.get("platform")
        raise refuse(file, entry.lines.get(("platform",), 1), f"the scenario is for {found!r}, not for {platform!r}")
    held = {path: value_in(entry.value, path) for path in entry.lines if path}
    leaves = [path for path, value in held.items() if not value or not isinstance(value, dict | list)]
    account = (Understood("understood", path_of(*path), "taken as written", file, entry.lines[path]) for path in leaves)
    return Reading(entry.value, tuple(account))


def scripts_written(
    system: System, changes: tuple[Change, ...], scenario_hash: str, *scripts: Script | None
) -> tuple[Script, ...]:
    """Return the scenario file, with and without the changes, and those of the vendor's scripts that there are."""
    header = f"# Written by Sluice for the scenario {scenario_hash}\n"
    listed = "".join(f"# {line}\n" for line in change_lines(changes))
    apply = header + listed + scenario_text(changed_system(system, changes))
    undo = header + "# Takes the changes back\n" + scenario_text(system)
    return (Script("yaml", "scenario.yaml", apply, undo), *filter(None, scripts))


def scenario_text(system: System) -> str:
    """Return the system as a scenario file with all settings written out."""
    body: dict[str, Any] = {"sluice": 1, "name": "Exported scenario", **system.model_dump(mode="json")}
    return yaml.dump(body, Dumper=DUMPER, sort_keys=False, allow_unicode=True)
