"""wsadmin scripts in Jython: a header, a few helpers and one line per changed setting."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from simulations.platforms.shared.changes import Change
from simulations.platforms.shared.family import Script
from simulations.system import Server, System

HELPERS = '''
def named(kind, scope, name):
    """The configuration object of this kind and name below the scope."""
    for item in AdminConfig.list(kind, scope).splitlines():
        if AdminConfig.showAttribute(item, 'name') == name:
            return item
    raise Exception('no ' + kind + ' is named ' + name)


def server(name):
    """The server's configuration object."""
    found = AdminConfig.getid('/Server:' + name + '/')
    if not found:
        raise Exception('no server is named ' + name)
    return found.splitlines()[0]


def spec(name):
    """The activation specification of this name, wherever it is defined."""
    found = [item for item in AdminConfig.list('J2CActivationSpec').splitlines()
             if AdminConfig.showAttribute(item, 'name') == name]
    if len(found) != 1:
        raise Exception('%d activation specifications are named %s' % (len(found), name))
    return found[0]


def create_spec(scope, name, flags):
    """Make the activation specification that takes the place of a listener port; its beans are bound to it by hand."""
    target = AdminConfig.showAttribute(named('ListenerPort', scope, name), 'destinationJNDIName')
    names = ['-name', name, '-jndiName', 'eis/' + name, '-destinationJndiName', target]
    AdminTask.createWMQActivationSpec(scope, names + flags)


def remove_spec(name):
    """Remove the activation specification of this name where there is one."""
    for item in AdminConfig.list('J2CActivationSpec').splitlines():
        if AdminConfig.showAttribute(item, 'name') == name:
            AdminConfig.remove(item)


def set_property(parent, name, value):
    """Create or change a custom property."""
    for item in AdminConfig.list('Property', parent).splitlines():
        if AdminConfig.showAttribute(item, 'name') == name:
            AdminConfig.modify(item, [['value', value]])
            return
    AdminConfig.create('Property', parent, [['name', name], ['value', value]], 'properties')


def set_state(port, value):
    """Change the state in which a listener port starts."""
    states = AdminConfig.list('StateManageable', port).splitlines()
    if states:
        AdminConfig.modify(states[0], [['initialState', value]])
    else:
        AdminConfig.create('StateManageable', port, [['initialState', value]])


def set_variable(scope, name, value):
    """Create or change an environment variable of the server."""
    for item in AdminConfig.list('VariableSubstitutionEntry', scope).splitlines():
        if AdminConfig.showAttribute(item, 'symbolicName') == name:
            AdminConfig.modify(item, [['value', value]])
            return
    variables = AdminConfig.list('VariableMap', scope).splitlines()[0]
    AdminConfig.create('VariableSubstitutionEntry', variables, [['symbolicName', name], ['value', value]])
