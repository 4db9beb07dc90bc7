"""What GlassFish's domain.xml says: the pools of one of its configurations, and its resources."""

from simulations.declarations.parameters import addresses_of, natives_of
from simulations.platforms.files.importing.declared import read_attributes
from simulations.platforms.files.importing.drafts import ASKED, check_choice
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.openmq.files.domain_contents import Imported, value_of
from simulations.platforms.openmq.files.resources import ADAPTER, read_resources
from simulations.platforms.openmq.parameters import InstanceSettings
from simulations.platforms.shared.spots import New

DEFAULT_CONFIG = "server-config"
WORK_POOL = "thread-pool-1"
POOL = addresses_of(InstanceSettings, "mdb-container")
THREADS = addresses_of(InstanceSettings, f"thread-pools.thread-pool.{WORK_POOL}")
RECONNECT = natives_of(InstanceSettings, "mdb-container.property")
"""Properties of the MDB container."""


def configuration_of(root: Element, choice: str) -> str:
    """Return the name of the configuration that counts: that of the cluster or server that was chosen.

    Without a choice that of the first cluster, or else of the default server, or the only one where that has none.
    Raises InvalidInput for an unknown one.
    """
    found = [*root.all("clusters", "cluster"), *root.all("servers", "server")]
    refs = {item.attributes.get("name", ""): item.attributes.get("config-ref", DEFAULT_CONFIG) for item in found}
    if choice:
        check_choice(choice, refs)
        return refs[choice]
    cluster = root.child("clusters", "cluster")
    wanted = DEFAULT_CONFIG if cluster is None else cluster.attributes.get("config-ref", DEFAULT_CONFIG)
    names = [item.attributes.get("name", "") for item in root.all("configs", "config")]
    return wanted if wanted in names or wanted != DEFAULT_CONFIG else next(iter(names), wanted)


def read_domain(root: Element, found: Imported, account: Account) -> None:
    """Read the configuration of the cluster or server that counts; others are not used."""
    wanted = configuration_of(root, found.choice)
    named = [item for item in root.all("clusters", "cluster") if found.choice in ("", item.attributes.get("name"))]
    cluster = named[0] if named else None
    if cluster is not None and len(named) > 1:
        names = ", ".join(item.attributes.get("name", "") for item in named)
        message = f"{len(named)} clusters: {names}; name the one that is meant"
        account.note("unresolved", cluster, ASKED, message, "name")
    if cluster is not None:
        members = len(cluster.all("server-ref"))
        if members:
            found.server.fields["instances"] = members
            account.note("understood", cluster, "servers.server.instances", f"members: {members}", "config-ref")
    for config in root.all("configs", "config"):
        if config.attributes.get("name") == wanted:
            account.take(config, "name")
            parent = "" if cluster is None else cluster.attributes.get("name", "")
            pools = [_pool_of(item, account) for item in root.all("resources", "resource-adapter-config")]
            found.work_pool = next(filter(None, pools), "")
            found.config = {"name": wanted, "kind": "config", "scope": "domain", "file": account.file, "parent": parent}
            _config(config, found, account)
    for resources in root.all("resources"):
        read_resources(resources, found, account)


def _pool_of(item: Element, account: Account) -> str:
    """The pool of threads that a resource adapter is configured to have, for Open MQ's."""
    if item.attributes.get("resource-adapter-name") != ADAPTER:
        return ""
    account.take(item, "resource-adapter-name")
    account.take(item, "thread-pool-ids")
    return item.attributes.get("thread-pool-ids", "").strip()


def _config(config: Element, found: Imported, account: Account) -> None:
    read_attributes(found.server, config, POOL, account, "mdb-container")
    stated = {name: (found.server, setting) for name, setting in RECONNECT.items()}
    stated["cmt-max-runtime-exceptions"] = (found.common["all"], "redelivery_attempts")
    for item in config.all("mdb-container", "property"):
        if item.attributes.get("name", "") in stated:
            draft, setting = stated[item.attributes["name"]]
            draft.put(setting, value_of(item.attributes.get("value", "")), account, item, "value")
            account.take(item, "name")
    for name, setting in RECONNECT.items():
        if setting not in found.server.settings:
            new = New("property", "", (("name", name), ("value", "{}")))
            found.server.add(setting, account, config, new, ("mdb-container",))
    for pool in config.all("thread-pools", "thread-pool"):
        if (found.work_pool or WORK_POOL) in (pool.attributes.get("name"), pool.attributes.get("thread-pool-id")):
            read_attributes(found.server, pool, THREADS, account)
