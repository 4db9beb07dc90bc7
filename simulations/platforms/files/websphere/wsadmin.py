"""wsadmin scripts in Jython: which object each setting is an attribute of, and what makes the changes."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from simulations.declarations.parameters import PlatformParameters, Quantity, parameters_of
from simulations.declarations.system import Queue, Server, System
from simulations.declarations.tables import part
from simulations.platforms.files.patching.jython import Step, jython_script, literal
from simulations.platforms.files.patching.shell import plain
from simulations.platforms.files.websphere.server import REAPERS, UNUSED_TIMEOUT
from simulations.platforms.shared.family import Change, Script, change_lines

HELPERS = "\n\n" + part(__file__, "wsadmin.jy") + "\n"
"""What finds, reads and writes objects, in Jython 2.1."""
HEAD = "# Where several objects have one name: the cell and the node of those that are meant."
DIFFER = "one value for all listener ports of the server, and they differ"
OF_FACTORY = "an attribute of the connection factory, which no script changes"
POOLED = ("connection_pool_maximum", "session_pool_maximum")
OF_SIB = ("maxConcurrency",)
"""Properties that only activation specifications of the default messaging provider have."""
_FOLDER = re.compile(r"(?<![^/])cells/.*(?=/)")
Found = tuple[str, tuple[Any, ...]]
"""The script's class for a setting and what it finds the object by."""


def vendor_name(entity: Server | Queue) -> str:
    """Return what the vendor's configuration calls a server or queue, as far as anybody said so."""
    return entity.name if entity.identity is None else entity.identity.name


def folder_of(entity: Server | Queue) -> str:
    """Return the folder of the configuration that has a server or an activation specification; empty if unknown."""
    found = _FOLDER.search("" if entity.identity is None else entity.identity.file)
    return found[0] if found else ""


@dataclass(frozen=True)
class Writer:
    """How one setting becomes a step: ``found_by`` gets the server's name and whose setting it is; None = no step."""

    found_by: Callable[[str, Server | Queue], Found | None]
    value: Callable[[object, str], str | None]
    """The setting's value and the entity's name -> the vendor's value."""
    of_service: bool = False
    """True: one value for all listener ports of the server."""


def writers_of(
    server: type[PlatformParameters], port: type[PlatformParameters], made: Collection[str]
) -> dict[str, Writer]:
    """Return the writer of every setting whose address in the configuration is declared. ``made``: queues whose
    activation specification is made with all that it has, so that nothing is left to change."""
    return {
        item.name: _writer(item.quantity, of_port=model is port, made=made)
        for model in (server, port)
        for item in parameters_of(model)
        if item.quantity.where
    }


def _writer(declared: Quantity, *, of_port: bool, made: Collection[str]) -> Writer:
    kind, _, name = declared.where.partition("/")
    key = declared.native

    def found_by(server: str, entity: Server | Queue) -> Found | None:
        own = vendor_name(entity)
        match kind:
            case "MessageListenerService":
                names = (f"{key}.{own}",) if key == UNUSED_TIMEOUT else REAPERS if key in REAPERS else (key,)
                return "Child", (server, kind, "", "Property", ("name", *names), key, "value", ("properties",))
            case "VariableMap":
                entry = ("VariableSubstitutionEntry", ("symbolicName", key), key)
                return "Child", (server, kind, "", *entry, "value", ())
            case "StateManageable":
                return "Child", (server, "ListenerPort", own, kind, (), "", key, ())
            case "J2CActivationSpec":
                provider = "SIBJMS" if key in OF_SIB else "WMQ"
                return (
                    None
                    if entity.name in made
                    else ("Spec", (provider, "/".join(filter(None, (folder_of(entity), own))), flag_of(key)))
                )
            case _:
                return "Attribute", (server, kind, own if of_port else name, key)

    of_service = of_port and kind == "MessageListenerService" and key != UNUSED_TIMEOUT
    return Writer(found_by, lambda value, name: plain(value, declared.factor), of_service)


def flag_of(key: str) -> str:
    """Return what the commands for activation specifications call a property."""
    return "maxPoolSize" if key == "maxPoolDepth" else key


def script(
    system: System,
    changes: tuple[Change, ...],
    writers: Mapping[str, Writer],
    scenario_hash: str,
    *,
    unwritten: Mapping[str, str],
) -> Script:
    """Return the script for the changes that have a writer; others are listed in it, with the reason.
    ``unwritten``: further paths that were chosen, and why they make no difference to the vendor's configuration."""
    reasons = {change.path: reason for change in changes if (reason := refusal(system, changes, change, writers))}
    reasons |= unwritten
    mine = tuple(change for change in changes if change.path not in reasons)
    undo = tuple(change.reverse for change in reversed(mine))
    return Script(
        "wsadmin",
        "apply.py",
        _text(system, mine, writers, f"Written by Sluice for the scenario {scenario_hash}", reasons),
        _text(system, undo, writers, f"Takes back what Sluice wrote for the scenario {scenario_hash}", {}),
        left_out=tuple(reasons),
        reasons=reasons,
    )


def refusal(system: System, changes: tuple[Change, ...], change: Change, writers: Mapping[str, Writer]) -> str:
    """Return why the change cannot be written; empty when it can."""
    writer = writers.get(change.setting)
    if writer is None:
        return OF_FACTORY if change.setting in POOLED else "not a setting of the application server"
    if not writer.of_service:
        return ""
    new = {item.entity.name: item.after for item in changes if item.setting == change.setting}
    ports = [queue for queue in system.queues if queue.server == server_of(change)]
    wanted = {new.get(port.name, getattr(port.settings, change.setting)) for port in ports}
    return DIFFER if len(wanted) > 1 else ""


def server_of(change: Change) -> str:
    """Return the name of the server that the change is made at."""
    return change.entity.name if isinstance(change.entity, Server) else change.entity.server


def _text(
    system: System, changes: tuple[Change, ...], writers: Mapping[str, Writer], title: str, reasons: Mapping[str, str]
) -> str:
    comments = [title, "Run with: wsadmin -lang jython -f <this file>"]
    comments += change_lines(changes)
    comments += [f"Not written, {reason}: {path}" for path, reason in reasons.items()]
    head = ("import re", HEAD, *_place(system, changes))
    return jython_script(comments, head, HELPERS, _steps(system, changes, writers))


def _place(system: System, changes: tuple[Change, ...]) -> Iterator[str]:
    """The cell and the node, as far as the identities of the servers tell one for all changes."""
    named = {server_of(change) for change in changes}
    parents = {server.identity.parent for server in system.servers if server.identity and server.name in named}
    cell, _, node = parents.pop().rpartition("/") if len(parents) == 1 else ("", "", "")
    yield from (f"CELL = {literal(cell)}", f"NODE = {literal(node)}")


def _steps(system: System, changes: tuple[Change, ...], writers: Mapping[str, Writer]) -> Iterator[Step]:
    """What is not set has the vendor's default, which is that of the setting."""
    called = [vendor_name(server) for server in system.servers]
    folders = [
        folder_of(item) if called.count(name) > 1 else "" for item, name in zip(system.servers, called, strict=True)
    ]
    servers = {item.name: folder or vendor_name(item) for item, folder in zip(system.servers, folders, strict=True)}
    for change in changes:
        writer, name = writers[change.setting], vendor_name(change.entity)
        found = writer.found_by(servers[server_of(change)], change.entity)
        if found is not None:
            default = type(change.entity.settings).model_fields[change.setting].default
            before = writer.value(change.before, name)
            unset = (None,) if change.before == default else ()
            yield Step(change.path, *found, (before, *unset), writer.value(change.after, name))
