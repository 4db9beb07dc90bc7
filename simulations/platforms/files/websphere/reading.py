"""The files of a cell as one scenario: what is read alike on z/OS and elsewhere, and where the two part."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from simulations.declarations.parameters import PlatformParameters, addresses_of
from simulations.declarations.texts import path_of
from simulations.platforms.files.foreign_files import stranger
from simulations.platforms.files.importing.declared import Addresses, read_attributes
from simulations.platforms.files.importing.drafts import Draft, Queues, chosen_in, unpatched, without_choice
from simulations.platforms.files.importing.scenario_body import assemble
from simulations.platforms.files.importing.vendor_files import scenario_alone
from simulations.platforms.files.syntax.signatures import root_of
from simulations.platforms.files.syntax.text_files import load_properties
from simulations.platforms.files.syntax.tree import Account, Element, refuse
from simulations.platforms.files.syntax.xml_file import load
from simulations.platforms.files.websphere.admin_config import is_printed, printed_tree
from simulations.platforms.files.websphere.resources import IBM_MQ, OTHER_ADAPTER, ROOT, adapters_of, spec_draft
from simulations.platforms.files.websphere.server import BINDINGS, by_scope, chosen_servers, server_draft, services_of
from simulations.platforms.shared.family import Reading, Understood
from simulations.platforms.shared.listener_port import MAXIMUM_TIMEOUT


@dataclass(frozen=True)
class Cell:
    """One family's settings and what it alone reads."""

    platform: str
    server_model: type[PlatformParameters]
    port_model: type[PlatformParameters]
    switch: str
    """The setting that tells an activation specification from a listener port."""
    roots: str
    """Which root elements are read, as the end of a sentence."""
    server: Callable[[Element, Draft, Account], None]
    """Reads the rest of a server."""
    listener: Callable[[Element, Draft, Queues, Account], None]
    """Reads the message listener service of a server, with its ports."""
    spec: Callable[[str, Element, Draft, Account], bool] = lambda *_: False
    """Gets the kind of resource adapter of an activation specification; True where it knows that adapter."""
    variables: Callable[[Element, list[Draft], Account], None] | None = None
    """Reads a map of variables or was.env for servers; None where they say nothing."""
    complete: Callable[[Draft], None] = lambda _: None
    """Adds to a server what follows from all files together."""


def read_cell(files: Mapping[str, bytes], cell: Cell) -> Reading:
    """Read a scenario file, or servers first; each listener port and each activation specification becomes a queue.
    Raises InvalidInput for a file that is hostile or none of those that the family reads."""
    if alone := scenario_alone(files, cell.platform):
        return alone
    servers, queues, lines = dict[str, Draft](), Queues(), list[Understood]()
    roots = [(Account(file), _root(file, content, cell)) for file, content in without_choice(files).items()]
    for account, server in chosen_servers(roots, chosen_in(files)):
        _server(server, servers, queues, account, cell)
    if not servers:
        lines.append(Understood("defaulted", "servers.server", "no server.xml was given; one server is assumed"))
        servers["server"] = Draft("servers", "server")
        servers["server"].identify({"kind": "Server"})
    for account, root, concerned in by_scope(roots, servers.values()):
        if root.name == ROOT:
            _resources(root, concerned, queues, account, cell)
        elif root.name != "Server" and cell.variables is not None:
            cell.variables(root, concerned, account)
    for draft in servers.values():
        cell.complete(draft)
    lines += [line for account, root in roots for line in account.finish(root)]
    if not queues:
        message = "no listener port and no activation specification was found; a port is assumed"
        lines.append(Understood("defaulted", "queues.queue", message))
        queues.new("queue")
    reading = assemble(cell.platform, cell.server_model, cell.port_model, servers, queues, lines)
    printed = {file for file, content in files.items() if is_printed(content)}
    return replace(reading, spots=unpatched(reading.spots, printed))


def _root(file: str, content: bytes, cell: Cell) -> Element:
    if is_printed(content):
        return printed_tree(content, file)
    if cell.variables is not None and not root_of(content)[0]:
        return load_properties(content, file)
    root = load(content, file)
    known = ("Server", ROOT, *BINDINGS, *(("VariableMap",) if cell.variables is not None else ()))
    strange = "" if root.name in (ROOT, *BINDINGS) else stranger(content)
    if strange or root.name not in known:
        raise refuse(file, root.line, strange or f"the root is <{root.name}>; {cell.roots}")
    return root


def _server(root: Element, servers: dict[str, Draft], queues: Queues, account: Account, cell: Cell) -> None:
    draft = server_draft(root, servers, account)
    for kind, service in services_of(root):
        if kind == "TransactionService":
            _transactions(service, draft, account, addresses_of(cell.server_model, kind))
            account.take(service, "type")
        elif kind == "MessageListenerService":
            account.take(service, "type")
            cell.listener(service, draft, queues, account)
    cell.server(root, draft, account)


def _transactions(service: Element, draft: Draft, account: Account, addresses: Addresses) -> None:
    """Read the timeouts; where the total is 0 and the maximum is not, the maximum counts for both."""
    for (attribute,), declared in addresses.items():
        source = attribute
        if service.attributes.get(attribute) == "0" != service.attributes.get(MAXIMUM_TIMEOUT, "0"):
            source, path = MAXIMUM_TIMEOUT, f"{draft.path}.settings.{declared.name}"
            draft.unlimited.add(declared.name)
            account.note("understood", service, path, "0: the maximum transaction timeout counts", attribute)
        read_attributes(draft, service, {(source,): declared}, account)


def _resources(root: Element, servers: list[Draft], queues: Queues, account: Account, cell: Cell) -> None:
    """Activation specifications belong to the first of the servers for which their file counts."""
    server, *others = [item.name for item in servers]
    if others:
        said = "no file says on which server its activation specifications run"
        message = f"{said}: {server} counts, not {', '.join(others)}"
        account.note("unresolved", root, path_of("servers", server), message)
    for adapter, element in adapters_of(root):
        draft = spec_draft(element, server, queues, account, cell.switch, cell.port_model)
        if not cell.spec(adapter, element, draft, account) and adapter not in ("", IBM_MQ):
            account.note("unresolved", element, draft.path, f"{adapter}: {OTHER_ADAPTER}")
