"""Configuration of WebSphere: scenario files in and out, wsadmin and MQSC scripts out."""

from collections.abc import Mapping
from typing import Any

from simulations.platforms.base import Reading, Script
from simulations.platforms.changes import Change, changes_of
from simulations.platforms.formats import wsadmin
from simulations.platforms.formats.scenario_file import is_scenario, read_scenario, scenario_script
from simulations.platforms.listener_port import backout_script
from simulations.platforms.websphere.server_file import read_servers
from simulations.system import Server, System

NAME = "websphere"
WRITERS = {
    "listener_pool_maximum": wsadmin.named_attribute("ThreadPool", "Message.Listener.Pool", "maximumSize"),
    "total_transaction_timeout": wsadmin.attribute("TransactionService", "totalTranLifetimeTimeout"),
    "maximum_sessions": wsadmin.port_attribute("maxSessions"),
    "maximum_messages": wsadmin.port_attribute("maxMessages"),
    "maximum_retries": wsadmin.port_attribute("maxRetries"),
    "receive_timeout": wsadmin.listener_property("NON.ASF.RECEIVE.TIMEOUT", factor=1000.0),
}


def read(files: Mapping[str, bytes]) -> Reading:
    """Read a scenario file, or the server.xml files of one or several servers.

    Raises InvalidInput for a file that is no XML, is hostile, or has another root.
    """
    if len(files) == 1:
        file, content = next(iter(files.items()))
        if is_scenario(content):
            return read_scenario(content, file, NAME)
    return read_servers(files, NAME)


def write(system: System, chosen: Mapping[str, Any], scenario_hash: str) -> tuple[Script, ...]:
    """Return the scripts that make the chosen settings; raises InvalidInput for an unknown path or value."""
    changes = changes_of(system, chosen)

    def server_of(change: Change) -> str:
        return change.entity.name if isinstance(change.entity, Server) else change.entity.server

    scripts = [
        scenario_script(system, changes, scenario_hash),
        wsadmin.script(changes, WRITERS, server_of, scenario_hash),
        backout_script(changes, scenario_hash),
    ]
    return tuple(script for script in scripts if script is not None)
