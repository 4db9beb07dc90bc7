"""Files of WebSphere for z/OS: server.xml, variables.xml, was.env and resources.xml together make one scenario.

Variables say what the controller and the servants of a server do. They count for every server that is read.
"""

from simulations.declarations.parameters import addresses_of
from simulations.platforms.files.importing.declared import read_attributes, read_value
from simulations.platforms.files.importing.drafts import Draft, Queues
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.files.websphere.reading import Cell, Servers
from simulations.platforms.files.websphere.server import port_draft, properties_of, read_properties
from simulations.platforms.websphere_zos.parameters import ListenerPort, ServerSettings

INSTANCES = addresses_of(ServerSettings, "ServerInstance")
VARIABLES = {
    "wlm_minimumSRCount": INSTANCES["minimumNumOfInstances",],
    "wlm_maximumSRCount": INSTANCES["maximumNumberOfInstances",],
    **{name: declared for (name,), declared in addresses_of(ServerSettings, "VariableMap").items()},
}
SERVICE, THROTTLE = (addresses_of(model, "MessageListenerService") for model in (ServerSettings, ListenerPort))
PORT = addresses_of(ListenerPort, "ListenerPort")


def _instances(root: Element, draft: Draft, account: Account) -> None:
    for element in root.walk():
        for (attribute,), declared in INSTANCES.items():
            read_value(draft, declared, account, element, attribute)


def _listener(service: Element, server: Draft, queues: Queues, account: Account) -> None:
    items, ports = properties_of(service), Draft("queues", "*")
    read_properties(server, items, SERVICE, account)
    read_properties(ports, items, THROTTLE, account)
    for port in service.all("listenerPorts"):
        draft = port_draft(port, server, queues, account)
        read_attributes(draft, port, PORT, account)
        draft.inherit(ports)


def _variables(root: Element, servers: Servers, account: Account) -> None:
    in_map = root.name == "VariableMap"
    for item in root.all("entries") if in_map else root.children:
        declared = VARIABLES.get(item.attributes.get("symbolicName", "") if in_map else item.key)
        if declared is not None and (not in_map or "value" in item.attributes):
            account.take(item, "symbolicName")
            for draft in servers.values():
                read_value(draft, declared, account, item, "value" if in_map else "")


CELL = Cell(
    platform="websphere-zos",
    server_model=ServerSettings,
    port_model=ListenerPort,
    switch="endpoint",
    roots="<process:Server>, <variables:VariableMap>, <xmi:XMI> of resources.xml and was.env are read",
    server=_instances,
    listener=_listener,
    variables=_variables,
)
