"""The scenario's own YAML: the one format that every platform reads and writes completely."""

import re
from typing import Any

import yaml

from simulations.declarations.paths import value_in
from simulations.declarations.system import System
from simulations.declarations.texts import path_of
from simulations.platforms.files.syntax.tree import refuse
from simulations.platforms.files.syntax.yaml_file import load
from simulations.platforms.shared.family import Change, Reading, Script, Understood, changed_system

DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
"""The compiled dumper where PyYAML has it; both write plain data only."""


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
    listed = "".join(f"# {change.path}: {change.before} -> {change.after}\n" for change in changes)
    apply = header + listed + scenario_text(changed_system(system, changes))
    undo = header + "# Takes the changes back\n" + scenario_text(system)
    return (Script("yaml", "scenario.yaml", apply, undo), *filter(None, scripts))


def scenario_text(system: System) -> str:
    """Return the system as a scenario file with all settings written out."""
    body: dict[str, Any] = {"sluice": 1, "name": "Exported scenario", **system.model_dump(mode="json")}
    return yaml.dump(body, Dumper=DUMPER, sort_keys=False, allow_unicode=True)
