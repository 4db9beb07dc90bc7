"""WebSphere's server.xml with listener service, pools, transactions; resources.xml with activation specifications."""

from simulations.declarations.parameters import addresses_of
from simulations.platforms.files.importing.declared import read_attributes
from simulations.platforms.files.importing.drafts import Draft, Queues
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.files.websphere.reading import Cell
from simulations.platforms.files.websphere.resources import SIB
from simulations.platforms.files.websphere.server import port_draft, properties_of, read_property
from simulations.platforms.websphere.files.service_properties import PORTS, UNUSED_TIMEOUT, service_properties
from simulations.platforms.websphere.parameters.listener_port import ListenerPort
from simulations.platforms.websphere.parameters.server import ServerSettings

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
    items = properties_of(element)
    service = service_properties(element, items, server, account)
    for port in element.all("listenerPorts"):
        draft = port_draft(port, server, queues, account)
        read_attributes(draft, port, PORT, account)
        read_attributes(draft, port, STATE, account, "stateManagement")
        own = f"{UNUSED_TIMEOUT}.{port.attributes.get('name', '')}"
        if own in items:  # the one property that can name a port behind its own name
            read_property(draft, PORTS[UNUSED_TIMEOUT,], items[own], account)
        draft.inherit(service)


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
