"""One scenario out of everything a WebLogic domain's files said: names are resolved, gaps are named."""

from collections.abc import Mapping
from typing import Any

from simulations.platforms.files.importing.drafts import Draft, Sourced, unused
from simulations.platforms.files.importing.ejb_jar import take_from_adapter
from simulations.platforms.files.importing.scenario_body import assemble, check_number
from simulations.platforms.shared.family import Reading, Understood
from simulations.platforms.weblogic.files.domain.clusters import take_from_hosts, take_from_members, take_servers
from simulations.platforms.weblogic.files.domain.contents import Imported, Key, Link, Manager, manager_path
from simulations.platforms.weblogic.files.domain.jms_modules import by_reference, missing_modules, resolved
from simulations.platforms.weblogic.files.identities import identify
from simulations.platforms.weblogic.parameters.mdb import MdbSettings
from simulations.platforms.weblogic.parameters.server import DEFAULT_WORK_MANAGER, ServerSettings

NAME = "weblogic"
UNUSED = (
    "no bean of these files has it as its dispatch-policy, which stands in weblogic-ejb-jar.xml or in an annotation"
)
CLASS_KINDS = {"fair_share": "FairShareRequestClass", "response_time_goal": "ResponseTimeRequestClass"}
OWN = "weblogic."
"""How names begin that the server gives its own work managers."""


def assembled(found: Imported) -> Reading:
    """Return the scenario and the account of what was resolved, defaulted or left open while making it."""
    lines: list[Understood] = []
    missing_modules(found)
    _server(found, lines)
    _quotas(found)
    take_from_members(found, lines)
    queues = found.beans or _without_beans(found, lines)
    check_number(queues)
    destinations, factories = by_reference(found.destinations), by_reference(found.factories)
    served, made = set[Key | None](), set[Key | None]()
    for link in found.links:
        bean = queues[link.bean]
        if provider := bean.adapter or found.foreign.get(link.jndi):
            bean.settings.setdefault("destination", Sourced("foreign", link.account.file, link.element.line))
            where = f"destination {link.element.text} of {provider}"
            link.account.note("understood", link.element, bean.path, where)
            continue
        key = resolved(link, destinations, found.destination_names, "destination")
        _connect(link, key, found.destination_of, found.destinations, bean, "destination")
        served |= {key, *(found.members_of.get(key, ()) if key else ())}
    for link in found.factory_links:
        if provider := found.foreign.get(link.jndi):
            where = f"connection factory {link.element.text} of {provider}"
            link.account.note("understood", link.element, queues[link.bean].path, where)
            continue
        key = resolved(link, factories, found.factory_names, "connection factory")
        _connect(link, key, found.factory_of, found.factories, queues[link.bean], "connection factory")
        made.add(key)
    if found.beans:
        lines += unused(found.destinations, served, "destination")
        lines += unused(found.factories, made, "connection factory")
    for queue in queues.values():
        take_from_adapter(queue, found.adapters)
        queue.inherit(found.defaults)
    take_from_hosts(found, queues, lines)
    _unused_managers(found, queues, lines)
    identify(found, queues)
    return assemble(NAME, ServerSettings, MdbSettings, {"server": found.server}, queues, lines)


def _server(found: Imported, lines: list[Understood]) -> None:
    take_servers(found, lines)
    managers = [_manager(found, name, lines) for name in found.managers]
    used = {value for body in managers for value in body.values() if isinstance(value, str)}
    constraints = [
        {"name": name, "kind": kind, "count": count, "identity": found.constraint_identities[name]}
        for name, (kind, count) in found.constraints.items()
        if name in used
    ]
    if managers:
        found.server.settings["work_managers"] = Sourced(managers, "", 0)
    if constraints:
        found.server.settings["constraints"] = Sourced(constraints, "", 0)


def _manager(found: Imported, name: str, lines: list[Understood]) -> dict[str, Any]:
    manager = found.managers[name]
    body: dict[str, Any] = {"name": name, "identity": _identity(manager, found)}
    path = manager_path(name)
    for key, value in manager.values.items():
        if isinstance(value, str) and found.constraints.get(value, ("",))[0] != key:
            if value not in found.uncounted:
                message = f"no file declares the {key.replace('_', ' ')} constraint {value!r}"
                lines.append(Understood("unresolved", f"{path}.{key}", message))
            continue
        body[key] = value
    reference = manager.request_class
    if reference is not None:
        known = found.classes.get(reference.value)
        if known is not None:
            body[known[0]] = int(known[1]) if known[0] == "fair_share" else known[1]
        elif reference.value not in found.uncounted:
            message = f"no file declares the request class {reference.value!r}"
            lines.append(Understood("unresolved", path, message, reference.file, reference.line))
    if body.get("fair_share") is not None and body.get("response_time_goal") is not None:
        body.pop("response_time_goal")
        lines.append(Understood("contradictory", path, "two request classes; the fair share counts"))
    return body


