"""Configuration of Open MQ and GlassFish: vendor files in; imqcmd, asadmin and properties out."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from simulations.platforms.files.foreign_files import stranger
from simulations.platforms.files.importing.ejb_jar import bean_kinds
from simulations.platforms.files.importing.scenario_file import is_scenario_of, scripts_written
from simulations.platforms.files.importing.vendor_files import read_together, read_xml, scenario_alone
from simulations.platforms.files.patching.patched_files import patched_files
from simulations.platforms.files.patching.rewriting import rewritten
from simulations.platforms.files.patching.shell import argument, plain, shell_script
from simulations.platforms.files.syntax.signatures import has_line, root_of
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.openmq.files.broker import read_text
from simulations.platforms.openmq.files.descriptors import read_ejb_jar, read_standard
from simulations.platforms.openmq.files.domain_contents import NAME, SIZES, Imported, assembled
from simulations.platforms.openmq.files.glassfish import read_domain
from simulations.platforms.openmq.files.resources import RESOURCES, read_resources
from simulations.platforms.openmq.files.schema import ORDER
from simulations.platforms.shared.changes import Change, changes_of
from simulations.platforms.shared.family import Patched, Reading, Script
from simulations.system import Queue, System

TABLE = (b"Destination Name ", b"Destination Name\t", b"Destination Name:")
"""How the output of a query begins the part of a destination."""
DESTINATION = {
    "destination_consumer_flow_limit": "consumerFlowLimit",
    "max_num_msgs": "maxNumMsgs",
    "max_total_msg_bytes": "maxTotalMsgBytes",
    "limit_behavior": "limitBehavior",
    "max_num_producers": "maxNumProducers",
    "max_bytes_per_msg": "maxBytesPerMsg",
    "max_active_consumers": "maxNumActiveConsumers",
    "max_backup_consumers": "maxNumBackupConsumers",
    "use_dmq": "useDMQ",
}
INSTANCE = {
    "max_pool_size": "mdb-container.max-pool-size",
    "steady_pool_size": "mdb-container.steady-pool-size",
    "pool_resize_quantity": "mdb-container.pool-resize-quantity",
    "pool_idle_timeout": "mdb-container.idle-timeout-in-seconds",
    "reconnect_enabled": "mdb-container.property.reconnect-enabled",
    "reconnect_delay": "mdb-container.property.reconnect-delay-in-seconds",
    "reconnect_retries": "mdb-container.property.reconnect-max-retries",
    "thread_pool_maximum": "thread-pools.thread-pool.thread-pool-1.max-thread-pool-size",
}
FACTORY = {
    "connection_flow_limit_enabled": "imqConnectionFlowLimitEnabled",
    "connection_flow_limit": "imqConnectionFlowLimit",
    "connection_flow_count": "imqConnectionFlowCount",
    "consumer_flow_limit": "imqConsumerFlowLimit",
    "consumer_flow_threshold": "imqConsumerFlowThreshold",
    "prefetch": "imqConsumerFlowLimitPrefetch",
}
BROKER = {
    "shared_consumer_flow_limit": "imq.autocreate.topic.sharedConsumerFlowLimit",
    "max_consecutive_rollbacks": "imq.transaction.message.maxConsecutiveRollbacks",
    "broker_max_count": "imq.system.max_count",
    "broker_max_size": "imq.system.max_size",
}
ACTIVATION = {
    "redelivery_attempts": ("endpointExceptionRedeliveryAttempts", 1.0),
    "redelivery_interval": ("endpointExceptionRedeliveryInterval", 1000.0),
    "send_undeliverable_to_dmq": ("sendUndeliverableMsgsToDMQ", 1.0),
}


def recognises(file: str, content: bytes) -> bool:
    """True for a scenario of this platform, GlassFish's files, and texts that speak of imq or of a destination."""
    root, attributes = root_of(content)
    if root:
        return root in READERS and "weblogic" not in attributes and not stranger(content)
    return is_scenario_of(content, NAME) or b"imqcmd" in content or has_line(content, b"imq.", *TABLE)


def read(files: Mapping[str, bytes]) -> Reading:
    """Read a scenario file, or all files of broker and server together.

    XML: domain.xml, glassfish-resources.xml, glassfish-ejb-jar.xml, sun-ejb-jar.xml, and an ejb-jar.xml beside them.
    Text: config.properties, imqcmd lines, query output.
    Raises InvalidInput for a file that is hostile or belongs to none of the known formats.
    """
    alone = scenario_alone(files, NAME)
    return alone or read_together(files, Imported(bean_kinds(files)), _read_file, assembled)


