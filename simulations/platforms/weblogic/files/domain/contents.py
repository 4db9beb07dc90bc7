"""What the files of a WebLogic domain say, collected until all of them are read and names can be resolved."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

from simulations.declarations.texts import as_name, path_of
from simulations.platforms.files.importing.drafts import Draft, Queues, Sourced
from simulations.platforms.files.importing.scenario_body import check_number
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.weblogic.files.plans import Plans

Key = tuple[str, str]
"""A JMS module (its file, or its name in a model), and what it calls one of its objects."""


def manager_path(name: str) -> str:
    """Return the scenario path of a work manager."""
    return path_of("servers", "server", "settings", "work_managers", name)


@dataclass
class Manager:
    """A work manager: values by name of the scenario's key; references are names until they are resolved."""

    name: str
    values: dict[str, Any] = field(default_factory=dict)
    request_class: Sourced | None = None
    """Name of a shared request class, still to be resolved."""
    class_name: str = ""
    """Name of its request class, shared or its own."""
    scope: str = "domain"
    """``application`` where a descriptor declares it."""
    file: str = ""
    line: int = 0


@dataclass(frozen=True)
class Running:
    """A server of a cluster, or all those that a cluster makes itself, which are known by its name."""

    name: str
    cluster: str
    count: int
    line: int
    file: str
    template: str = ""
    """Of servers that a cluster makes itself."""

    @property
    def title(self) -> str:
        """What the account calls it."""
        return f"{self.count} of {self.cluster}" if self.name == self.cluster else f"{self.cluster}/{self.name}"

    def is_named(self, targets: AbstractSet[str]) -> bool:
        """Whether it is among these targets, itself or with its cluster."""
        return self.name in targets or self.cluster in targets


@dataclass
class Link:
    """A bean's reference by JNDI name to a destination or a connection factory."""

    bean: str
    jndi: str
    module: str
    """The module that the reference names; mostly none."""
    element: Element
    account: Account


@dataclass
class Shared:
    """A reference of a destination or template to a quota or template of its module."""

    draft: Draft
    key: Key
    element: Element
    account: Account


@dataclass
class Imported:
    """Everything read so far. What JMS modules hold is known by module and name, and by JNDI name."""

    plans: Plans = field(default_factory=Plans)
    """What deployment plans put in place of values of the descriptors."""
    choice: str = ""
    """Cluster or server that is meant; empty where the files decide."""
    kinds: dict[str, bool] = field(default_factory=dict)
    """Bean that an ejb-jar.xml names -> whether it is message-driven."""
    beans: dict[str, Draft] = field(default_factory=dict)
    adapters: list[Draft] = field(default_factory=list)
    """What each ra.xml states for the beans behind its adapter."""
    managers: dict[str, Manager] = field(default_factory=dict)
    constraints: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Shared constraint -> kind and count."""
    uncounted: set[str] = field(default_factory=set)
    """Shared constraints and request classes that are declared without a value that counts."""
    classes: dict[str, tuple[str, float]] = field(default_factory=dict)
    """Shared request class -> setting of a work manager and value."""
    destinations: dict[Key, Draft] = field(default_factory=dict)
    queues: Queues = field(default_factory=Queues)
    """The same by the names that they have in the scenario."""
    destination_names: dict[str, Key] = field(default_factory=dict)
    """JNDI name -> the destination."""
    factories: dict[Key, Draft] = field(default_factory=dict)
    factory_names: dict[str, Key] = field(default_factory=dict)
    foreign: dict[str, str] = field(default_factory=dict)
    """JNDI name of what another provider has -> the foreign server that it is declared by."""
    links: list[Link] = field(default_factory=list)
    factory_links: list[Link] = field(default_factory=list)
    quota_links: list["Shared"] = field(default_factory=list)
    quotas: dict[Key, Draft] = field(default_factory=dict)
    template_links: list["Shared"] = field(default_factory=list)
    templates: dict[Key, Draft] = field(default_factory=dict)
    destination_of: dict[str, Key | None] = field(default_factory=dict)
    """Bean -> its destination."""
    factory_of: dict[str, Key | None] = field(default_factory=dict)
    """Bean -> its connection factory."""
    kind_of: dict[Key, str] = field(default_factory=dict)
    """Destination -> the element that declares it."""
    modules: dict[str, str] = field(default_factory=dict)
    """File of a JMS module, or its name in a model -> the domain's name of it."""
    members_of: dict[Key, list[Key]] = field(default_factory=dict)
    """Weighted distributed destination -> the destinations that it is made of."""
    module_links: list[tuple[str, Element, Account]] = field(default_factory=list)
    """JMS modules that the domain names, each with the element that names its file."""
    module_files: set[str] = field(default_factory=set)
    homes: dict[Key, str] = field(default_factory=dict)
    """Destination -> its sub-deployment."""
    deployments: dict[Key, list[str]] = field(default_factory=dict)
    """Sub-deployment -> names of the JMS servers that it runs on."""
    jms_servers: dict[str, Draft] = field(default_factory=dict)
    quota_hosts: dict[str, str] = field(default_factory=dict)
    """Queue -> the JMS server that limits it, as it has no quota of its own."""
    server: Draft = field(default_factory=lambda: Draft("servers", "server"))
    running: dict[str, Running] = field(default_factory=dict)
    """Managed servers that may run the beans: the members of clusters."""
    sized: list[tuple[str, Element, Account]] = field(default_factory=list)
    """Servers, or clusters that make them, with what may state the sizes of their pools; in the order they are read."""
    chosen: list[Running] = field(default_factory=list)
    """Those of them that do."""
    work_targets: set[str] = field(default_factory=set)
    """Servers and clusters that a new work manager may be for."""
    constraint_identities: dict[str, dict[str, str]] = field(default_factory=dict)
    """Shared constraint -> what the vendor's configuration calls it."""
    applications: dict[str, list[str]] = field(default_factory=dict)
    """Application -> its targets."""
    targets: set[str] = field(default_factory=set)
    """Targets of work managers, JMS servers and JMS modules."""
    defaults: Draft = field(default_factory=lambda: Draft("queues", "*"))
    """What the domain says for all beans."""

    def bean(self, name: str) -> Draft:
        """Return the draft of a bean, made when it is first named; raises InvalidInput when there are too many."""
        key = as_name(name)
        check_number(self.beans)
        return self.beans.setdefault(key, Draft("queues", key))