def _identity(manager: Manager, found: Imported) -> dict[str, Any]:
    """What the files call a work manager and its request class."""
    known = {"name": manager.name, "kind": "WorkManager", "file": manager.file, "scope": manager.scope}
    if not manager.class_name:
        return known
    shared, _ = found.classes.get(manager.class_name, ("", 0.0))
    kind = next((kind for setting, kind in CLASS_KINDS.items() if setting == shared or setting in manager.values), "")
    return {**known, "parts": [{"role": "request_class", "name": manager.class_name, "kind": kind}]}


def _connect(
    link: Link, key: Key | None, of_beans: dict[str, Key | None], known: Mapping[Key, Draft], bean: Draft, what: str
) -> None:
    """Give a bean the settings of the destination or factory that it refers to: of several, the one read first."""
    target = key and known.get(key)
    if of_beans.setdefault(link.bean, key) != key:
        message = f"the {what} {link.jndi!r} does not count: another file says another one, and counts before this one"
        link.account.note("contradictory", link.element, bean.path, message)
    elif target is None:
        message = f"no file describes the {what} {link.jndi!r}; defaults count"
        link.account.note("unresolved", link.element, bean.path, message)
    else:
        bean.inherit(target)
        link.account.note("understood", link.element, bean.path, f"{what} {link.jndi} is {target.name}")


def _quotas(found: Imported) -> None:
    """Give destinations and templates their quotas, and then destinations their templates."""
    for what, links, known in (
        ("quota", found.quota_links, found.quotas),
        ("template", found.template_links, found.templates),
    ):
        for link in links:
            source, path = known.get(link.key), link.draft.path
            if source is None:
                message = f"its module declares no {what} {link.key[1]!r}"
                link.account.note("unresolved", link.element, path, message)
                continue
            link.draft.inherit(source)
            link.account.note("understood", link.element, path, f"{what} {link.key[1]}")


def _without_beans(found: Imported, lines: list[Understood]) -> dict[str, Draft]:
    """Without a descriptor each destination (or one made up) stands for a bean of its own."""
    if found.destinations:
        message = "no file describes a message-driven bean: one per destination is assumed, none for error destinations"
        lines.append(Understood("defaulted", "queues", message))
        drafts = list(found.destinations.values())
        for factory in found.factories.values():
            if len(found.factories) > 1:
                message = "several connection factories: which one is used is open, so the defaults count"
                path = f"{factory.kind} {factory.name}"
                lines.append(Understood("unresolved", path, message, factory.file, factory.line))
                continue
            for draft in drafts:
                draft.inherit(factory)
        held = ((key[0], draft.settings.get("error_destination")) for key, draft in found.destinations.items())
        others = {(module, item.value) for module, item in held if item is not None}
        others |= {key for keys in found.members_of.values() for key in keys}
        served = [draft for key, draft in found.destinations.items() if key not in others] or drafts
        return {draft.name: draft for draft in served}
    name = next((item for item in found.managers if not item.startswith(OWN)), DEFAULT_WORK_MANAGER)
    message = f"no file describes a message-driven bean: one on work manager {name!r} is assumed"
    lines.append(Understood("defaulted", "queues.queue", message))
    return {"queue": Draft("queues", "queue", {"work_manager": Sourced(name, "", 0)})}


def _unused_managers(found: Imported, queues: dict[str, Draft], lines: list[Understood]) -> None:
    """Dispatch policies that no file declares, and work managers that no bean is dispatched to."""
    policies = {
        f"{queue.path}.settings.work_manager": queue.settings["work_manager"]
        for queue in queues.values()
        if "work_manager" in queue.settings
    }
    for path, policy in policies.items():
        if policy.value not in (*found.managers, DEFAULT_WORK_MANAGER):
            message = f"no file declares the work manager {policy.value!r}; the default one counts"
            lines.append(Understood("unresolved", path, message, policy.file, policy.line))
    used = {policy.value for policy in policies.values()}
    if len(policies) < len(queues):
        used.add(DEFAULT_WORK_MANAGER)
    for manager in found.managers.values():
        if manager.name not in used and not manager.name.startswith(OWN):
            path = manager_path(manager.name)
            lines.append(Understood("unresolved", path, UNUSED, manager.file, manager.line))
