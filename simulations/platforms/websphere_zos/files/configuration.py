"""Configuration of WebSphere for z/OS: scenario and vendor files in; scenario files, wsadmin and MQSC scripts out."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from simulations.declarations.parameters import addresses_of
from simulations.declarations.system import System
from simulations.platforms.files.importing.declared import read_attributes, read_value
from simulations.platforms.files.importing.drafts import Draft, Queues
from simulations.platforms.files.importing.scenario_body import is_scenario_of, scripts_written
from simulations.platforms.files.syntax.signatures import has_line, root_of
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.files.websphere import server, wsadmin, wsadmin_specs
from simulations.platforms.files.websphere.admin_config import is_printed
from simulations.platforms.files.websphere.mqsc import backout_script
from simulations.platforms.files.websphere.reading import Cell, read_cell
from simulations.platforms.files.websphere.resources import holds_specs
from simulations.platforms.shared.activation import SETTINGS
from simulations.platforms.shared.family import Change, Script, changed_system, changes_of
from simulations.platforms.websphere_zos.parameters import SPEC_ONLY, ListenerPort, ServerSettings
from simulations.platforms.websphere_zos.rules.servant_checks import OF_PORTS

INSTANCES = addresses_of(ServerSettings, "ServerInstance")
VARIABLES = {
    "wlm_minimumSRCount": INSTANCES["minimumNumOfInstances",],
    "wlm_maximumSRCount": INSTANCES["maximumNumberOfInstances",],
    **{name: declared for (name,), declared in addresses_of(ServerSettings, "VariableMap").items()},
}
SERVICE, THROTTLE = (addresses_of(model, "MessageListenerService") for model in (ServerSettings, ListenerPort))
PORT = addresses_of(ListenerPort, "ListenerPort")


def _instances(root: Element, draft: Draft, account: Account) -> None:
    for element in root.walk():
        for (attribute,), declared in INSTANCES.items():
            read_value(draft, declared, account, element, attribute)


def _listener(service: Element, host: Draft, queues: Queues, account: Account) -> None:
    items, ports = server.properties_of(service), Draft("queues", "*")
    server.read_properties(host, items, SERVICE, account)
    server.read_properties(ports, items, THROTTLE, account)
    for port in service.all("listenerPorts"):
        draft = server.port_draft(port, host, queues, account)
        read_attributes(draft, port, PORT, account)
        draft.inherit(ports)


def _variables(root: Element, servers: list[Draft], account: Account) -> None:
    in_map = root.name == "VariableMap"
    for item in root.all("entries") if in_map else root.children:
        declared = VARIABLES.get(item.attributes.get("symbolicName", "") if in_map else item.key)
        if declared is not None and (not in_map or "value" in item.attributes):
            account.take(item, "symbolicName")
            for draft in servers:
                held = draft.settings.get(declared.name)
                if held and (0, False) < server.narrowness(account.file) < server.narrowness(held.file):
                    message = f"{held.value!r} of {held.file}:{held.line}, of a narrower scope, counts"
                    account.note("ignored", item, f"{draft.path}.settings.{declared.name}", message, "value")
                else:
                    read_value(draft, declared, account, item, "value" if in_map else "")


def _complete(draft: Draft) -> None:
    """Without a most, as many servants as run from the start may run."""
    if "min_servants" in draft.settings:
        draft.settings.setdefault("max_servants", replace(draft.settings["min_servants"], places=()))


CELL = Cell(
    platform="websphere-zos",
    server_model=ServerSettings,
    port_model=ListenerPort,
    switch="endpoint",
    roots="<process:Server>, <variables:VariableMap>, <xmi:XMI> of resources.xml and was.env are read",
    server=_instances,
    listener=_listener,
    variables=_variables,
    complete=_complete,
)


NAME = CELL.platform
REGIONS = (b"control_region_", b"server_region_", b"servant_region_", b"wlm_minimumSRCount", b"wlm_maximumSRCount")
"""How the variables begin."""


read = partial(read_cell, cell=CELL)
"""Reads a scenario file, or server.xml, variables.xml and was.env together."""


def recognises(file: str, content: bytes) -> bool:
    """True for a scenario of this platform, variables.xml, was.env, and a server.xml with what only z/OS knows."""
    root = root_of(content)[0]
    if not root:
        return is_scenario_of(content, NAME) or has_line(content, *REGIONS) or is_printed(content)
    of_server = server.holds_server(root, content) and server.is_of_zos(content)
    return of_server or root in ("VariableMap", *server.BINDINGS) or holds_specs(root, content)


def write(system: System, chosen: Mapping[str, Any], scenario_hash: str) -> tuple[Script, ...]:
    """Return the scripts that make the chosen settings; raises InvalidInput for an unknown path or value."""
    changes = changes_of(system, chosen)
    scripts = (_wsadmin(system, changes, scenario_hash), backout_script(system, changes, scenario_hash))
    return scripts_written(system, changes, scenario_hash, *scripts)


def _wsadmin(system: System, changes: tuple[Change, ...], scenario_hash: str) -> Script:
    after = changed_system(system, changes)
    made = wsadmin_specs.becoming(system, after)
    in_order = sorted(changes, key=lambda change: change.setting != "endpoint")
    unwritten = wsadmin_specs.refusals(changes, system, after, OF_PORTS, (*SETTINGS, *SPEC_ONLY))
    writers = {**wsadmin.writers_of(ServerSettings, ListenerPort, made), "endpoint": wsadmin_specs.spec_switch(after)}
    ports = wsadmin_specs.ports_alone(system)
    return wsadmin.script(ports, tuple(in_order), writers, scenario_hash, unwritten=unwritten)
