"""Configuration of Open MQ and GlassFish: vendor files in; imqcmd, asadmin and properties out."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from simulations.declarations.system import Queue, System
from simulations.platforms.files.foreign_files import stranger
from simulations.platforms.files.importing.choice import chosen_in
from simulations.platforms.files.importing.ejb_jar import bean_kinds
from simulations.platforms.files.importing.scenario_file import is_scenario_of, scripts_written
from simulations.platforms.files.importing.vendor_files import read_together, read_xml, scenario_alone
from simulations.platforms.files.patching.patched_files import patched_files
from simulations.platforms.files.patching.rewriting import rewritten
from simulations.platforms.files.patching.shell import HEAD, Value, argument, plain, shell_script
from simulations.platforms.files.syntax.signatures import has_line, root_of
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.files.syntax.xml_file import load
from simulations.platforms.openmq.files.broker import LABELS, read_text
from simulations.platforms.openmq.files.descriptors import read_ejb_jar, read_standard
from simulations.platforms.openmq.files.domain_contents import NAME, SIZES, Imported, assembled
from simulations.platforms.openmq.files.glassfish import configuration_of, read_domain
from simulations.platforms.openmq.files.outputs import is_dotted, is_list, read_dotted
from simulations.platforms.openmq.files.resources import ADAPTER, RESOURCES, read_resources
from simulations.platforms.openmq.files.schema import ORDER
from simulations.platforms.shared.changes import Change, changes_of
from simulations.platforms.shared.family import Patched, Reading, Script

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


def recognises(file: str, content: bytes) -> bool:
    """True for a scenario of this platform, GlassFish's files, and texts that speak of imq or of a destination."""
    root, attributes = root_of(content)
    if root:
        return root in READERS and "weblogic" not in attributes and not stranger(content)
    return is_scenario_of(content, NAME) or _is_text_of_broker(content)


def _is_text_of_broker(content: bytes) -> bool:
    printed = is_dotted(content) or is_list(content)
    return printed or b"imqcmd" in content or has_line(content, b"imq.", *TABLE)


def read(files: Mapping[str, bytes]) -> Reading:
    """Read a scenario file, or all files of broker and server together.

    XML: domain.xml, glassfish-resources.xml, glassfish-ejb-jar.xml, sun-ejb-jar.xml, and an ejb-jar.xml beside them.
    Text: config.properties, imqcmd lines, outputs of imqcmd query dst and list dst, and of asadmin get.
    Raises InvalidInput for a file that is hostile or belongs to none of the known formats.
    """
    alone = scenario_alone(files, NAME)
    return alone or read_together(files, Imported(bean_kinds(files), chosen_in(files)), _read_file, assembled)


def _read_file(file: str, content: bytes, found: Imported, account: Account) -> Element:
    if not content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        read_output = read_dotted if is_dotted(content) else read_text
        return read_output(content, file, found, account)
    return read_xml(file, content, found, account, READERS)


READERS: dict[str, Callable[[Element, Imported, Account], None]] = {
    "domain": read_domain,
    RESOURCES: read_resources,
    "glassfish-ejb-jar": read_ejb_jar,
    "sun-ejb-jar": read_ejb_jar,
    "ejb-jar": read_standard,
}


IMQCMD = f"""BROKER=  # host:port of the broker
ADMIN=  # name of the administrator
PASSFILE=  # file with a line imq.imqcmd.password=
: "${{BROKER:?fill it in at the head}}" "${{ADMIN:?fill it in at the head}}" "${{PASSFILE:?fill it in at the head}}"
imq() {{ imqcmd "$@" -b "$BROKER" -u "$ADMIN" -passfile "$PASSFILE" -f; }}
label() {{
    case $1 in
{"".join(f"    {key}) echo '{label}' ;;{chr(10)}" for label, key in LABELS.items())}    esac
}}
held() {{
    imq query dst -t "${{1%%:*}}" -n "${{1#*:}}" | sed -n "s/^$(label "$2")  *//p" |
        sed 's/.*(\\(-*[0-9]*\\)) *$/\\1/; s/ *$//'
}}
make() {{ imq update dst -t "${{1%%:*}}" -n "${{1#*:}}" -o "$2=$3"; }}"""
"""What asks the broker for a value and sets it; a query prints a number behind its words, in parentheses."""
ASADMIN = r"""held() { asadmin get "$1.$2" | sed -n 's/^[^=]*=//p' | tr -d '\\'; }
make() { asadmin set "$1.$2=$3"; }"""


def write(
    system: System, chosen: Mapping[str, Any], scenario_hash: str, files: Mapping[str, bytes] | None = None
) -> tuple[Script, ...]:
    """Return the scripts that make the chosen settings; raises InvalidInput for an unknown path or value.

    ``files``: the imported ones, which say what the configuration and the connection pool are called.
    """
    changes = changes_of(system, chosen)
    names = _names(files or {})
    imqcmd = shell_script("imqcmd", changes, _imqcmd, IMQCMD, scenario_hash)
    asadmin = shell_script("asadmin", changes, _asadmin, "", scenario_hash)
    if asadmin is not None:
        asadmin = replace(asadmin, apply=_with_names(asadmin.apply, names), undo=_with_names(asadmin.undo, names))
    return scripts_written(system, changes, scenario_hash, imqcmd, asadmin, _properties(changes, scenario_hash))


