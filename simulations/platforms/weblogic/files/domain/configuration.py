"""A domain's config.xml and a Deploy Tooling model: the same objects, written with names inside or outside."""

from collections.abc import Mapping
from pathlib import PurePosixPath

from simulations.platforms.files.importing.drafts import Sourced, number_of, place_of
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.weblogic.files.domain.contents import Imported, Running
from simulations.platforms.weblogic.files.domain.dumps import dumped
from simulations.platforms.weblogic.files.domain.jms_modules import read_jms_server, read_module
from simulations.platforms.weblogic.files.domain.removed_names import take_away
from simulations.platforms.weblogic.files.work_managers.file import new_targets
from simulations.platforms.weblogic.files.work_managers.reading import read_work, take_targets, targets_of


def read_config(root: Element, found: Imported, account: Account) -> None:
    """Read config.xml: work managers, servers, applications, JMS servers and the transaction timeout."""
    _domain(root, root, found, account)
    _applications(root, "app-deployment", found, account)
    _work(root.child("self-tuning"), root, found, account)


def read_model(root: Element, found: Imported, account: Account) -> Element:
    """Read a Deploy Tooling model and return it, for the account."""
    take_away(root, found, account)
    resources, topology = (root.child(name) or Element(name, 1, keyed=True) for name in ("resources", "topology"))
    _domain(resources, topology, found, account)
    _applications(root.child("app-deployments"), "application", found, account)
    if root.child("resources") is not None:
        _work(resources.child("self-tuning"), root, found, account)
    _modules(resources, found, account)
    return root


def read_dump(content: bytes, file: str, found: Imported, account: Account) -> Element:
    """Read what WLST wrote or printed of a domain and return it, for the account."""
    root, account.printed = dumped(content, file, account), True
    read_config(root, found, account)
    _modules(root, found, account)
    return root


def _modules(resources: Element, found: Imported, account: Account) -> None:
    for name, system in resources.named("jms-system-resource"):
        for module in system.all("jms-resource"):
            read_module(module, found, account, name)


def _work(work: Element | None, root: Element, found: Imported, account: Account) -> None:
    found.work_targets |= new_targets(work, root)
    if work is not None:
        read_work(work, found, account)


def _domain(resources: Element, topology: Element, found: Imported, account: Account) -> None:
    held = resources.child("jta") or topology.child("jta")
    timeout = held and (held.child("timeout-seconds") or held.child("timeout"))
    if timeout is not None:
        value = number_of(timeout, account, "transaction timeout")
        if value:
            place = place_of(account.file, timeout)
            places = () if place is None else (place,)
            found.defaults.settings["transaction_timeout"] = Sourced(value, account.file, timeout.line, places)
            account.note("understood", timeout, "queues.*.settings.transaction_timeout", f"{value:g} s for all beans")
    elif not resources.keyed:
        found.defaults.room("transaction_timeout", account, resources, "jta", "timeout-seconds")
    for name, element in resources.named("jms-server"):
        read_jms_server(name, element, found, account)
    for module, system in resources.named("jms-system-resource"):
        found.modules[PurePosixPath(system.value("descriptor-file-name") or module).name] = module
        take_targets(system, f"JMS module {module}", found, account)
        file = system.child("descriptor-file-name")
        if file is not None and system.child("jms-resource") is None:
            found.module_links.append((module, file, account))
        for name, element in system.named("sub-deployment"):
            account.take(element.child("name"))
            hosts = take_targets(element, f"sub-deployment {name}", found, account)
            found.deployments.setdefault((module, name), []).extend(hosts)
    servers = dict(topology.named("server"))
    members, templates = _members(servers, found, account), _dynamic(topology, found, account)
    chosen = {name: element for name, element in servers.items() if name == found.choice}
    sized = {**members, **templates, **chosen} or servers
    found.sized += [(name, element, account) for name, element in sized.items()]


def _applications(parent: Element | None, kind: str, found: Imported, account: Account) -> None:
    """Read what applications are for: the servers or clusters that run their beans."""
    for name, element in parent.named(kind) if parent else ():
        target = element.child("target")
        if target is not None:
            found.applications[name] = targets_of(target, account)
            account.take(element.child("name"))
            account.note("understood", target, f"application {name}", f"runs on {', '.join(found.applications[name])}")


def _members(servers: Mapping[str, Element], found: Imported, account: Account) -> dict[str, Element]:
    """Read and return the servers that are members of clusters."""
    members = {}
    for name, element in servers.items():
        cluster = element.child("cluster")
        if cluster is not None and cluster.text:
            found.running[name] = Running(name, cluster.text, 1, cluster.line, account.file)
            account.note("understood", cluster, "servers.server.instances", f"{name} is a member of {cluster.text}")
            account.take(element.child("name"))
            members[name] = element
    return members


def _dynamic(topology: Element, found: Imported, account: Account) -> dict[str, Element]:
    """Read the clusters that make their servers themselves; return the template of each one's servers."""
    templates, used = dict(topology.named("server-template")), {}
    for name, cluster in topology.named("cluster"):
        servers = cluster.child("dynamic-servers")
        size = servers and (servers.child("dynamic-cluster-size") or servers.child("maximum-dynamic-server-count"))
        count = None if not size else number_of(size, account, "servers.server.instances")
        if servers is None or not size or not count:
            continue
        template = servers.child("server-template")
        of_all = template.text if template else ""
        found.running[name] = Running(name, name, int(count), size.line, account.file, of_all)
        account.note("understood", size, "servers.server.instances", f"{count:g} servers that {name} makes itself")
        account.take(cluster.child("name"))
        if template is not None and of_all in templates:
            account.take(template)
            account.take(templates[of_all].child("name"))
            used[name] = templates[of_all]
    return used