'''


@dataclass(frozen=True)
class Writer:
    """How one setting becomes statements: called with the server's name, the entity's name and the value."""

    lines: Callable[[str, str, object], list[str]]
    of_service: bool = False
    """True: one value for all listener ports of the server."""


def attribute(kind: str, key: str, *, factor: float = 1.0) -> Writer:
    """Return the writer of an attribute of the server's only object of ``kind``; numbers times ``factor``."""

    def lines(server: str, _: str, value: object) -> list[str]:
        target = f"AdminConfig.list({kind!r}, server({server!r})).splitlines()[0]"
        return [f"AdminConfig.modify({target}, [[{key!r}, {text(value, factor)!r}]])"]

    return Writer(lines)


def named_attribute(kind: str, name: str, key: str, *, factor: float = 1.0) -> Writer:
    """Return the writer of an attribute of the server's object of ``kind`` with this name; numbers times ``factor``."""

    def lines(server: str, _: str, value: object) -> list[str]:
        target = f"named({kind!r}, server({server!r}), {name!r})"
        return [f"AdminConfig.modify({target}, [[{key!r}, {text(value, factor)!r}]])"]

    return Writer(lines)


def port_attribute(key: str) -> Writer:
    """Return the writer of an attribute of the listener port that has the queue's name."""

    def lines(server: str, name: str, value: object) -> list[str]:
        target = f"named('ListenerPort', server({server!r}), {name!r})"
        return [f"AdminConfig.modify({target}, [[{key!r}, {text(value)!r}]])"]

    return Writer(lines)


def port_state() -> Writer:
    """Return the writer of the state that a listener port has when its server has started."""

    def lines(server: str, name: str, value: object) -> list[str]:
        port = f"named('ListenerPort', server({server!r}), {name!r})"
        return [f"set_state({port}, {text(value)!r})"]

    return Writer(lines)


def service_property(key: str, *, factor: float = 1.0) -> Writer:
    """Return the writer of a custom property of the message listener service that is a setting of the server."""
    return Writer(listener_property(key, factor=factor).lines)


def listener_property(key: str, *, factor: float = 1.0) -> Writer:
    """Return the writer of a custom property of the message listener service that is a setting of its ports."""

    def lines(server: str, _: str, value: object) -> list[str]:
        target = f"AdminConfig.list('MessageListenerService', server({server!r})).splitlines()[0]"
        return [f"set_property({target}, {key!r}, {text(value, factor)!r})"]

    return Writer(lines, of_service=True)


def variable(key: str) -> Writer:
    """Return the writer of an environment variable of the server."""
    return Writer(lambda server, _, value: [f"set_variable(server({server!r}), {key!r}, {text(value)!r})"])


def text(value: object, factor: float = 1.0) -> str:
    """Write a value as the vendor does: whole numbers without a point, booleans in small letters."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"{value * factor:.10g}"
    return str(value)


def script(
    system: System,
    changes: tuple[Change, ...],
    writers: Mapping[str, Writer],
    scenario_hash: str,
    *,
    unwritten: Mapping[str, str] | None = None,
) -> Script | None:
    """Return the script for the changes that have a writer, or None when there is none; others are listed in it.

    ``unwritten``: further paths that were chosen, and why they make no difference to the vendor's configuration.
    """
    reasons = {change.path: reason for change in changes if (reason := _refusal(system, changes, change, writers))}
    reasons |= unwritten or {}
    mine = tuple(change for change in changes if change.path not in reasons)
    if not mine:
        return None
    undo = tuple(change.reverse for change in reversed(mine))
    return Script(
        "wsadmin",
        "apply.py",
        _text(mine, writers, f"Written by Sluice for the scenario {scenario_hash}", reasons),
        _text(undo, writers, f"Takes back what Sluice wrote for the scenario {scenario_hash}", {}),
        left_out=tuple(reasons),
    )


def _refusal(system: System, changes: tuple[Change, ...], change: Change, writers: Mapping[str, Writer]) -> str:
    """Why the change cannot be written; empty when it can."""
    writer = writers.get(change.setting)
    if writer is None:
        return "not a setting of the application server"
    if not writer.of_service:
        return ""
    new = {item.entity.name: item.after for item in changes if item.setting == change.setting}
    ports = [queue for queue in system.queues if queue.server == server_of(change)]
    wanted = {new.get(port.name, getattr(port.settings, change.setting)) for port in ports}
    return "one value for all listener ports of the server, and they differ" if len(wanted) > 1 else ""


def server_of(change: Change) -> str:
    """Return the name of the server that the change is made at."""
    return change.entity.name if isinstance(change.entity, Server) else change.entity.server


def _text(changes: tuple[Change, ...], writers: Mapping[str, Writer], title: str, reasons: Mapping[str, str]) -> str:
    header = [f"# {title}", "# Run with: wsadmin -lang jython -f <this file>"]
    header += [f"# {change.path}: {change.before} -> {change.after}" for change in changes]
    header += [f"# Not written, {reason}: {path}" for path, reason in reasons.items()]
    body = [
        line
        for change in changes
        for line in writers[change.setting].lines(server_of(change), change.entity.name, change.after)
    ]
    return "\n".join([*header, HELPERS, *body, "AdminConfig.save()", ""])
