"""Configuration of WebSphere: scenario files in and out, wsadmin and MQSC scripts out."""

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from simulations.declarations.system import Queue, System
from simulations.platforms.files.foreign_files import stranger
from simulations.platforms.files.importing.scenario_body import is_scenario_of, scripts_written
from simulations.platforms.files.patching.patched_files import patched_files
from simulations.platforms.files.patching.rewriting import rewritten
from simulations.platforms.files.syntax.signatures import root_of
from simulations.platforms.files.websphere import wsadmin, wsadmin_specs
from simulations.platforms.files.websphere.admin_config import is_printed
from simulations.platforms.files.websphere.mqsc import backout_script
from simulations.platforms.files.websphere.reading import read_cell
from simulations.platforms.files.websphere.resources import holds_specs
from simulations.platforms.files.websphere.server import BINDINGS, holds_server, is_of_zos
from simulations.platforms.shared.activation import SETTINGS, is_spec
from simulations.platforms.shared.family import Change, Patched, Script, changed_system, changes_of
from simulations.platforms.websphere.files.server import CELL, ORDER, mode_of
from simulations.platforms.websphere.formulas import port_of
from simulations.platforms.websphere.parameters import SPEC_ONLY, ListenerPort, ServerSettings
from simulations.platforms.websphere.rules.activation_checks import OF_ENDPOINTS, OF_PORTS, OF_SESSIONS

NAME = CELL.platform
SWITCH = ("mode", "receive_timeout")
OF_SPECS = (*SETTINGS, *SPEC_ONLY)
FILES_DIFFER = "listener ports and activation specifications stand in different files; a script makes the change"
NO_SCRIPT = {
    "provider": wsadmin_specs.BY_HAND,
    "mdb_pool_maximum": "a system property of the virtual machine says it, for each bean",
}
"""Settings of activation specifications that no command has a flag for."""


read = partial(read_cell, cell=CELL)
"""Reads a scenario file, or the server.xml and resources.xml files of one or several servers."""


def recognises(file: str, content: bytes) -> bool:
    """True for a scenario of this platform, a resources.xml, and a server.xml without what only z/OS knows."""
    root = root_of(content)[0]
    of_server = holds_server(root, content) and not is_of_zos(content) and not stranger(content)
    of_others = holds_specs(root, content) or root in BINDINGS or is_printed(content)
    return is_scenario_of(content, NAME) or of_server or of_others


def write(system: System, chosen: Mapping[str, Any], scenario_hash: str) -> tuple[Script, ...]:
    """Return the scripts that make the chosen settings; raises InvalidInput for an unknown path or value."""
    changes = changes_of(system, chosen)
    scripts = (_wsadmin(system, changes, scenario_hash), backout_script(system, changes, scenario_hash))
    return scripts_written(system, changes, scenario_hash, *scripts)


def _wsadmin(system: System, changes: tuple[Change, ...], scenario_hash: str) -> Script:
    switched, unwritten = _switched(system, changes)
    after = changed_system(system, changes)
    made = wsadmin_specs.becoming(system, after)
    moved = [change for change in changes if change.setting == "mode" and change.entity.name in made]
    others = [change for change in changes if change.setting not in SWITCH]
    unwritten |= wsadmin_specs.refusals(changes, system, after, OF_PORTS, OF_SPECS) | _by_hand(changes, after, made)
    writers = {**wsadmin.writers_of(ServerSettings, ListenerPort, made), "mode": wsadmin_specs.spec_switch(after)}
    waits = tuple(Change(queue, "receive_timeout", None, port_of(queue).wait) for queue in system.queues)
    ports = wsadmin_specs.ports_alone(changed_system(system, waits))  # 0 in ASF mode, as the vendor writes it
    mixed = [item.entity for item in switched if wsadmin.refusal(ports, tuple(switched), item, writers)]
    unwritten |= {item.path: wsadmin.DIFFER for item in changes if item.setting == "mode" and item.entity in mixed}
    return wsadmin.script(ports, (*moved, *others, *switched), writers, scenario_hash, unwritten=unwritten)


def _by_hand(changes: tuple[Change, ...], after: System, made: Collection[str]) -> dict[str, str]:
    """What no command writes, and what only the other messaging provider reads."""
    found = {change.path: NO_SCRIPT[change.setting] for change in changes if change.setting in NO_SCRIPT}
    for queue in after.queues:
        on_bus = port_of(queue).provider == "default_messaging"
        by_hand = (*SETTINGS, "mode", *(OF_ENDPOINTS[:1] if queue.name in made else ())) if on_bus else ()
        reasons = dict.fromkeys(by_hand, wsadmin_specs.BY_HAND)
        reasons |= dict.fromkeys(OF_SESSIONS if on_bus else OF_ENDPOINTS, wsadmin_specs.NO_EFFECT)
        mine = [change for change in changes if change.entity.name == queue.name and is_spec(queue)]
        found |= {change.path: reasons[change.setting] for change in mine if change.setting in reasons}
    return found


def _switched(system: System, changes: tuple[Change, ...]) -> tuple[list[Change], dict[str, str]]:
    """Mode and receive timeout are one property for the vendor: 0 is ASF, anything else non-ASF and the wait. The
    second value names chosen settings that make no difference to it."""
    after = {queue.name: queue for queue in changed_system(system, changes).queues}
    switched: list[Change] = []
    unwritten: dict[str, str] = {}
    for queue in system.queues:
        if is_spec(queue) or is_spec(after[queue.name]):
            continue
        was, now = port_of(queue).wait, port_of(after[queue.name]).wait
        if was != now:
            switched.append(Change(queue, "receive_timeout", was, now))
        else:
            mine = [change for change in changes if change.entity is queue and change.setting in SWITCH]
            unwritten |= {change.path: wsadmin_specs.NO_EFFECT for change in mine}
    return switched, unwritten


def patch(files: Mapping[str, bytes], system: System, chosen: Mapping[str, Any], scenario_hash: str) -> Patched:
    """Return the uploaded files with the chosen settings, also those they leave out, and every other byte as it was."""
    changes = changes_of(system, chosen)
    switched, unwritten = _switched(system, changes)
    modes = [Change(item.entity, "mode", mode_of(item.before), mode_of(item.after)) for item in switched]
    others = [change for change in changes if change.setting not in SWITCH]
    unwritten |= _kinds_changed(system, changes)
    made, refused = rewritten(files, [*others, *switched, *modes], read, ORDER)
    mine = {path: reason for path, reason in (refused | unwritten).items() if path in chosen}
    return patched_files(files, made, mine, scenario_hash)


def _kinds_changed(system: System, changes: tuple[Change, ...]) -> dict[str, str]:
    """The chosen modes and waits of queues that have or get an activation specification."""
    after = {queue.name: queue for queue in changed_system(system, changes).queues}
    return {
        change.path: FILES_DIFFER if change.setting == "mode" else wsadmin_specs.NO_EFFECT
        for change in changes
        if change.setting in SWITCH and isinstance(change.entity, Queue)
        if is_spec(change.entity) or is_spec(after[change.entity.name])
    }
