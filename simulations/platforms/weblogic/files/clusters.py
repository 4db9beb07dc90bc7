"""Which managed servers run the beans: those that applications are for, else those of one cluster."""

from simulations.declarations.parameters import addresses_of
from simulations.platforms.files.importing.choice import check_choice
from simulations.platforms.files.importing.declared import read_elements
from simulations.platforms.files.importing.drafts import is_on
from simulations.platforms.shared.family import Understood
from simulations.platforms.weblogic.files.domain_contents import Imported, Running
from simulations.platforms.weblogic.parameters.server import ServerSettings

SERVER = addresses_of(ServerSettings, "server")
PATH = "servers.server.instances"


def take_servers(found: Imported, lines: list[Understood]) -> None:
    """Count the servers that run the beans and read their sizes; say so where the files leave open which they are.

    A server outside the cluster, such as the administration server, is left out beside one.
    """
    chosen, others = _wanted(found) if found.choice else _chosen(found)
    if others:
        names = f"{_names(chosen)} or on {_names(others)}"
        message = f"the files leave open whether the beans run on {names}: the former counts; another can be chosen"
        lines.append(Understood("unresolved", PATH, message, chosen[0].file, chosen[0].line))
    found.chosen = chosen
    if chosen:
        count = sum(running.count for running in chosen)
        found.server.fields["instances"] = count
        lines.append(Understood("understood", PATH, f"{count} managed servers: {_names(chosen)}"))
    left = set(found.running) - {running.name for running in chosen}
    if found.choice and not chosen:
        left = {name for name, _, _ in found.sized} - {found.choice}
    read = set[int]()
    for name, element, account in found.sized:
        if name not in left and id(element) not in read:
            read.add(id(element))
            read_elements(found.server, element, SERVER, account)
            queues = element.child("use81-style-execute-queues")
            if queues is not None:
                found.server.put("self_tuning", not is_on(queues.text), account, queues)


def _wanted(found: Imported) -> tuple[list[Running], list[Running]]:
    """The servers that somebody chose: a cluster's, or a single one."""
    known = [name for item in found.running.values() for name in (item.name, item.cluster)]
    check_choice(found.choice, [*known, *(name for name, _, _ in found.sized)])
    return [item for item in found.running.values() if item.is_named({found.choice})], []


def _names(running: list[Running]) -> str:
    return ", ".join(item.title for item in running)


def _chosen(found: Imported) -> tuple[list[Running], list[Running]]:
    """The servers that count, and those that might as well.

    An application runs on all of its targets. Where none names a cluster, those of other objects tell its name.
    """
    known = list(found.running.values())
    names = {name for item in known for name in (item.name, item.cluster)}
    groups = [group for targets in found.applications.values() if (group := names.intersection(targets))]
    if not groups:
        named = [item for item in known if item.is_named(found.targets)] or known
        groups = [{cluster} for cluster in dict.fromkeys(item.cluster for item in named)]
    first, all_named = groups[0] if groups else set[str](), set[str]().union(*groups)
    others = [item for item in known if item.is_named(all_named) and not item.is_named(first)]
    return [item for item in known if item.is_named(first)], others
