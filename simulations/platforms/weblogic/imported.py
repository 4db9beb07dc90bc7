"""What the files of a WebLogic domain say, collected until all of them are read and names can be resolved."""

from dataclasses import dataclass, field
from typing import Any

from simulations.platforms.base import Understood
from simulations.platforms.formats.drafts import Draft, Sourced, safe_name
from simulations.platforms.formats.tree import Account, Element

Key = tuple[str, str]
"""A JMS module (its file, or its name in a model), and what it calls one of its objects."""


@dataclass
class Manager:
    """A work manager: values by name of the scenario's key; references are names until they are resolved."""

    name: str
    values: dict[str, Any] = field(default_factory=dict)
    request_class: Sourced | None = None
    """Name of a shared request class, still to be resolved."""
    file: str = ""
    line: int = 0


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

    kinds: dict[str, bool] = field(default_factory=dict)
    """Bean that an ejb-jar.xml names -> whether it is message-driven."""
    beans: dict[str, Draft] = field(default_factory=dict)
    managers: dict[str, Manager] = field(default_factory=dict)
    constraints: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Shared constraint -> kind and count."""
    classes: dict[str, tuple[str, float]] = field(default_factory=dict)
    """Shared request class -> setting of a work manager and value."""
    destinations: dict[Key, Draft] = field(default_factory=dict)
    destination_names: dict[str, Key] = field(default_factory=dict)
    """JNDI name -> the destination."""
    factories: dict[Key, Draft] = field(default_factory=dict)
    factory_names: dict[str, Key] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    factory_links: list[Link] = field(default_factory=list)
    quota_links: list["Shared"] = field(default_factory=list)
    quotas: dict[Key, Draft] = field(default_factory=dict)
    template_links: list["Shared"] = field(default_factory=list)
    templates: dict[Key, Draft] = field(default_factory=dict)
    destination_of: dict[str, Key | None] = field(default_factory=dict)
    """Bean -> its destination."""
    members_of: dict[Key, list[Key]] = field(default_factory=dict)
    """Weighted distributed destination -> the destinations that it is made of."""
    homes: dict[Key, str] = field(default_factory=dict)
    """Destination -> its sub-deployment."""
    deployments: dict[Key, list[str]] = field(default_factory=dict)
    """Sub-deployment -> names of the JMS servers that it runs on."""
    jms_servers: dict[str, Draft] = field(default_factory=dict)
    server: Draft = field(default_factory=lambda: Draft("servers", "server"))
    members: list[str] = field(default_factory=list)
    """Managed servers that run the work: the members of the cluster."""
    dynamic: dict[str, int] = field(default_factory=dict)
    """Cluster -> number of servers that it makes itself."""
    targets: list[str] = field(default_factory=list)
    """Targets of the work managers and JMS servers."""
    defaults: Draft = field(default_factory=lambda: Draft("queues", "*"))
    """What the domain says for all beans."""
    lines: list[Understood] = field(default_factory=list)

    def bean(self, name: str) -> Draft:
        """Return the draft of a bean, made when it is first named."""
        key = safe_name(name)
        return self.beans.setdefault(key, Draft("queues", key))
