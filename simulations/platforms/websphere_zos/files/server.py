"""Files of WebSphere for z/OS: server.xml, variables.xml, was.env and resources.xml together make one scenario.

Variables say what the controller and the servants of a server do. They count for every server that is read.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from simulations.declarations.parameters import parameters_of
from simulations.declarations.texts import as_name
from simulations.platforms.files.foreign_files import stranger
from simulations.platforms.files.importing.choice import chosen_in, without_choice
from simulations.platforms.files.importing.drafts import Draft, Queues, is_on, number_of
from simulations.platforms.files.importing.scenario_body import assemble
from simulations.platforms.files.syntax.limits import refuse
from simulations.platforms.files.syntax.signatures import has_line, root_of
from simulations.platforms.files.syntax.text_file import load_properties
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.files.syntax.xml_file import load
from simulations.platforms.files.websphere.admin_config import is_printed, printed_tree
from simulations.platforms.files.websphere.resources import (
    COMMON,
    IBM_MQ,
    OTHER_ADAPTER,
    ROOT,
    adapters_of,
    holds_specs,
    spec_draft,
)
from simulations.platforms.files.websphere.server import (
    BINDINGS,
    SET_ASIDE,
    Property,
    chosen_servers,
    holds_server,
    identify_server,
    is_of_zos,
    port_draft,
    properties_of,
    put_attribute,
    put_properties,
    read_transactions,
    services_of,
)
from simulations.platforms.shared.family import Reading, Understood
from simulations.platforms.websphere_zos.parameters.listener_port import ListenerPort
from simulations.platforms.websphere_zos.parameters.server import ServerSettings

REGIONS = (b"control_region_", b"server_region_", b"servant_region_", b"wlm_minimumSRCount", b"wlm_maximumSRCount")
"""How the variables begin."""
SERVANTS = {"minimumNumOfInstances": "min_servants", "maximumNumberOfInstances": "max_servants"}
DECLARED = parameters_of(ServerSettings)
KINDS = {item.name: item.kind for item in DECLARED}
VARIABLES = {
    "wlm_minimumSRCount": "min_servants",
    "wlm_maximumSRCount": "max_servants",
    **{item.quantity.native: item.name for item in DECLARED if item.quantity.native.encode().startswith(REGIONS)},
}
SERVICE = {
    "MAX.RECOVERY.RETRIES": Property("recovery_retries"),
    "RECOVERY.RETRY.INTERVAL": Property("recovery_interval"),
    "ENABLE.ZOS.LP.RECOVERY": Property("zos_recovery", 0),
}
THROTTLE = {"MDB.THROTTLE.THRESHOLD.LOW.EQUALS.HIGH": Property("low_equals_high", 0)}
SPEC = {
    **COMMON,
    "MaxInFlightMessagesScaleFactor": Property("in_flight_scale_factor"),
    "MaxInFlightMessagesConstant": Property("in_flight_constant"),
}
PORT = {"maxSessions": "maximum_sessions", "maxRetries": "maximum_retries"}


@dataclass
class _Found:
    servers: dict[str, Draft] = field(default_factory=dict)
    queues: Queues = field(default_factory=Queues)


def recognises_file(content: bytes) -> bool:
    """True for a map of variables, was.env, a resources.xml, and a server.xml with what only z/OS knows."""
    root, _ = root_of(content)
    if root:
        of_server = holds_server(root, content) and is_of_zos(content)
        return of_server or root in ("VariableMap", *BINDINGS) or holds_specs(root, content)
    return has_line(content, *REGIONS) or is_printed(content)


def read_files(files: Mapping[str, bytes], platform: str) -> Reading:
    """Read servers first, then the variables of all of them; raises InvalidInput for a file that is neither."""
    found, lines = _Found(), list[Understood]()
    roots = [(Account(file), _root(file, content)) for file, content in without_choice(files).items()]
    for account, server in chosen_servers(roots, chosen_in(files)):
        _server(server, found, account)
    if not found.servers:
        lines.append(Understood("defaulted", "servers.server", "no server.xml was given; one server is assumed"))
        found.servers["server"] = Draft("servers", "server")
        found.servers["server"].identify({"kind": "Server"})
    for account, root in roots:
        if root.name == ROOT:
            _resources(root, found, account)
        elif root.name in BINDINGS:
            account.note("ignored", root, root.name, SET_ASIDE)
        elif root.name != "Server":
            _variables(root, found.servers, account)
    lines += [line for account, root in roots for line in account.finish(root)]
    if not found.queues:
        message = "no listener port and no activation specification was found; a port is assumed"
        lines.append(Understood("defaulted", "queues.queue", message))
        found.queues.new("queue")
    reading = assemble(platform, ServerSettings, ListenerPort, found.servers, found.queues)
    return Reading(reading.scenario, (*lines, *reading.account), reading.spots)


def _root(file: str, content: bytes) -> Element:
    if is_printed(content):
        return printed_tree(content, file)
    if not root_of(content)[0]:
        return load_properties(content, file)
    root = load(content, file)
    strange = "" if root.name in (ROOT, *BINDINGS) else stranger(content)
    if strange or root.name not in ("Server", "VariableMap", ROOT, *BINDINGS):
        message = strange or (
            f"the root is <{root.name}>; <process:Server>, <variables:VariableMap>, <xmi:XMI> of resources.xml and "
            f"was.env are read"
        )
        raise refuse(file, root.line, message)
    return root


def _server(root: Element, found: _Found, account: Account) -> None:
    name = as_name(root.attributes.get("name", "server"))
    draft = found.servers.setdefault(name, Draft("servers", name))
    account.note("understood", root, draft.path, "an application server", "name")
    identify_server(root, draft, account)
    for element in root.walk():
        for attribute, setting in SERVANTS.items():
            put_attribute(element, attribute, draft, setting, account)
        if "enableMultipleServerInstances" in element.attributes:
            several = is_on(element.attributes["enableMultipleServerInstances"])
            draft.put("multiple_instances", several, account, element, "enableMultipleServerInstances")
    for kind, service in services_of(root):
        if kind == "TransactionService":
            read_transactions(service, draft, account)
        elif kind == "MessageListenerService":
            account.take(service, "type")
            _listener(service, draft, found.queues, account)


def _resources(root: Element, found: _Found, account: Account) -> None:
    for adapter, element in adapters_of(root):
        draft = spec_draft(element, next(iter(found.servers)), found.queues, account, "endpoint", SPEC)
        if adapter not in ("", IBM_MQ):
            account.note("unresolved", element, draft.path, f"{adapter}: {OTHER_ADAPTER}")


def _listener(service: Element, server: Draft, queues: Queues, account: Account) -> None:
    items, ports = properties_of(service), Draft("queues", "*")
    put_properties(items, SERVICE, server, account)
    put_properties(items, THROTTLE, ports, account)
    for port in service.all("listenerPorts"):
        draft = port_draft(port, server.name, queues, account)
        for attribute, setting in PORT.items():
            put_attribute(port, attribute, draft, setting, account)
        draft.inherit(ports)


def _variables(root: Element, servers: Mapping[str, Draft], account: Account) -> None:
    for name, item, attribute in _named(root):
        setting = VARIABLES.get(name)
        if setting:
            account.take(item, "symbolicName")
            for draft in servers.values():
                _variable(item, attribute, draft, setting, account)


def _named(root: Element) -> Iterator[tuple[str, Element, str]]:
    """Yield name, element and attribute with the value (empty: its text) of each variable."""
    if root.name != "VariableMap":
        yield from ((item.key, item, "") for item in root.children)
        return
    for item in root.all("entries"):
        if "value" in item.attributes:
            yield item.attributes.get("symbolicName", ""), item, "value"


def _variable(item: Element, attribute: str, draft: Draft, setting: str, account: Account) -> None:
    text = item.attributes[attribute] if attribute else item.text
    kind = KINDS[setting]
    if kind in ("integer", "number"):
        value = number_of(item, account, f"{draft.path}.settings.{setting}", text, attribute)
        if value is not None:
            draft.put(setting, value, account, item, attribute)
    else:
        draft.put(setting, is_on(text) if kind == "boolean" else text.strip().upper(), account, item, attribute)
