"""The tiny family's files: scenarios, and ``tiny.conf`` with one line per server."""

from collections.abc import Mapping
from typing import Any

from simulations.declarations.system import System
from simulations.declarations.texts import as_name
from simulations.platforms.files.importing.drafts import Draft, number_of
from simulations.platforms.files.importing.scenario_body import (
    assemble,
    is_scenario,
    is_scenario_of,
    read_scenario,
    scripts_written,
)
from simulations.platforms.files.patching.shell import shell_script
from simulations.platforms.files.syntax.text_files import load_properties
from simulations.platforms.files.syntax.tree import Account
from simulations.platforms.shared.family import Reading, Script, Understood, changes_of
from tests.simulations.platforms.tiny.parameters import QueueSettings, ServerSettings

NAME = "tiny"


def recognises(file: str, content: bytes) -> bool:
    """True for ``*.conf`` files and the family's scenarios."""
    return file.endswith(".conf") or is_scenario_of(content, NAME)


def read(files: Mapping[str, bytes]) -> Reading:
    """Read a scenario, or lines such as ``server.a.threads=5``."""
    servers: dict[str, Draft] = {}
    lines: list[Understood] = []
    for file, content in files.items():
        if is_scenario(content):
            return read_scenario(content, file, NAME)
        root, account = load_properties(content, file), Account(file)
        for item in root.children:
            kind, _, rest = item.key.partition(".")
            name, _, setting = rest.rpartition(".")
            if (kind, setting) != ("server", "threads"):
                continue
            draft = servers.setdefault(name, Draft("servers", as_name(name)))
            value = number_of(item, account, f"{draft.path}.settings.threads")
            if value is not None:
                draft.put("threads", value, account, item)
        lines += account.finish(root)
    servers = servers or {"server": Draft("servers", "server")}
    reading = assemble(NAME, ServerSettings, QueueSettings, servers, {"queue": Draft("queues", "queue")})
    return Reading(reading.scenario, (*lines, *reading.account))


def write(system: System, chosen: Mapping[str, Any], scenario_hash: str) -> tuple[Script, ...]:
    """Return the scenario file and a shell script."""
    changes = changes_of(system, chosen)
    script = shell_script(
        "tinyctl",
        changes,
        lambda items: [
            (item.path, item.entity.name, "threads", str(item.after)) for item in items if item.setting == "threads"
        ],
        'held() { tinyctl get "$1" "$2"; }\nmake() { tinyctl set "$1" "$2" "$3"; }',
        scenario_hash,
        {},
    )
    return scripts_written(system, changes, scenario_hash, script)
