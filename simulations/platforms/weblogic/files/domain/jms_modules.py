"""JMS modules: destinations with redelivery and thresholds, quotas, and connection factories with flow control.

A module's names are its own, JNDI names count everywhere: which object a reference means follows.
"""

from collections import Counter
from collections.abc import Container, Mapping
from itertools import islice
from pathlib import PurePosixPath

from simulations.declarations.parameters import addresses_of
from simulations.declarations.texts import as_name, path_of
from simulations.platforms.files.importing.declared import Addresses, read_elements, read_value
from simulations.platforms.files.importing.drafts import Draft, is_on
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.shared.spots import New
from simulations.platforms.weblogic.files.domain.contents import Imported, Key, Link, Shared
from simulations.platforms.weblogic.files.work_managers.reading import take_targets
from simulations.platforms.weblogic.parameters.mdb import MdbSettings

DESTINATIONS = {
    f"{spread}{kind}": kind for spread in ("", "uniform-distributed-", "distributed-") for kind in ("queue", "topic")
}
WEIGHTED = ("distributed-queue", "distributed-topic")
"""Destinations that only name others, which have the settings."""
DESTINATION, FACTORY, QUOTA = (addresses_of(MdbSettings, holder) for holder in ("destination", "factory", "quota"))
DELAY = ("delivery-params-overrides", "redelivery-delay")
OF_FACTORY: Addresses = {**FACTORY, ("default-delivery-params", "default-redelivery-delay"): DESTINATION[DELAY]}
JMS_SERVER: Addresses = {
    (path[-1] if path[-1].endswith("-maximum") else item.name.replace("_", "-"),): item
    for path, item in (*DESTINATION.items(), *QUOTA.items())
    if path in QUOTA or path[0] == "thresholds"
}
"""Limits that a JMS server states for destinations without their own."""
OWN_CONTEXT = "weblogic.jndi."
"""How the context factory of WebLogic begins, which counts for a foreign server that names none."""
MOST_NAMED = 10
"""Places that a message names."""
Places = dict[Key, dict[Key, str]]
"""A module (none, its name or that of its file) and an object's name -> keys of such objects, and where they stand."""


def read_module(module: Element, found: Imported, account: Account, home: str = "") -> None:
    """Read the destinations with their templates, the quotas and the connection factories of one module. ``home`` is
    what the module is called; a file that is one is called like the file."""
    if not home:
        found.module_files.add(account.file)
    home = home or account.file
    users = Counter(item.text for item in module.walk() if item.name == "quota")
    for name, element in module.named("quota"):
        account.take(element, "name")
        read_elements(found.quotas.setdefault((home, name), Draft("quota", name)), element, QUOTA, account)
        account.take(element.child("shared"))
        if users[name] > 1 and is_on(element.value("shared") or "true"):
            message = f"{users[name]} destinations or templates share it; the scenario gives each destination all of it"
            account.note("unresolved", element, f"quota {name}", message, "name")
    for name, element in module.named("template"):
        account.take(element, "name")
        _stated(element, found.templates.setdefault((home, name), Draft("template", name)), home, found, account)
    quotas = dict(module.named("quota"))
    for kind_name, kind in DESTINATIONS.items():
        for name, element in module.named(kind_name):
            account.take(element, "name")
            draft = _destination((home, name), kind, element, found, account)
            found.kind_of[home, name] = kind_name
            if kind_name not in WEIGHTED:
                _room(draft, f"{name}-quota", quotas, module, element, account)
                continue
            members = [_member(*item, account) for item in element.named(f"{kind_name}-member")]
            found.members_of[home, name] = [(home, member) for member in members]
    for name, element in module.named("connection-factory"):
        account.take(element, "name")
        _factory((home, name), element, found, account)
    _foreign(module, found, account)


def _foreign(module: Element, found: Imported, account: Account) -> None:
    """Note the names of what other providers have; a foreign server may be another domain of WebLogic, too."""
    for name, element in module.named("foreign-server"):
        if (element.value("initial-context-factory") or OWN_CONTEXT).startswith(OWN_CONTEXT):
            continue
        for kind in ("foreign-destination", "foreign-connection-factory"):
            for _, item in element.named(kind):
                account.take(item.child("local-jndi-name"))
                found.foreign[item.value("local-jndi-name")] = f"the foreign server {name}"


def _member(name: str, element: Element, account: Account) -> str:
    """The destination that a member of a distributed one stands for: the one of its own name if it names none."""
    account.take(element, "name")
    physical = element.child("physical-destination-name")
    account.take(physical)
    return name if physical is None else physical.text


def _room(draft: Draft, own: str, quotas: Container[str], module: Element, element: Element, account: Account) -> None:
    """Where a destination would state what it leaves out; a quota would be a new one of its own."""
    for path, declared in DESTINATION.items():
        draft.room(declared.name, account, element, *path)
    if element.child("quota") is not None or own in quotas:
        return
    for path, declared in QUOTA.items():
        if declared.is_number:
            draft.add(declared.name, account, element, New("quota", own))
            quota = New("quota", attributes=(("name", own),), children=(New(path[-1]),))
            draft.add(declared.name, account, module, quota)


