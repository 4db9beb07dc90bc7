"""What exported scripts say: the objects that they name, and the value that each change expects and wants."""

import ast
import re
import shlex
from collections.abc import Iterator
from typing import Any

import yaml

from simulations.platforms.shared.family import Script

Object = tuple[str, ...]
"""Kind and name of an object, with what holds it before them."""
Values = dict[str, tuple[Any, Any]]
"""Scenario path -> the expected and the wanted value."""


def assigned(script: str, name: str) -> ast.expr:
    """What a script in Jython sets a variable to."""
    (found,) = (
        node.value
        for node in ast.parse(script).body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == name
    )
    return found


def whole_steps(script: str) -> Iterator[tuple[str, str, tuple[Any, ...], tuple[Any, ...], Any]]:
    """Path, class, place, expected values and wanted value of each step of a script in Jython."""
    table = assigned(script, "STEPS")
    assert isinstance(table, ast.List)
    for step in table.elts:
        assert isinstance(step, ast.Tuple)
        kind = step.elts[1]
        assert isinstance(kind, ast.Name)
        path, at, before, after = (ast.literal_eval(step.elts[number]) for number in (0, 2, 3, 4))
        yield path, kind.id, at, before, after


def steps(script: str) -> Iterator[tuple[str, tuple[Any, ...], Any]]:
    """Class, place and wanted value of each step."""
    yield from ((kind, at, after) for _, kind, at, _, after in whole_steps(script))


def commands(script: str) -> Iterator[tuple[str, str, str, str, str]]:
    """Path, object, key, expected and wanted value of each step of a shell script, with its variables put in."""
    given = re.findall(r"^([A-Z]+\d*)=(.*)  # name of the object$", script, re.M)
    known = {name: (shlex.split(text) or [""])[0] for name, text in given}
    for line in script.splitlines():
        if line.startswith("    step "):
            _, path, entity, key, before, after = shlex.split(line)
            for name in sorted(known, key=len, reverse=True):
                entity = entity.replace(f"$(dotted ${name})", known[name]).replace(f"${name}", known[name])
            yield path, entity, key, before, after


def values_in(script: Script, part: str) -> Values:
    """Expected and wanted value of each setting that a script changes by one attribute, as the vendor writes them."""
    text: str = getattr(script, part)
    found: list[tuple[str, Any, Any]] = []
    if script.format in ("wlst", "wsadmin"):
        found = [(path, before[0], after) for path, _, _, before, after in whole_steps(text)]
    elif script.format in ("imqcmd", "mqsc"):
        found = [(path, before, after) for path, _, _, before, after in commands(text)]
    paths = [path for path, _, _ in found]
    return {path: (before, after) for path, before, after in found if paths.count(path) == 1}


def named_in_wlst(script: str) -> Iterator[Object]:
    """Servers, objects of the self-tuning and of JMS modules."""
    given = ast.literal_eval(assigned(script, "NAMES"))
    for kind, at, _ in steps(script):
        if kind == "ServerValue":
            yield at[0], given.get(at[1], at[1])
        elif kind == "Tuned":
            yield at[0], at[1]
        else:
            kinds, name, module = at[:3]
            yield given[module], "\n".join(kinds), given[name]


def named_in_model(text: str) -> Iterator[Object]:
    """The same of a Deploy Tooling model, and the quotas that it names."""
    model = yaml.safe_load(text)
    yield from (("Server", name) for name in model.get("topology", {}).get("Server", ()))
    resources = model.get("resources", {})
    yield from (("JMSServer", name) for name in resources.get("JMSServer", ()))
    for kind, items in resources.get("SelfTuning", {}).items():
        yield from ((kind, name) for name in items)
    for module, resource in resources.get("JMSSystemResource", {}).items():
        for kind, items in resource["JmsResource"].items():
            yield from ((module, kind, name) for name in items if kind != "Quota")
            for quota in (item["Quota"] for item in items.values() if item and item.get("Quota")):
                yield module, "Quota", quota


def named_in_wsadmin(script: str) -> Iterator[Object]:
    """Servers, listener ports with their server, and activation specifications."""
    for kind, at, _ in steps(script):
        if kind == "Spec":
            yield "J2CActivationSpec", at[1]
        else:
            yield "Server", at[0]
            if at[1] == "ListenerPort":
                yield at[0], "ListenerPort", at[2]


def named_in_commands(script: str) -> Iterator[Object]:
    """Destinations, configurations, connection pools and queues of IBM MQ."""
    for _, entity, _, _, _ in commands(script):
        for start, kind in (("configs.config.", "Config"), ("resources.connector-connection-pool.", "Pool")):
            if entity.startswith(start):
                yield kind, entity.removeprefix(start)
                break
        else:
            kind, _, name = entity.partition(":")
            yield {"q": ("queue", name), "t": ("topic", name)}.get(kind, ("QLocal", entity))


NAMED = {
    "wlst": named_in_wlst,
    "wdt": named_in_model,
    "wsadmin": named_in_wsadmin,
    "imqcmd": named_in_commands,
    "asadmin": named_in_commands,
    "mqsc": named_in_commands,
}
"""Format -> what reads the objects that it names. Broker properties and scenario files name none."""
