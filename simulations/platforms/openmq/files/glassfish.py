"""What GlassFish's domain.xml says: the pools of one of its configurations, and its resources."""

from simulations.declarations.parameters import natives_of
from simulations.platforms.files.importing.drafts import number_of
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.openmq.files.domain_contents import Imported, value_of
from simulations.platforms.openmq.files.resources import read_resources
from simulations.platforms.openmq.parameters.instance import InstanceSettings
from simulations.platforms.shared.spots import New

DEFAULT_CONFIG = "server-config"
WORK_POOL = "thread-pool-1"
POOL = natives_of(InstanceSettings, "mdb-container")
RECONNECT = natives_of(InstanceSettings, "mdb-container.property")
"""Properties of the MDB container."""


def configuration_of(root: Element) -> str:
    """Return the name of the configuration that counts: that of the first cluster, or else of the default server."""
    cluster = root.child("clusters", "cluster")
    return DEFAULT_CONFIG if cluster is None else cluster.attributes.get("config-ref", DEFAULT_CONFIG)


def read_domain(root: Element, found: Imported, account: Account) -> None:
    """Read the configuration of the cluster, or else of the default server; others are listed as not used."""
    cluster, clusters = root.child("clusters", "cluster"), root.child("clusters")
    wanted = configuration_of(root)
    if cluster is not None and clusters is not None and len(clusters.all("cluster")) > 1:
        first, *others = (item.attributes.get("name", "") for item in clusters.all("cluster"))
        message = f"{len(others) + 1} clusters: the first one, {first}, counts, not {', '.join(others)}"
        account.note("unresolved", cluster, "servers.server", message, "name")
    if cluster is not None:
        members = len(cluster.all("server-ref"))
        if members:
            found.server.fields["instances"] = members
            account.note("understood", cluster, "servers.server.instances", f"{members} members", "config-ref")
    configs = root.child("configs")
    for config in configs.all("config") if configs else []:
        if config.attributes.get("name") == wanted:
            account.take(config, "name")
            parent = "" if cluster is None else cluster.attributes.get("name", "")
            found.config = {"name": wanted, "kind": "config", "scope": "domain", "file": account.file, "parent": parent}
            _config(config, found, account)
    resources = root.child("resources")
    if resources is not None:
        read_resources(resources, found, account)


def _config(config: Element, found: Imported, account: Account) -> None:
    for attribute, setting in POOL.items():
        found.server.room(setting, account, config, "mdb-container", attribute=attribute)
    container = config.child("mdb-container")
    if container is not None:
        for attribute, setting in POOL.items():
            _attribute(container, attribute, setting, found, account)
        for item in container.all("property"):
            _container_property(item, found, account)
    for name, setting in RECONNECT.items():
        if setting not in found.server.settings:
            new = New("property", "", (("name", name), ("value", "{}")))
            found.server.add(setting, account, config, new, ("mdb-container",))
    pools = config.child("thread-pools")
    for pool in pools.all("thread-pool") if pools else []:
        if WORK_POOL in (pool.attributes.get("name"), pool.attributes.get("thread-pool-id")):
            _attribute(pool, "max-thread-pool-size", "thread_pool_maximum", found, account)
            found.server.room("thread_pool_maximum", account, pool, attribute="max-thread-pool-size")


def _container_property(item: Element, found: Imported, account: Account) -> None:
    name, value = item.attributes.get("name", ""), value_of(item.attributes.get("value", ""))
    if name == "cmt-max-runtime-exceptions":
        found.broker.put("redelivery_attempts", value, account, item, "value")
    elif name in RECONNECT:
        found.server.put(RECONNECT[name], value, account, item, "value")
    else:
        return
    account.take(item, "name")


def _attribute(element: Element, name: str, setting: str, found: Imported, account: Account) -> None:
    if name not in element.attributes:
        return
    value = number_of(element, account, f"servers.server.settings.{setting}", element.attributes[name], name)
    if value is not None:
        found.server.put(setting, value, account, element, name)
