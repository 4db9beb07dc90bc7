"""Configuration of WebSphere for z/OS: scenario and vendor files in; scenario files, wsadmin and MQSC scripts out."""

from collections.abc import Mapping
from typing import Any

from simulations.declarations.system import System
from simulations.platforms.files.importing.scenario_file import is_scenario_of, scripts_written
from simulations.platforms.files.importing.vendor_files import scenario_alone
from simulations.platforms.files.websphere import wsadmin, wsadmin_specs
from simulations.platforms.files.websphere.mqsc import backout_script
from simulations.platforms.shared.activation import SETTINGS
from simulations.platforms.shared.changes import Change, changed_system, changes_of
from simulations.platforms.shared.family import Reading, Script
from simulations.platforms.websphere_zos.files.server import read_files, recognises_file
from simulations.platforms.websphere_zos.parameters.listener_port import SPEC_ONLY
from simulations.platforms.websphere_zos.rules.activation_checks import OF_PORTS

NAME = "websphere-zos"
WRITERS = {
    "min_servants": wsadmin.attribute("ServerInstance", "minimumNumOfInstances"),
    "max_servants": wsadmin.attribute("ServerInstance", "maximumNumberOfInstances"),
    "workload_profile": wsadmin.variable("server_region_workload_profile"),
    "custom_threads": wsadmin.variable("servant_region_custom_thread_count"),
    "mdb_request_timeout": wsadmin.variable("control_region_mdb_request_timeout"),
    "mdb_queue_timeout_percent": wsadmin.variable("control_region_mdb_queue_timeout_percent"),
    "multiple_instances": wsadmin.attribute("ServerInstance", "enableMultipleServerInstances"),
    "total_transaction_timeout": wsadmin.attribute("TransactionService", "totalTranLifetimeTimeout"),
    "maximum_transaction_timeout": wsadmin.attribute("TransactionService", "propogatedOrBMTTranLifetimeTimeout"),
    "wlm_dispatch_timeout": wsadmin.variable("control_region_wlm_dispatch_timeout"),
    "iiop_queue_timeout_percent": wsadmin.variable("control_region_iiop_queue_timeout_percent"),
    "stalled_thread_threshold": wsadmin.variable("server_region_stalled_thread_threshold_percent"),
    "timeout_delay": wsadmin.variable("control_region_timeout_delay"),
    "save_last_servant": wsadmin.variable("control_region_timeout_save_last_servant"),
    "pause_without_servant": wsadmin.variable("control_region_dreg_on_no_srs"),
    "zos_recovery": wsadmin.service_property("ENABLE.ZOS.LP.RECOVERY"),
    "recovery_retries": wsadmin.service_property("MAX.RECOVERY.RETRIES"),
    "recovery_interval": wsadmin.service_property("RECOVERY.RETRY.INTERVAL"),
    "maximum_sessions": wsadmin.port_attribute("maxSessions"),
    "maximum_retries": wsadmin.port_attribute("maxRetries"),
    "low_equals_high": wsadmin.listener_property("MDB.THROTTLE.THRESHOLD.LOW.EQUALS.HIGH"),
}

PROPERTIES = {
    "in_flight_scale_factor": "MaxInFlightMessagesScaleFactor",
    "in_flight_constant": "MaxInFlightMessagesConstant",
}
"""Custom properties of an activation specification."""


def recognises(file: str, content: bytes) -> bool:
    """True for a scenario of this platform, variables.xml, was.env, and a server.xml with what only z/OS knows."""
    return is_scenario_of(content, NAME) or recognises_file(content)


def read(files: Mapping[str, bytes]) -> Reading:
    """Read a scenario file, or server.xml, variables.xml and was.env together.

    Raises InvalidInput for a file that is hostile or none of these.
    """
    return scenario_alone(files, NAME) or read_files(files, NAME)


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
    writers = {
        **WRITERS,
        **{name: wsadmin_specs.spec_flag(flag, factor, made) for name, (flag, factor) in wsadmin_specs.FLAGS.items()},
        **{name: wsadmin_specs.spec_flag(key, made=made) for name, key in PROPERTIES.items()},
        "endpoint": wsadmin_specs.spec_switch(after, wsadmin_specs.FLAGS, PROPERTIES),
    }
    ports = wsadmin_specs.ports_alone(system)
    return wsadmin.script(ports, (*moved, *others), writers, scenario_hash, unwritten=unwritten)