def _names(files: Mapping[str, bytes]) -> dict[str, str]:
    """What the scripts target: the configuration that is read, and the connection pool where there is only one."""
    names = {"CONFIG": ""}
    pools = []
    for file, content in files.items():
        kind = root_of(content)[0]
        if kind not in ("domain", RESOURCES):
            continue
        root = load(content, file)
        if kind == "domain":
            names["CONFIG"] = configuration_of(root, chosen_in(files))
        pools += [
            item.attributes.get("name", "")
            for item in root.walk()
            if item.name == "connector-connection-pool"
            and item.attributes.get("resource-adapter-name", "").startswith(ADAPTER)
        ]
    return {**names, "POOL": pools[0]} if len(pools) == 1 else names


def _with_names(text: str, names: Mapping[str, str]) -> str:
    """The script with the variables that it uses at its head, and a check that they are set."""
    used = sorted(set(re.findall(r"\$(CONFIG|POOL\d*)\"", text)))
    meaning = "the cluster's or server's configuration, or the connection pool of a factory"
    lines = [f"{name}={argument(names[name]) if names.get(name) else ''}  # {meaning}" for name in used]
    checks = [f': "${{{name}:?fill it in at the head}}"' for name in used]
    head, helpers, rest = text.partition(f"{HEAD}\n")
    return "\n".join([head + helpers + "\n".join([*lines, *checks, ASADMIN]), rest.removeprefix("\n")])


def _imqcmd(changes: tuple[Change, ...]) -> list[Value]:
    values = []
    for change in changes:
        entity, key = change.entity, DESTINATION.get(change.setting)
        if key is not None and isinstance(entity, Queue):
            kind = "t" if entity.kind == "topic" else "q"
            values.append((change.path, argument(f"{kind}:{entity.name}"), key, plain(_limit(change))))
    return values


def _limit(change: Change) -> Any:
    """The value as the broker has it: a size of 0 is -1, no limit."""
    return -1 if change.setting in SIZES and change.after == 0 else change.after


def _asadmin(changes: tuple[Change, ...]) -> list[Value]:
    """Instance settings by dotted name; all factory settings of a queue and its server in one options property."""
    instance = [change for change in changes if change.setting in INSTANCE]
    values = [(item.path, '"configs.config.$CONFIG"', INSTANCE[item.setting], plain(item.after)) for item in instance]
    chosen: dict[str, list[Change]] = {}
    shared = []
    for change in changes:
        if change.setting in FACTORY and isinstance(change.entity, Queue):
            chosen.setdefault(change.entity.name, []).append(change)
        elif change.setting in FACTORY:
            shared.append(change)
    for number, name in enumerate(sorted(chosen) or [""] * bool(shared)):
        mine = [part for part in (shared, chosen.get(name, [])) if part]
        pool = f'"resources.connector-connection-pool.$POOL{number or ""}"'
        path = min(change.path for part in mine for change in part)
        values.append((path, pool, "property.options", ",".join(option for part in mine for option in _options(part))))
    return values


def _options(changes: list[Change]) -> Iterator[str]:
    """The property holds all options at once: those that are not chosen but differ from the default stay in it."""
    settings = changes[0].entity.settings
    new = {change.setting: change.after for change in changes}
    for setting, key in FACTORY.items():
        field = type(settings).model_fields.get(setting)
        if field is not None and (setting in new or getattr(settings, setting) != field.default):
            yield f"{key}={plain(new.get(setting, getattr(settings, setting)))}"


def _properties(changes: tuple[Change, ...], scenario_hash: str) -> Script | None:
    """The broker's properties, a file that is edited by hand: its lines. A bean's own belong into its descriptor."""
    mine = [change for change in changes if change.setting in BROKER]
    if not mine:
        return None
    title = f"# Written by Sluice for the scenario {scenario_hash}"
    apply = "\n".join([title, *map(_property, mine), ""])
    undo = "\n".join([title, *(_property(change.reverse) for change in reversed(mine)), ""])
    left_out = tuple(change.path for change in changes if change not in mine)
    return Script("properties", "config.properties", apply, undo, left_out)


def _property(change: Change) -> str:
    return f"{BROKER[change.setting]}={plain(_limit(change))}"


def patch(files: Mapping[str, bytes], system: System, chosen: Mapping[str, Any], scenario_hash: str) -> Patched:
    """Return the uploaded files with the chosen settings, also those they leave out, and every other byte as it was."""
    made, refused = rewritten(files, changes_of(system, chosen), read, ORDER)
    return patched_files(files, made, refused, scenario_hash)
