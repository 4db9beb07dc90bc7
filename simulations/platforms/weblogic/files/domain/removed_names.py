"""What a later Deploy Tooling model takes away again: it writes the name with an exclamation mark before it."""

from collections.abc import Iterator
from typing import Any

from simulations.platforms.files.syntax.tree import DELETED, Account, Element
from simulations.platforms.weblogic.files.domain.contents import Imported, Key
from simulations.platforms.weblogic.files.domain.jms_modules import DESTINATIONS
from simulations.platforms.weblogic.files.work_managers.reading import CLASSES, CONSTRAINTS

DONE = "taken away by this model"
MODULE = "jms-system-resource"


def take_away(root: Element, found: Imported, account: Account) -> None:
    """Forget what earlier models declared and this one takes away."""
    held: dict[str, dict[str, Any]] = {
        "work-manager": found.managers,
        "jms-server": found.jms_servers,
        **dict.fromkeys(CONSTRAINTS, found.constraints),
        **dict.fromkeys(CLASSES, found.classes),
    }
    for kind in root.walk():
        for name, item in _deleted(kind):
            if held.get(kind.name, {}).pop(name, None) is not None:
                account.note("understood", item, f"{kind.key}.{item.key}", DONE)
    resources = root.child("resources")
    if resources is not None:
        _from_modules(resources, found, account)


def _from_modules(resources: Element, found: Imported, account: Account) -> None:
    """Forget whole modules, and what others of them held."""
    for systems in resources.all(MODULE):
        gone = dict(_deleted(systems))
        known = [(kind_name, key) for kind_name, held in _held(found).items() for key in held if key[0] in gone]
        for kind_name, key in known:
            _forget_object(kind_name, key, found)
        for name in dict.fromkeys(key[0] for _, key in known):
            account.note("understood", gone[name], f"{systems.key}.{gone[name].key}", f"{DONE}, with all that is in it")
    for module, system in resources.named(MODULE):
        for kind in system.walk():
            for name, item in _deleted(kind):
                if _forget_object(kind.name, (module, name), found):
                    account.note("understood", item, f"{kind.key}.{item.key}", DONE)
    kept = {id(draft) for held in _held(found).values() for draft in held.values()}
    found.quota_links = [link for link in found.quota_links if id(link.draft) in kept]
    found.template_links = [link for link in found.template_links if id(link.draft) in kept]


def _deleted(kind: Element) -> Iterator[tuple[str, Element]]:
    """Name and entry of each object of a kind that the model takes away."""
    for item in kind.children:
        if item.key.startswith(DELETED):
            yield item.key.removeprefix(DELETED), item


def _held(found: Imported) -> dict[str, dict[Key, Any]]:
    """What modules hold, by kind; all kinds of destinations are held together."""
    return {
        "quota": found.quotas,
        "template": found.templates,
        "connection-factory": found.factories,
        "sub-deployment": found.deployments,
        **dict.fromkeys(DESTINATIONS, found.destinations),
    }


def _forget_object(kind: str, key: Key, found: Imported) -> bool:
    """Forget one object of a module with its names; False when none was known."""
    removed = _held(found).get(kind, {}).pop(key, None)
    if removed is None:
        return False
    names = {"connection-factory": found.factory_names, **dict.fromkeys(DESTINATIONS, found.destination_names)}
    if kind in names and names[kind].get(removed.jndi) == key:
        del names[kind][removed.jndi]
    if kind in DESTINATIONS:
        found.queues.pop(removed.name, None)
        found.members_of.pop(key, None)
        found.homes.pop(key, None)
    return True
