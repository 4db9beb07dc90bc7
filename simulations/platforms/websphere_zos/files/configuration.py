"""Configuration of WebSphere for z/OS: scenario and vendor files in; scenario files, wsadmin and MQSC scripts out."""

from collections.abc import Mapping
from typing import Any

from simulations.declarations.system import System
from simulations.platforms.files.importing.scenario_file import is_scenario_of, scripts_written
from simulations.platforms.files.importing.vendor_files import scenario_alone
from simulations.platforms.files.syntax.signatures import has_line, root_of
from simulations.platforms.files.websphere import wsadmin, wsadmin_specs
from simulations.platforms.files.websphere.admin_config import is_printed
from simulations.platforms.files.websphere.mqsc import backout_script
from simulations.platforms.files.websphere.reading import read_cell
from simulations.platforms.files.websphere.resources import holds_specs
from simulations.platforms.files.websphere.server import BINDINGS, holds_server, is_of_zos
from simulations.platforms.shared.activation import SETTINGS
from simulations.platforms.shared.family import Change, Reading, Script, changed_system, changes_of
from simulations.platforms.websphere_zos.files.server import CELL
from simulations.platforms.websphere_zos.parameters import SPEC_ONLY, ListenerPort, ServerSettings
from simulations.platforms.websphere_zos.rules.servant_checks import OF_PORTS

NAME = CELL.platform
REGIONS = (b"control_region_", b"server_region_", b"servant_region_", b"wlm_minimumSRCount", b"wlm_maximumSRCount")
"""How the variables begin."""


def recognises(file: str, content: bytes) -> bool:
    """True for a scenario of this platform, variables.xml, was.env, and a server.xml with what only z/OS knows."""
    root = root_of(content)[0]
    if not root:
        return is_scenario_of(content, NAME) or has_line(content, *REGIONS) or is_printed(content)
    of_server = holds_server(root, content) and is_of_zos(content)
    return of_server or root in ("VariableMap", *BINDINGS) or holds_specs(root, content)


def read(files: Mapping[str, bytes]) -> Reading:
    """Read a scenario file, or server.xml, variables.xml and was.env together.

    Raises InvalidInput for a file that is hostile or none of these.
    """
    return scenario_alone(files, NAME) or read_cell(files, CELL)


def write(system: System, chosen: Mapping[str, Any], scenario_hash: str) -> tuple[Script, ...]:
    """Return the scripts that make the chosen settings; raises InvalidInput for an unknown path or value."""
    changes = changes_of(system, chosen)
    scripts = (_wsadmin(system, changes, scenario_hash), backout_script(system, changes, scenario_hash))
    return scripts_written(system, changes, scenario_hash, *scripts)


def _wsadmin(system: System, changes: tuple[Change, ...], scenario_hash: str) -> Script | None:
    after = changed_system(system, changes)
    made = wsadmin_specs.becoming(system, after)
    moved = [change for change in changes if change.setting == "endpoint" and change.entity.name in made]
    others = [change for change in changes if change not in moved]
    unwritten = wsadmin_specs.refusals(changes, system, after, OF_PORTS, (*SETTINGS, *SPEC_ONLY))
    writers = {**wsadmin.writers_of(ServerSettings, ListenerPort, made), "endpoint": wsadmin_specs.spec_switch(after)}
    ports = wsadmin_specs.ports_alone(system)
    return wsadmin.script(ports, (*moved, *others), writers, scenario_hash, unwritten=unwritten)