def _read_file(file: str, content: bytes, found: Imported, account: Account) -> Element:
    if not content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return read_text(content, file, found, account)
    return read_xml(file, content, found, account, READERS)


READERS: dict[str, Callable[[Element, Imported, Account], None]] = {
    "domain": read_domain,
    RESOURCES: read_resources,
    "glassfish-ejb-jar": read_ejb_jar,
    "sun-ejb-jar": read_ejb_jar,
    "ejb-jar": read_standard,
}


def write(system: System, chosen: Mapping[str, Any], scenario_hash: str) -> tuple[Script, ...]:
    """Return the scripts that make the chosen settings; raises InvalidInput for an unknown path or value."""
    changes = changes_of(system, chosen)
    imqcmd = shell_script("imqcmd", changes, _imqcmd, scenario_hash)
    asadmin = shell_script("asadmin", changes, _asadmin, scenario_hash)
    return scripts_written(system, changes, scenario_hash, imqcmd, asadmin, _properties(changes, scenario_hash))


def _imqcmd(changes: tuple[Change, ...]) -> list[str]:
    lines = []
    for change in changes:
        entity, key = change.entity, DESTINATION.get(change.setting)
        if key is None or not isinstance(entity, Queue):
            continue
        kind, option = "t" if entity.kind == "topic" else "q", argument(f"{key}={plain(_limit(change))}")
        lines.append(f"imqcmd update dst -t {kind} -n {argument(entity.name)} -o {option}")
    return lines


def _limit(change: Change) -> Any:
    """The value as the broker has it: a size of 0 is -1, no limit."""
    return -1 if change.setting in SIZES and change.after == 0 else change.after


def _asadmin(changes: tuple[Change, ...]) -> list[str]:
    """Instance settings by dotted name; all factory settings of a server or queue in one options property."""
    lines = []
    chosen: dict[str, list[Change]] = {}
    for change in changes:
        setting, name = change.setting, change.entity.name
        if setting in INSTANCE:
            dotted = f"configs.config.{name}-config.{INSTANCE[setting]}={plain(change.after)}"
            lines.append(f"asadmin set {argument(dotted)}")
        elif setting in FACTORY:
            chosen.setdefault(name, []).append(change)
    for name, mine in chosen.items():
        dotted = f"resources.connector-connection-pool.{name}.property.options={','.join(_options(mine))}"
        lines.append(f"asadmin set {argument(dotted)}")
    return lines


def _options(changes: list[Change]) -> Iterator[str]:
    """The property holds all options at once: those that are not chosen but differ from the default stay in it."""
    settings = changes[0].entity.settings
    new = {change.setting: change.after for change in changes}
    for setting, key in FACTORY.items():
        field = type(settings).model_fields.get(setting)
        if field is not None and (setting in new or getattr(settings, setting) != field.default):
            yield f"{key}={plain(new.get(setting, getattr(settings, setting)))}"


def _properties(changes: tuple[Change, ...], scenario_hash: str) -> Script | None:
    """Broker properties and activation properties: files that are edited by hand, so the lines are given."""
    mine = [change for change in changes if change.setting in {**BROKER, **ACTIVATION}]
    if not mine:
        return None
    title = f"# Written by Sluice for the scenario {scenario_hash}"
    apply = "\n".join([title, *map(_property, mine), ""])
    undo = "\n".join([title, *(_property(change.reverse) for change in reversed(mine)), ""])
    left_out = tuple(change.path for change in changes if change not in mine)
    return Script("properties", "config.properties", apply, undo, left_out)


def _property(change: Change) -> str:
    if change.setting in BROKER:
        return f"{BROKER[change.setting]}={plain(_limit(change))}"
    key, factor = ACTIVATION[change.setting]
    return f"# activation-config of {change.entity.name}\n{key}={plain(change.after, factor)}"


def patch(files: Mapping[str, bytes], system: System, chosen: Mapping[str, Any], scenario_hash: str) -> Patched:
    """Return the uploaded files with the chosen settings, also those they leave out, and every other byte as it was."""
    made, refused = rewritten(files, changes_of(system, chosen), read, ORDER)
    return patched_files(files, made, refused, scenario_hash)
