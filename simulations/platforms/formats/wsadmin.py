"""wsadmin scripts in Jython: a header, a few helpers and one line per changed setting."""

from collections.abc import Callable
from dataclasses import dataclass

from simulations.platforms.base import Script
from simulations.platforms.changes import Change

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


def set_property(parent, name, value):
    """Create or change a custom property."""
    for item in AdminConfig.list('Property', parent).splitlines():
        if AdminConfig.showAttribute(item, 'name') == name:
            AdminConfig.modify(item, [['value', value]])
            return
    AdminConfig.create('Property', parent, [['name', name], ['value', value]], 'properties')


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


def attribute(kind: str, key: str, *, factor: float = 1.0) -> Writer:
    """Return the writer of an attribute of the server's only object of ``kind``; numbers times ``factor``."""

    def lines(server: str, _: str, value: object) -> list[str]:
        target = f"AdminConfig.list({kind!r}, server({server!r})).splitlines()[0]"
        return [f"AdminConfig.modify({target}, [[{key!r}, {text(value, factor)!r}]])"]

    return Writer(lines)


def named_attribute(kind: str, name: str, key: str) -> Writer:
    """Return the writer of an attribute of the server's object of ``kind`` with this name."""

    def lines(server: str, _: str, value: object) -> list[str]:
        target = f"named({kind!r}, server({server!r}), {name!r})"
        return [f"AdminConfig.modify({target}, [[{key!r}, {text(value)!r}]])"]

    return Writer(lines)


def port_attribute(key: str) -> Writer:
    """Return the writer of an attribute of the listener port that has the queue's name."""

    def lines(server: str, name: str, value: object) -> list[str]:
        target = f"named('ListenerPort', server({server!r}), {name!r})"
        return [f"AdminConfig.modify({target}, [[{key!r}, {text(value)!r}]])"]

    return Writer(lines)


def listener_property(key: str, *, factor: float = 1.0) -> Writer:
    """Return the writer of a custom property of the message listener service."""

    def lines(server: str, _: str, value: object) -> list[str]:
        target = f"AdminConfig.list('MessageListenerService', server({server!r})).splitlines()[0]"
        return [f"set_property({target}, {key!r}, {text(value, factor)!r})"]

    return Writer(lines)


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
    changes: tuple[Change, ...],
    writers: dict[str, Writer],
    server_of: Callable[[Change], str],
    scenario_hash: str,
) -> Script | None:
    """Return the script for the changes that have a writer, or None when there is none; others are listed in it."""
    if not any(change.setting in writers for change in changes):
        return None
    undo = tuple(change.reverse for change in reversed(changes))
    return Script(
        "wsadmin",
        "apply.py",
        _text(changes, writers, server_of, f"Written by Sluice for the scenario {scenario_hash}"),
        _text(undo, writers, server_of, f"Takes back what Sluice wrote for the scenario {scenario_hash}"),
    )


def _text(
    changes: tuple[Change, ...], writers: dict[str, Writer], server_of: Callable[[Change], str], title: str
) -> str:
    header = [f"# {title}", "# Run with: wsadmin -lang jython -f <this file>"]
    body: list[str] = []
    for change in changes:
        if change.setting not in writers:
            header.append(f"# Not written, no setting of the vendor: {change.path} = {change.after}")
            continue
        header.append(f"# {change.path}: {change.before} -> {change.after}")
        body.extend(writers[change.setting].lines(server_of(change), change.entity.name, change.after))
    return "\n".join([*header, HELPERS, *body, "AdminConfig.save()", ""])
