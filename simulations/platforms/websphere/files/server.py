"""WebSphere's server.xml with listener service, pools, transactions; resources.xml with activation specifications."""

from collections.abc import Iterable, Mapping

from simulations.declarations.path_text import path_of
from simulations.declarations.texts import as_name
from simulations.platforms.files.foreign_files import stranger
from simulations.platforms.files.importing.choice import chosen_in, without_choice
from simulations.platforms.files.importing.drafts import Draft, Queues
from simulations.platforms.files.importing.outputs import unpatched
from simulations.platforms.files.importing.scenario_body import assemble
from simulations.platforms.files.syntax.limits import refuse
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.files.syntax.xml_file import load
from simulations.platforms.files.websphere.admin_config import is_printed, printed_tree
from simulations.platforms.files.websphere.resources import (
    COMMON,
    IBM_MQ,
    OTHER_ADAPTER,
    ROOT,
    SIB,
    adapters_of,
    spec_draft,
)
from simulations.platforms.files.websphere.server import (
    BINDINGS,
    SET_ASIDE,
    Property,
    chosen_servers,
    identify_server,
    port_draft,
    properties_of,
    put_attribute,
    read_transactions,
    services_of,
)
from simulations.platforms.shared.family import Reading, Understood
from simulations.platforms.websphere.files.service_properties import own_properties, service_properties
from simulations.platforms.websphere.parameters.listener_port import ListenerPort
from simulations.platforms.websphere.parameters.server import ServerSettings

ORDER = {
    "services": ("context", "stateManagement", "threadPool", "properties", "listenerPorts"),
    "listenerPorts": ("stateManagement",),
}
"""Children of the message listener service and of its ports."""
SPEC = {
    **COMMON,
    "startTimeout": Property("start_timeout", 0.001),
    "maxConcurrency": Property("maximum_concurrent_endpoints"),
}
NO_POOL = "the message listener service has no thread pool of its own in the file"
POOL = {
    "maximumSize": ("listener_pool_maximum", 1.0),
    "minimumSize": ("listener_pool_minimum", 1.0),
    "inactivityTimeout": ("listener_pool_inactivity", 0.001),
}
PORT = {"maxSessions": "maximum_sessions", "maxMessages": "maximum_messages", "maxRetries": "maximum_retries"}


def read_servers(files: Mapping[str, bytes], platform: str) -> Reading:
    """Read one server per server.xml; each listener port and each activation specification becomes a queue."""
    servers: dict[str, Draft] = {}
    queues = Queues()
    lines: list[Understood] = []
    roots = [(Account(file), _root(file, content)) for file, content in without_choice(files).items()]
    for account, server in chosen_servers(roots, chosen_in(files)):
        _server(server, servers, queues, account)
    if not servers:
        lines.append(Understood("defaulted", "servers.server", "no server.xml was given; one server is assumed"))
        servers["server"] = Draft("servers", "server")
        servers["server"].identify({"kind": "Server"})
    for account, root in roots:
        if root.name == ROOT:
            _resources(root, servers, queues, account)
        elif root.name in BINDINGS:
            account.note("ignored", root, root.name, SET_ASIDE)
    lines += [line for account, root in roots for line in account.finish(root)]
    if not queues:
        message = "no listener port and no activation specification was found; a port is assumed"
        lines.append(Understood("defaulted", "queues.queue", message))
        queues.new("queue")
    for file in (file for file, content in files.items() if is_printed(content)):
        unpatched((*servers.values(), *queues.values()), file)
    reading = assemble(platform, ServerSettings, ListenerPort, servers, queues)
    return Reading(reading.scenario, (*lines, *reading.account), reading.spots)


def _root(file: str, content: bytes) -> Element:
    if is_printed(content):
        return printed_tree(content, file)
    root = load(content, file)
    strange = "" if root.name in (ROOT, *BINDINGS) else stranger(content)
    if strange or root.name not in ("Server", ROOT, *BINDINGS):
        message = strange or f"the root is <{root.name}>; a server.xml has <process:Server>, a resources.xml <xmi:XMI>"
        raise refuse(file, root.line, message)
    return root


def _server(root: Element, servers: dict[str, Draft], queues: Queues, account: Account) -> None:
    name = as_name(root.attributes.get("name", "server"))
    draft = servers.setdefault(name, Draft("servers", name))
    account.note("understood", root, draft.path, "an application server", "name")
    identify_server(root, draft, account)
    for service in services_of(root):
        _service(service, draft, queues, account)
    for pool in root.walk():
        if pool.name == "threadPools" and pool.attributes.get("name") == "WMQJCAResourceAdapter":
            account.take(pool, "name")
            put_attribute(pool, "maximumSize", draft, "adapter_pool_maximum", account)
            draft.room("adapter_pool_maximum", account, pool, attribute="maximumSize")


def _resources(root: Element, servers: Iterable[str], queues: Queues, account: Account) -> None:
    """Activation specifications belong to the first server that is read: their file names none."""
    server, *others = servers
    if others:
        message = (
            f"no file says on which server its activation specifications run: {server} counts, not {', '.join(others)}"
        )
        account.note("unresolved", root, path_of("servers", server), message)
    for adapter, element in adapters_of(root):
        draft = spec_draft(element, server, queues, account, "mode", SPEC)
        if adapter == SIB or "maximum_concurrent_endpoints" in draft.settings:
            draft.put("provider", "default_messaging", account, element)
        elif adapter not in ("", IBM_MQ):
            account.note("unresolved", element, draft.path, f"{adapter}: {OTHER_ADAPTER}")


def _service(service: tuple[str, Element], server: Draft, queues: Queues, account: Account) -> None:
    kind, element = service
    if kind == "TransactionService":
        read_transactions(element, server, account)
    elif kind == "MessageListenerService":
        account.take(element, "type")
        _listener(element, server, queues, account)


def _listener(element: Element, server: Draft, queues: Queues, account: Account) -> None:
    pool = element.child("threadPool")
    if pool is None:
        server.refused |= dict.fromkeys(("listener_pool_growable", *(name for name, _ in POOL.values())), NO_POOL)
    else:
        _pool(pool, server, account)
    items = properties_of(element)
    service = service_properties(element, items, server, account)
    for port in element.all("listenerPorts"):
        draft = port_draft(port, server.name, queues, account)
        for attribute, setting in PORT.items():
            put_attribute(port, attribute, draft, setting, account)
            draft.room(setting, account, port, attribute=attribute)
        _state(port, draft, account)
        own_properties(items, port.attributes.get("name", ""), draft, account)
        draft.inherit(service)


def _pool(pool: Element, server: Draft, account: Account) -> None:
    for attribute, (setting, factor) in POOL.items():
        put_attribute(pool, attribute, server, setting, account, factor)
        server.room(setting, account, pool, attribute=attribute)
    if "isGrowable" in pool.attributes:
        growable = pool.attributes["isGrowable"].lower() == "true"
        server.put("listener_pool_growable", growable, account, pool, "isGrowable")
    server.room("listener_pool_growable", account, pool, attribute="isGrowable")


def _state(port: Element, draft: Draft, account: Account) -> None:
    """Whether the port starts with its server; the product writes START or STOP."""
    state = port.child("stateManagement")
    if state is not None and "initialState" in state.attributes:
        draft.put("initial_state", state.attributes["initialState"], account, state, "initialState")
    draft.room("initial_state", account, port, "stateManagement", attribute="initialState")
