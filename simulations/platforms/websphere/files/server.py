"""WebSphere's server.xml with listener service, pools, transactions; resources.xml with activation specifications.

Custom properties of the message listener service are those of the server, those of all its ports, those of one port.
"""

from dataclasses import replace

from simulations.declarations.parameters import addresses_of
from simulations.platforms.files.importing.declared import read_attributes
from simulations.platforms.files.importing.drafts import Draft, Queues, number_of
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.files.websphere import server as server_xml
from simulations.platforms.files.websphere.reading import Cell
from simulations.platforms.files.websphere.resources import SIB
from simulations.platforms.shared.spots import New
from simulations.platforms.websphere.parameters import ListenerPort, ServerSettings

ORDER = {
    "services": ("context", "stateManagement", "threadPool", "properties", "listenerPorts"),
    "listenerPorts": ("stateManagement",),
}
"""Children of the message listener service and of its ports."""
NO_POOL = "the message listener service has no thread pool of its own in the file"
ADAPTER_POOL = "WMQJCAResourceAdapter"
POOL = addresses_of(ServerSettings, "ThreadPool/Message.Listener.Pool")
OF_ADAPTER = addresses_of(ServerSettings, f"ThreadPool/{ADAPTER_POOL}")
PORT = addresses_of(ListenerPort, "ListenerPort")
STATE = addresses_of(ListenerPort, "StateManageable")
RECEIVE_TIMEOUT = "NON.ASF.RECEIVE.TIMEOUT"
SERVER = addresses_of(ServerSettings, "MessageListenerService")
_OF_PORTS = addresses_of(ListenerPort, "MessageListenerService")
WAIT = _OF_PORTS.pop((RECEIVE_TIMEOUT,))
REAPER, OTHER_SPELLING = server_xml.REAPERS
PORTS = {**_OF_PORTS, (OTHER_SPELLING,): _OF_PORTS[REAPER,]}


def _pools(root: Element, draft: Draft, account: Account) -> None:
    for pool in root.walk():
        if pool.name == "threadPools" and pool.attributes.get("name") == ADAPTER_POOL:
            account.take(pool, "name")
            read_attributes(draft, pool, OF_ADAPTER, account)


def _spec(adapter: str, element: Element, draft: Draft, account: Account) -> bool:
    on_bus = adapter == SIB or "maximum_concurrent_endpoints" in draft.settings
    if on_bus:
        draft.put("provider", "default_messaging", account, element)
    return on_bus


def _listener(element: Element, server: Draft, queues: Queues, account: Account) -> None:
    pool = element.child("threadPool")
    if pool is None:
        server.refused |= {declared.name: NO_POOL for declared in POOL.values()}
    else:
        read_attributes(server, pool, POOL, account)
    items = server_xml.properties_of(element)
    service = _service_properties(element, items, server, account)
    for port in element.all("listenerPorts"):
        draft = server_xml.port_draft(port, server, queues, account)
        read_attributes(draft, port, PORT, account)
        read_attributes(draft, port, STATE, account, "stateManagement")
        own = f"{server_xml.UNUSED_TIMEOUT}.{port.attributes.get('name', '')}"
        if own in items:
            server_xml.read_property(draft, PORTS[server_xml.UNUSED_TIMEOUT,], items[own], account)
        draft.inherit(service)


def _service_properties(element: Element, items: dict[str, Element], server: Draft, account: Account) -> Draft:
    """Read the properties of a service; return what they say for all its ports."""
    ports = Draft("queues", "*", implied={"mode"})
    for names, draft in ((SERVER, server), (PORTS, ports)):
        server_xml.read_properties(draft, items, names, account)
        for (name,), known in names.items():
            if known.name not in draft.settings and known.name not in draft.lacking:
                draft.add(known.name, account, element, _new(element, name, known.name))
    _receive_timeout(items, ports, element, account)
    return ports


def _receive_timeout(items: dict[str, Element], ports: Draft, element: Element, account: Account) -> None:
    """The receive timeout is the switch to non-ASF mode for all ports of the service."""
    timeout = items.get(RECEIVE_TIMEOUT)
    if timeout is None:
        for setting in ("mode", "receive_timeout"):
            ports.add(setting, account, element, _new(element, RECEIVE_TIMEOUT, "receive"))
        return
    account.take(timeout, "name")
    value = number_of(timeout, account, "queues.*.settings.receive_timeout", "value")
    if value is None or value < 0:
        return
    mode = mode_of(value)
    ports.put("receive_timeout", value / WAIT.quantity.factor, account, timeout, "value")
    ports.settings["mode"] = replace(ports.settings["receive_timeout"], value=mode)
    account.note("understood", timeout, "queues.*.settings.mode", f"{value:g} ms: {mode} mode for all ports", "value")


def mode_of(wait: float) -> str:
    """Return the mode of ports that wait so long for a message; not at all is ASF."""
    return "non_asf" if wait > 0 else "asf"


def _new(element: Element, name: str, word: str) -> New:
    """A property that the service lacks; with an id where the service has one, made from it."""
    own = element.attributes.get("id", "")
    named = (("xmi:id", f"Property_{own.rpartition('_')[2]}_{word}"),) if own else ()
    return New("properties", "", (*named, ("name", name), ("value", "{}")))


CELL = Cell(
    platform="websphere",
    server_model=ServerSettings,
    port_model=ListenerPort,
    switch="mode",
    roots="a server.xml has <process:Server>, a resources.xml <xmi:XMI>",
    server=_pools,
    listener=_listener,
    spec=_spec,
)
