"""Chosen settings become the vendor's own configuration: what services and commands share."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from planner.configuration import importing
from simulations.declarations.identity import with_identities, without_identities
from simulations.declarations.parameters import changed, in_vendor_units
from simulations.declarations.problems import InvalidInput, nearest
from simulations.declarations.system import Queue, Server, System
from simulations.platforms.shared.family import Script
from simulations.scenario.spec import ScenarioSpec, parse

SCENARIO = "yaml"
"""The format of scenario files, which say everything and install nothing."""
Entity = TypeVar("Entity", Server, Queue)


@dataclass(frozen=True)
class SettingChange:
    """A chosen setting: the scenario path, the value that is installed and the one that is wanted."""

    path: str
    before: Any
    after: Any


@dataclass(frozen=True)
class Written:
    """The chosen settings, and per format the scripts that make them."""

    changes: tuple[SettingChange, ...]
    scripts: Mapping[str, tuple[Script, ...]]
    refused: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Format that can write none of them -> path of a chosen setting -> why not, and which formats write it instead."""


def _differing(base: System, wanted: ScenarioSpec) -> Iterator[SettingChange]:
    """Every setting of servers and queues that differs, as vendors can hold it; what is new differs from defaults."""
    installed: list[Server | Queue] = [*base.servers, *base.queues]
    entities: list[Server | Queue] = [*wanted.servers, *wanted.queues]
    for old, new in zip(installed, entities, strict=True):
        before, after = old.settings.model_dump(mode="json"), new.settings.model_dump(mode="json")
        for key, asked in after.items():
            value = in_vendor_units(type(new.settings), key, asked)
            if without_identities(before[key]) != without_identities(value):
                yield SettingChange(f"{new.path}.settings.{key}", before[key], value)


def configuration_written(
    *,
    installed: ScenarioSpec | None,
    wanted: ScenarioSpec,
    scenario_hash: str,
    originals: Mapping[str, bytes],
    only: Collection[str] | None = None,
) -> Written:
    """Write what leads from the installed settings to the wanted ones, in every format that can say some of it.

    ``installed``: None where nothing is yet, so that the vendor's defaults hold. ``originals``: imported files that can
    be patched. ``only``: the paths to write, all when None. Raises InvalidInput when the platforms differ or a path in
    ``only`` does not.
    """
    if installed and installed.platform != wanted.platform:
        message = f"the installed settings are of {installed.platform}, the wanted ones of {wanted.platform}"
        raise InvalidInput.at(("since",), message)
    names: importing.Names = {}
    if originals and installed:
        read = wanted.family.read(originals).scenario
        names = importing.names_in_files(wanted.system, read)
        installed, wanted = (identified(spec, importing.as_in_scenario(read, names)) for spec in (installed, wanted))
    base = _base(installed, wanted)
    changes = list(_differing(base, wanted))
    paths = [change.path for change in changes]
    for path in only or ():
        if path not in paths:
            raise InvalidInput.at(("only",), f"{path} does not differ; {nearest(path, paths)}", value=path)
    mine = tuple(change for change in changes if only is None or change.path in only)
    if not mine:
        return Written((), {})
    chosen = {change.path: change.after for change in mine}
    family = wanted.family
    made = family.write(base, chosen, scenario_hash)
    scripts: dict[str, tuple[Script, ...]] = {
        script.format: (script,) for script in made if not chosen.keys() <= set(script.left_out)
    }
    refused = {script.format: script.reasons for script in made if script.format not in scripts}
    if family.patch is not None and originals:
        mapped = {importing.path_in_files(path, names): value for path, value in chosen.items()}
        in_files = family.patch(originals, importing.system_as_in_files(base, names), mapped, scenario_hash)
        patched = importing.patched_as_in_scenario(in_files, chosen, names)
        unpatched = {path: _instead(path, reason, scripts) for path, reason in patched.refused.items()}
        if patched.scripts:
            scripts["xml"] = tuple(replace(script, reasons=unpatched) for script in patched.scripts)
        else:
            refused["xml"] = unpatched
    return Written(mine, scripts, refused)


def identified(spec: ScenarioSpec, known: Mapping[str, Any]) -> ScenarioSpec:
    """Return the scenario in which what has no identity takes that of its name in the body ``known``."""
    body = spec.body()
    found = {part: with_identities(body[part], known.get(part)) for part in importing.PARTS}
    return parse({**body, **found}) if found != {part: body[part] for part in importing.PARTS} else spec


def _instead(path: str, reason: str, scripts: Mapping[str, tuple[Script, ...]]) -> str:
    """Why the files do not get a setting, and which of the vendor's formats make it."""
    others = [
        name
        for name, made in scripts.items()
        if name != SCENARIO and any(path not in script.left_out for script in made)
    ]
    return f"{reason}; {' and '.join(others)} {'write' if len(others) > 1 else 'writes'} it" if others else reason


def scripts_of(written: Written, wanted: str) -> tuple[Script, ...]:
    """Return the scripts of one format, none where nothing differs; raises InvalidInput that names the formats."""
    if not written.changes:
        return ()
    if wanted not in written.scripts:
        message = f"{wanted} has no words for these settings; these formats have some: {', '.join(written.scripts)}"
        reasons = written.refused.get(wanted, {})
        message += "".join(f". Not written: {path}: {reason}" for path, reason in reasons.items())
        raise InvalidInput.at(("format",), message, value=wanted)
    return written.scripts[wanted]


def script_bytes(script: Mapping[str, Any], part: str) -> bytes:
    """Return a stored script's part (``apply`` or ``undo``) as the bytes of its file."""
    return str(script[part]).encode(script["encoding"])


def _base(installed: ScenarioSpec | None, wanted: ScenarioSpec) -> System:
    """The wanted servers and queues with the settings that are installed."""
    names = importing.names_in_files(wanted.system, installed.body()) if installed else {}

    def with_settings(part: str, entities: tuple[Entity, ...], others: tuple[Entity, ...]) -> tuple[Entity, ...]:
        held = {item.name: item.settings for item in others}
        found = [held.get(names.get((part, item.name), ""), type(item.settings)()) for item in entities]
        return tuple(changed(item, {"settings": own}) for item, own in zip(entities, found, strict=True))

    servers = with_settings("servers", wanted.servers, installed.servers if installed else ())
    queues = with_settings("queues", wanted.queues, installed.queues if installed else ())
    return System.model_construct(platform=wanted.platform, servers=servers, queues=queues)
