"""Clusters of a domain and the hosts of its files: which servers and beans each queue belongs to."""

from collections.abc import Mapping

from simulations.declarations.parameters import addresses_of
from simulations.platforms.files.importing.declared import read_elements
from simulations.platforms.files.importing.drafts import Draft, Sourced, check_choice, is_on, together
from simulations.platforms.shared.family import Understood
from simulations.platforms.weblogic.files.domain.contents import Imported, Key, Running
from simulations.platforms.weblogic.files.domain.jms_modules import is_module
from simulations.platforms.weblogic.parameters.mdb import THRESHOLD_NAMES
from simulations.platforms.weblogic.parameters.server import ServerSettings

SERVER = addresses_of(ServerSettings, "server")
PATH = "servers.server.instances"


def take_servers(found: Imported, lines: list[Understood]) -> None:
    """Count the servers that run the beans and read their sizes; say so where the files leave open which they are. A
    server outside the cluster, such as the administration server, is left out beside one."""
    chosen, others = _chosen(found)
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


def _names(running: list[Running]) -> str:
    return ", ".join(item.title for item in running)


def _chosen(found: Imported) -> tuple[list[Running], list[Running]]:
    """The servers that count, and those that might as well: those that somebody chose, a cluster's or a single one. An
    application runs on all of its targets. Where none names a cluster, those of other objects tell its name."""
    known = list(found.running.values())
    names = {name for item in known for name in (item.name, item.cluster)}
    if found.choice:
        check_choice(found.choice, names.union(name for name, _, _ in found.sized))
        return [item for item in known if item.is_named({found.choice})], []
    groups = [group for targets in found.applications.values() if (group := names.intersection(targets))]
    if not groups:
        named = [item for item in known if item.is_named(found.targets)] or known
        groups = [{cluster} for cluster in dict.fromkeys(item.cluster for item in named)]
    first, all_named = groups[0] if groups else set[str](), set[str]().union(*groups)
    others = [item for item in known if item.is_named(all_named) and not item.is_named(first)]
    return [item for item in known if item.is_named(first)], others


MEMBERS_DIFFER = "the members of this distributed destination differ, so the defaults count"
LIMITS = {"messages_quota", "bytes_quota"}
OPEN = "JMS servers differ; which one hosts the destination is open"


def take_from_hosts(found: Imported, queues: Mapping[str, Draft], lines: list[Understood]) -> None:
    """Give each queue what all servers that may host its destination say alike; where they differ, say so."""
    own = {id(draft): key for key, draft in found.destinations.items()}
    limited = {id(link.draft) for link in found.quota_links if link.key in found.quotas}
    limited |= {id(link.draft) for link in found.template_links if id(found.templates.get(link.key)) in limited}
    for queue in queues.values():
        if "destination" in queue.settings and queue.settings["destination"].value == "foreign":
            continue
        key = found.destination_of.get(queue.name, own.get(id(queue)))
        hosts = _hosts(key, found)
        if _differ(hosts):
            lines.append(Understood("unresolved", queue.path, OPEN))
        elif hosts:
            _share_thresholds(queue, hosts)
            if LIMITS & hosts[0].settings.keys() and not LIMITS & queue.settings.keys():
                found.quota_hosts[queue.name] = hosts[0].name
            alike = together(hosts)
            if key and id(found.destinations.get(key)) in limited:  # the server's limits are not those of its quota
                for setting in (*LIMITS, "blocking_send_policy"):
                    alike.settings.pop(setting, None)
                    alike.lacking.pop(setting, None)
            queue.inherit(alike)


def _share_thresholds(queue: Draft, hosts: list[Draft]) -> None:
    """Note whose thresholds a destination without its own has: those of its JMS servers, which count all they hold."""
    stated = any(name in hosts[0].settings or name not in queue.lacking for name in THRESHOLD_NAMES)
    if stated and not any(name in queue.settings for name in THRESHOLD_NAMES):
        name = "+".join(host.name for host in hosts)[:200]
        queue.settings["jms_server"] = Sourced(name, hosts[0].file, hosts[0].line)
        for name in THRESHOLD_NAMES:
            queue.lacking.pop(name, None)  # what is chosen is written to the servers, for all that they hold


def take_from_members(found: Imported, lines: list[Understood]) -> None:
    """Give each weighted distributed destination what its members say alike; they hold the settings."""
    for name, names in found.members_of.items():
        members = [found.destinations[item] for item in names if item in found.destinations]
        draft = found.destinations[name]
        path = draft.path
        missing = [item[1] for item in names if item not in found.destinations]
        if missing:
            message = f"no file describes the members {', '.join(missing)}"
            lines.append(Understood("unresolved", path, message, draft.file, draft.line))
        if _differ(members):
            lines.append(Understood("unresolved", path, MEMBERS_DIFFER, draft.file, draft.line))
        elif members:
            draft.inherit(together(members))
        homes = {found.homes[item] for item in names if item in found.homes}
        if len(homes) == 1:
            found.homes.setdefault(name, homes.pop())


def _differ(drafts: list[Draft]) -> bool:
    said = [{key: item.value for key, item in draft.settings.items()} for draft in drafts]
    return any(each != said[0] for each in said)


def _hosts(destination: Key | None, found: Imported) -> list[Draft]:
    """The servers that the destination's sub-deployment names; all of them where nothing is known of it."""
    home = found.homes.get(destination) if destination else None
    same = {key[0]: names for key, names in found.deployments.items() if key[1] == home}
    own = [names for module, names in same.items() if destination and is_module(destination[0], module)]
    named = {name for names in own or same.values() for name in names}
    known = [draft for name, draft in found.jms_servers.items() if name in named]
    return known or list(found.jms_servers.values())
