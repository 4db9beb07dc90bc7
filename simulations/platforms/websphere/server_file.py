"""WebSphere's server.xml: the message listener service with its pool and ports, and the transaction service."""

from collections.abc import Mapping

from simulations.platforms.base import Reading, Understood
from simulations.platforms.formats.drafts import Draft, assemble, safe_name
from simulations.platforms.formats.limits import refuse
from simulations.platforms.formats.tree import Account, Element
from simulations.platforms.formats.was_server import port_draft, put_attribute, read_transactions, services_of
from simulations.platforms.formats.xml_file import load
from simulations.platforms.websphere.parameters import ListenerPort, ServerSettings
from simulations.platforms.websphere.service_properties import own_properties, service_properties

ORDER = {
    "services": ("context", "stateManagement", "threadPool", "properties", "listenerPorts"),
    "listenerPorts": ("stateManagement",),
}
"""Children of the message listener service and of its ports."""
NO_POOL = "the message listener service has no thread pool of its own in the file"
POOL = {
    "maximumSize": ("listener_pool_maximum", 1.0),
    "minimumSize": ("listener_pool_minimum", 1.0),
    "inactivityTimeout": ("listener_pool_inactivity", 0.001),
}
PORT = {"maxSessions": "maximum_sessions", "maxMessages": "maximum_messages", "maxRetries": "maximum_retries"}


def read_servers(files: Mapping[str, bytes], platform: str) -> Reading:
    """Read one server per file; each listener port becomes a queue."""
    servers: dict[str, Draft] = {}
    queues: dict[str, Draft] = {}
    lines: list[Understood] = []
    for file, content in files.items():
        root, account = load(content, file), Account(file)
        if root.name != "Server":
            raise refuse(file, root.line, f"the root is <{root.name}>, a server.xml has <process:Server>")
        name = safe_name(root.attributes.get("name", "server"))
        draft = servers.setdefault(name, Draft("servers", name))
        account.note("understood", root, f"servers.{name}", "an application server", "name")
        for service in services_of(root):
            _service(service, draft, queues, account)
        lines.extend(account.finish(root))
    if not queues:
        message = "no listener port was found; one is assumed"
        lines.append(Understood("defaulted", "queues.queue", message))
        queues["queue"] = Draft("queues", "queue")
    reading = assemble(platform, ServerSettings, ListenerPort, servers, queues)
    return Reading(reading.scenario, (*lines, *reading.account), reading.spots)


def _service(service: tuple[str, Element], server: Draft, queues: dict[str, Draft], account: Account) -> None:
    kind, element = service
    if kind == "TransactionService":
        read_transactions(element, server, account)
    elif kind == "MessageListenerService":
        account.take(element, "type")
        _listener(element, server, queues, account)


def _listener(element: Element, server: Draft, queues: dict[str, Draft], account: Account) -> None:
    pool = element.child("threadPool")
    if pool is None:
        server.refused |= dict.fromkeys(("listener_pool_growable", *(name for name, _ in POOL.values())), NO_POOL)
    else:
        _pool(pool, server, account)
    service = service_properties(element, server, account)
    for port in element.all("listenerPorts"):
        draft = port_draft(port, server.name, queues, account)
        for attribute, setting in PORT.items():
            put_attribute(port, attribute, draft, setting, account)
            draft.room(setting, account, port, attribute=attribute)
        _state(port, draft, account)
        own_properties(element, port.attributes.get("name", ""), draft, account)
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