def _destination(key: Key, kind: str, element: Element, found: Imported, account: Account) -> Draft:
    if key not in found.destinations:
        found.destinations[key] = found.queues.new(key[1])
    draft = found.destinations[key]
    draft.fields["kind"] = kind
    draft.file, draft.line = account.file, element.line
    also = "" if draft.name == as_name(key[1]) else f", {key[1]!r} in its module: another destination has this name"
    account.note("understood", element, draft.path, f"a {kind}{also}", "name")
    _known_as(key, element, found.destinations, found.destination_names, account)
    _stated(element, draft, key[0], found, account)
    home = element.child("sub-deployment-name")
    if home is not None and home.text:
        account.note("understood", home, draft.path, f"sub-deployment {home.text}")
        found.homes[key] = home.text
    template = element.child("template")
    if template is not None and template.text:
        account.take(template)
        found.template_links.append(Shared(draft, (key[0], template.text), template, account))
    return draft


def _stated(element: Element, draft: Draft, home: str, found: Imported, account: Account) -> None:
    """What a destination and a template can state alike."""
    for path, declared in DESTINATION.items():
        item = element.child(*path)
        if item is not None and path == DELAY and item.text.strip().startswith("-"):
            message = f"{item.text.strip()}: that of the connection factory counts"
            account.note("understood", item, f"{draft.path}.settings.{declared.name}", message)
        elif item is not None:
            read_value(draft, declared, account, item)
    quota = element.child("quota")
    if quota is not None:
        account.take(quota)
        found.quota_links.append(Shared(draft, (home, quota.text), quota, account))


def _factory(key: Key, element: Element, found: Imported, account: Account) -> None:
    name = key[1]
    draft = found.factories.setdefault(key, Draft("connection factory", as_name(name)))
    draft.file, draft.line = account.file, element.line
    account.note("understood", element, f"connection factory {name}", "settings of producers and consumers", "name")
    _known_as(key, element, found.factories, found.factory_names, account)
    read_elements(draft, element, OF_FACTORY, account)


def read_jms_server(name: str, element: Element, found: Imported, account: Account) -> None:
    """Read thresholds and quota of a JMS server; they count for destinations without their own."""
    draft = found.jms_servers.setdefault(name, Draft("JMS server", as_name(name)))
    account.take(element.child("name"))
    take_targets(element, f"JMS server {name}", found, account)
    read_elements(draft, element, JMS_SERVER, account)


def _known_as(key: Key, element: Element, known: dict[Key, Draft], names: dict[str, Key], account: Account) -> None:
    """Note the one JNDI name of an object; where two modules give the same one, the first counts."""
    jndi = element.child("jndi-name")
    if jndi is None or not jndi.text:
        return
    if names.get(known[key].jndi) == key:
        del names[known[key].jndi]
    other, known[key].jndi = names.setdefault(jndi.text, key), jndi.text
    if other == key:
        account.take(jndi)
        return
    first, path = known[other], f"{known[key].kind}.{known[key].name}"
    message = f"{jndi.text!r} is also the JNDI name of {other[1]!r} of {first.file}:{first.line}, which counts"
    account.note("unresolved", jndi, path, message)


def by_reference(known: Mapping[Key, Draft]) -> Places:
    """Return all objects by what a reference may call them."""
    found: Places = {}
    for key, draft in known.items():
        for module in ("", key[0], _stem(key[0])):
            found.setdefault((module, key[1]), {})[key] = f"{draft.file}:{draft.line}"
    return found


def resolved(link: Link, known: Places, names: Mapping[str, Key], what: str) -> Key | None:
    """Return what a bean's reference leads to: by JNDI name, else by name; the first of several counts, which is said.
    None when no file describes it."""
    if link.jndi in names and not link.module:
        return names[link.jndi]
    modules = (link.module, link.module.lower(), "")
    same = next((known[module, link.jndi] for module in modules if (module, link.jndi) in known), None)
    if same is None:
        return names.get(link.jndi)
    if len(same) > 1:
        first, *others = islice(same.values(), MOST_NAMED)
        more = ", …" if len(same) > MOST_NAMED else ""
        said = f"that of {first} counts, not {', '.join(others)}{more}"
        message = f"{len(same)} modules have a {what} {link.jndi!r}: {said}"
        link.account.note("unresolved", link.element, path_of("queues", link.bean), message)
    return next(iter(same))


def missing_modules(found: Imported) -> None:
    """Say of each file of a JMS module that the domain names whether it was given."""
    given = {PurePosixPath(file).name.lower() for file in found.module_files}
    for module, file, account in found.module_links:
        name = PurePosixPath(file.text.replace("\\", "/")).name.lower()
        if name in given or any(is_module(item, module) for item in found.module_files):
            account.note("understood", file, f"JMS module {module}", f"its file {file.text} was read")
        else:
            message = f"its file {file.text} is missing: add it, destinations and connection factories stand in it"
            account.note("unresolved", file, f"JMS module {module}", message)


def is_module(module: str, name: str) -> bool:
    """Whether a module is the one of this name: a file is called after it, mostly in small letters."""
    return name == module or name.lower() == _stem(module)


def _stem(module: str) -> str:
    return PurePosixPath(module.replace("\\", "/")).name.lower().removesuffix(".xml").removesuffix("-jms")
