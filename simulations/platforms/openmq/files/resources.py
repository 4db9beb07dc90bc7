"""Resources of GlassFish, in domain.xml or a file of their own: connection factories, and names of destinations."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from simulations.platforms.files.importing.drafts import Draft, place_of
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.openmq.files.domain_contents import FACTORY_QUEUE, FACTORY_SERVER, Imported, put_factory
from simulations.platforms.shared.spots import VALUE, Addition, New, Place, Raw

OPTIONS = "options"
_OPTION = re.compile(r"(?:\\.|[^,\\])+")


@dataclass(frozen=True)
class OptionList:
    """The list as text, and the bytes ``first`` to ``last`` of the file where it stands."""

    text: str
    file: str
    first: int
    last: int

    def pairs(self) -> Iterator[tuple[str, str, Place | None]]:
        """Yield key, value and its place, which is unknown where characters are not bytes."""
        exact = self.last - self.first == len(self.text)
        for option in _OPTION.finditer(self.text):
            key, _, value = option[0].partition("=")
            start, end = self.first + option.end() - len(value), self.first + option.end()
            yield key.strip(), value, Place(self.file, start, end) if exact and value else None

    def further(self, key: str) -> Addition:
        """A key that the list lacks, behind those that it has."""
        return Addition(self.file, self.last, Raw(f"{',' if self.text.strip() else ''}{key}={VALUE}"))


RESOURCES = "resources"
"""Root of glassfish-resources.xml and sun-resources.xml."""
ADAPTER = "jmsra"
"""Name of Open MQ's resource adapter."""


def read_resources(root: Element, found: Imported, account: Account) -> None:
    """Read the connection pools of Open MQ's resource adapter, and the names of destinations."""
    for pool in root.all("connector-connection-pool"):
        if pool.attributes.get("resource-adapter-name", "").startswith(ADAPTER):
            account.take(pool, "resource-adapter-name")
            name = pool.attributes.get("name", "")
            draft = found.pools.setdefault(name, Draft("queues", "*"))
            draft.identify({"role": "factory", "name": name, "kind": pool.name, "file": account.file})
            for item in pool.all("property"):
                _factory_property(item, draft, found.connections[name], account)
            _factory_room(pool, draft, found.connections[name], account)
    for item in root.all("connector-resource"):
        found.factories[item.attributes.get("jndi-name", "")] = item.attributes.get("pool-name", "")
        account.take(item, "jndi-name", "pool-name")
    for item in (*root.all("admin-object-resource"), *root.all("jms-resource")):
        if item.attributes.get("res-adapter", ADAPTER).startswith(ADAPTER):
            _destination(item, found, account)


def _destination(item: Element, found: Imported, account: Account) -> None:
    """Note what a destination is called in the broker, and whether it is a queue or a topic."""
    kind = item.attributes.get("res-type", "").rpartition(".")[2].lower()
    jndi = item.attributes.get("jndi-name", "")
    named = next((it for it in item.all("property") if it.attributes.get("name") == "Name"), None)
    if not jndi or named is None or kind not in ("queue", "topic"):
        return
    name = named.attributes.get("value", "")
    found.names[jndi] = (name, kind)
    account.note("understood", item, f"destination {name}", f"a {kind}, known as {jndi}", "jndi-name")
    account.take(item, "res-type", "res-adapter")
    account.take(named, "name", "value")


def _factory_property(item: Element, draft: Draft, server: Draft, account: Account) -> None:
    """A property of the factory, or its list of options."""
    name, value = item.attributes.get("name", ""), item.attributes.get("value", "")
    known = put_factory(server, draft, name, value, account, item, place_of(account.file, item, "value"))
    for key, text, place in _options(item, account).pairs() if name == OPTIONS else ():
        known |= put_factory(server, draft, key, text, account, item, place)
    if known:
        account.take(item, "name", "value")


def _options(item: Element, account: Account) -> OptionList:
    start, end = item.values.get("value", (0, 0))
    return OptionList(item.attributes.get("value", ""), account.file, start + 1, end - 1)


def _factory_room(pool: Element, of_queues: Draft, server: Draft, account: Account) -> None:
    """Options that are left out are put behind those that are there, or into a new list of options."""
    options = next((item for item in pool.all("property") if item.attributes.get("name") == OPTIONS), None)
    for draft, names in ((server, FACTORY_SERVER), (of_queues, FACTORY_QUEUE)):
        for key, setting in names.items():
            if setting in draft.settings:
                continue
            if options is None:
                draft.add(setting, account, pool, New("property", "", (("name", OPTIONS), ("value", f"{key}={{}}"))))
            elif "value" in options.values:
                draft.lacking[setting] = (*draft.lacking.get(setting, ()), _options(options, account).further(key))
