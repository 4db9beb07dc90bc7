"""What WebSphere's server.xml has in common on z/OS and elsewhere: services, ports, custom properties, transactions."""

import re
from collections.abc import Iterable, Iterator, Mapping

from simulations.declarations.parameters import Declaration
from simulations.declarations.texts import as_name
from simulations.platforms.files.importing.declared import Addresses, read_value
from simulations.platforms.files.importing.drafts import Draft, Queues, check_choice
from simulations.platforms.files.importing.scenario_body import check_number
from simulations.platforms.files.syntax.tree import Account, Element

Roots = Iterable[tuple[Account, Element]]
OF_ZOS = (
    b"MDB.THROTTLE.THRESHOLD",
    b"ENABLE.ZOS.LP.RECOVERY",
    b"minimumNumOfInstances",
    b"enableMultipleServerInstances",
)
"""What only the server.xml of a server on z/OS holds."""
UNUSED_TIMEOUT = "SERVER.SESSION.POOL.UNUSED.TIMEOUT"
"""The one property that can name a port behind its own name."""
REAPERS = ("SERVER.SESSION.POOL.REAP.TIME", "SERVER.SESSION.POOL.REAP")
"""Both spellings of one property; the first counts, and is written where none is there."""
BINDINGS = ("ejb-jar-bnd", "EJBJarBinding", "ejb-jar-ext", "EJBJarExtension", "application-bnd", "ApplicationBinding")
"""Roots of files that say which activation specification or listener port a bean has."""
ELSEWHERE = "its folder is that of no server that is imported"
SET_ASIDE = "set aside: every listener port and activation specification becomes a queue, whichever bean has it"


def holds_server(root: str, content: bytes) -> bool:
    """Whether a file with this root element is a server.xml; version 5 puts the server inside another element."""
    return root == "Server" or (root == "XMI" and b":Server " in content)


def chosen_servers(roots: Roots, choice: str) -> list[tuple[Account, Element]]:
    """Return the servers of all files, or the one that was chosen; raises InvalidInput where there is none."""
    held = ((account, [root] if root.name == "Server" else root.all("Server")) for account, root in roots)
    found = [(account, server) for account, servers in held for server in servers]
    if choice:
        check_choice(choice, (server.attributes.get("name", "") for _, server in found))
    return [(account, server) for account, server in found if choice in ("", server.attributes.get("name"))]


def services_of(root: Element) -> Iterator[tuple[str, Element]]:
    """Yield the local type and element of every service, wherever it stands; the prefix of the type may vary."""
    for element in root.walk():
        if element.name == "services" and "type" in element.attributes:
            yield element.attributes["type"].rsplit(":", 1)[-1], element


def folders_of(file: str) -> dict[str, str]:
    """Return the names of the cell, the cluster, the node and the server that a file is of, as its folders say."""
    return dict(re.findall(r"(?<![^/])(cells|clusters|nodes|servers)/([^/]+)/", file))


def narrowness(file: str) -> tuple[int, bool]:
    """Return what is larger the more special a file is: one of a cluster counts before one of a node."""
    folders = folders_of(file)
    return len(folders), "clusters" in folders


def by_scope(roots: Roots, servers: Iterable[Draft]) -> Iterator[tuple[Account, Element, list[Draft]]]:
    """Yield every file with the servers for which it counts, the most special first. Servers whose own folders are
    not known are among them. What is for no server is noted."""
    for account, root in sorted(roots, key=lambda item: narrowness(item[0].file), reverse=True):
        folders = folders_of(account.file).items()
        concerned = [item for item in servers if not item.scope or folders <= item.scope.items()]
        if root.name in BINDINGS or not concerned:
            account.note("ignored", root, root.name, SET_ASIDE if root.name in BINDINGS else ELSEWHERE)
        else:
            yield account, root, concerned


def server_draft(root: Element, servers: dict[str, Draft], account: Account) -> Draft:
    """Return the draft of a server; the folders of its file, where it has some, say its cell and node. Servers of two
    nodes may have the same name; the second is called after its node, too."""
    folders = folders_of(account.file)
    known = {"name": root.attributes.get("name", ""), "kind": "Server", "file": account.file}
    known["parent"] = "/".join(folders[kind] for kind in ("cells", "nodes") if kind in folders)
    name = as_name(known["name"] or "server")
    if "nodes" in folders and name in servers and servers[name].fields["identity"].get("parent", "") != known["parent"]:
        name = as_name(f"{name} {folders['nodes']}")
    draft = servers.setdefault(name, Draft("servers", name))
    draft.scope = {**folders, "clusters": root.attributes.get("clusterName", "")} if folders else {}
    account.note("understood", root, draft.path, "an application server", "name")
    account.take(root, "clusterName")
    draft.identify(known)
    return draft


def port_draft(port: Element, server: Draft, queues: Queues, account: Account) -> Draft:
    """Return the queue of a listener port. Ports of two servers may have the same name; the second gets a number."""
    check_number(queues)
    draft = queues.new(port.attributes.get("name", "port"), server=server.name)
    account.note("understood", port, draft.path, "a listener port", "name")
    jndi = {"role": "destination", "name": port.attributes.get("destinationJNDIName", "")}
    parent = server.fields["identity"].get("name", "")
    known = {"name": port.attributes.get("name", ""), "kind": "ListenerPort", "file": account.file, "parent": parent}
    draft.identify(known, [jndi])
    return draft


def properties_of(element: Element) -> dict[str, Element]:
    """Return the custom properties of a service by name."""
    return {item.attributes.get("name", ""): item for item in element.all("properties")}


def read_properties(draft: Draft, items: Mapping[str, Element], addresses: Addresses, account: Account) -> None:
    """Put what the custom properties of these names state."""
    for (name,), declared in addresses.items():
        if name in items:
            read_property(draft, declared, items[name], account)


def take_formal(item: Element, account: Account) -> None:
    """Take a property's name and what the product writes beside it."""
    account.take(item, "name", "id", "type", "required", "description")


def read_property(draft: Draft, declared: Declaration, item: Element, account: Account) -> None:
    """Put what one custom property states."""
    take_formal(item, account)
    read_value(draft, declared, account, item, "value")


def is_of_zos(content: bytes) -> bool:
    """Whether a server.xml holds what only a server on z/OS has."""
    return any(mark in content for mark in OF_ZOS)
