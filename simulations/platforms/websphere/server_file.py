"""WebSphere's server.xml: the message listener service with its pool and ports, and the transaction service."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from simulations.platforms.base import Reading, Understood
from simulations.platforms.formats.drafts import Draft, assemble, number_of, safe_name
from simulations.platforms.formats.limits import refuse
from simulations.platforms.formats.spots import New
from simulations.platforms.formats.tree import Account, Element
from simulations.platforms.formats.xml_file import load
from simulations.platforms.websphere.parameters import ListenerPort, ServerSettings

RECEIVE_TIMEOUT = "NON.ASF.RECEIVE.TIMEOUT"
ASF_ONLY = (
    "SERVER.SESSION.POOL.REAP",
    "SERVER.SESSION.POOL.REAP.TIME",
    "SERVER.SESSION.POOL.UNUSED.TIMEOUT",
)
ORDER = {"services": ("context", "stateManagement", "threadPool", "properties", "listenerPorts")}
"""Children of the message listener service."""
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


def services_of(root: Element) -> Iterator[tuple[str, Element]]:
    """Yield the local type and element of every service, wherever it stands; the prefix of the type may vary."""
    for element in root.walk():
        if element.name == "services" and "type" in element.attributes:
            yield element.attributes["type"].rsplit(":", 1)[-1], element


def _service(service: tuple[str, Element], server: Draft, queues: dict[str, Draft], account: Account) -> None:
    kind, element = service
    if kind == "TransactionService":
        _attribute(element, "totalTranLifetimeTimeout", server, "total_transaction_timeout", account)
        server.room("total_transaction_timeout", account, element, attribute="totalTranLifetimeTimeout")
        account.take(element, "type")
    elif kind == "MessageListenerService":
        account.take(element, "type")
        _listener(element, server, queues, account)


def _listener(element: Element, server: Draft, queues: dict[str, Draft], account: Account) -> None:
    pool = element.child("threadPool")
    if pool is None:
        server.refused["listener_pool_maximum"] = (
            "the message listener service has no thread pool of its own in the file"
        )
    else:
        _attribute(pool, "maximumSize", server, "listener_pool_maximum", account)
        server.room("listener_pool_maximum", account, pool, attribute="maximumSize")
    service = _properties(element, account)
    for port in element.all("listenerPorts"):
        name = _free_name(safe_name(port.attributes.get("name", "port")), queues)
        draft = queues.setdefault(name, Draft("queues", name, fields={"server": server.name}))
        account.note("understood", port, f"queues.{name}", "a listener port", "name")
        for attribute, setting in PORT.items():
            _attribute(port, attribute, draft, setting, account)
            draft.room(setting, account, port, attribute=attribute)
        draft.inherit(service)


def _free_name(name: str, queues: dict[str, Draft]) -> str:
    """Ports of two servers may have the same name; the second gets a number."""
    number, free = 2, name
    while free in queues:
        free, number = f"{name}_{number}", number + 1
    return free


def _properties(element: Element, account: Account) -> Draft:
    """Custom properties of the service: the receive timeout is the switch to non-ASF mode for all its ports."""
    service = Draft("queues", "*", implied={"mode"})
    items = {item.attributes.get("name", ""): item for item in element.all("properties")}
    timeout = items.get(RECEIVE_TIMEOUT)
    if timeout is None:
        for setting in ("mode", "receive_timeout"):
            service.add(setting, account, element, _new_property(element))
        return service
    account.take(timeout, "name")
    path = "queues.*.settings.receive_timeout"
    value = number_of(timeout, account, path, timeout.attributes.get("value", ""), "value")
    if value is None or value < 0:
        return service
    mode = "non_asf" if value > 0 else "asf"
    service.put("receive_timeout", value / 1000, account, timeout, "value")
    service.settings["mode"] = replace(service.settings["receive_timeout"], value=mode)
    account.note("understood", timeout, "queues.*.settings.mode", f"{value:g} ms: {mode} mode for all ports", "value")
    for name, item in items.items():
        if mode == "non_asf" and name.startswith(ASF_ONLY):
            account.note("ignored", item, name, "does nothing in non-ASF mode", "name")
            account.take(item, "value")
    return service


def _new_property(element: Element) -> New:
    """The receive timeout as a property; with an id where the service has one, made from it."""
    own = element.attributes.get("id", "")
    named = (("xmi:id", f"Property_{own.rpartition('_')[2]}_receive"),) if own else ()
    return New("properties", "", (*named, ("name", RECEIVE_TIMEOUT), ("value", "{}")))


def _attribute(element: Element, name: str, draft: Draft, setting: str, account: Account) -> None:
    if name not in element.attributes:
        return
    path = f"{draft.kind}.{draft.name}.settings.{setting}"
    value = number_of(element, account, path, element.attributes[name], name)
    if value is not None:
        draft.put(setting, value, account, element, name)
