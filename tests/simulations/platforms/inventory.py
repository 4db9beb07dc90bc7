"""The objects that vendors' files declare, found without the readers of the product."""

import re
import shlex
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import PurePosixPath
from xml.etree import ElementTree as ET

import yaml

from tests.simulations.platforms.script_names import Object

BLANK = re.compile(r"|@@PROP:.*@@")
"""A name that somebody has to fill in: the script stops until then."""
REMOVED = re.compile(rb"^\s*!.*\n", re.MULTILINE)
"""What a model takes away, written without quotes, which YAML would take for a tag."""


def exists(named: Object, known: set[Object]) -> bool:
    """Whether a script's object is one of the files'; parts of its address that are left blank fit all."""
    if BLANK.fullmatch(named[-1]):
        return True
    return any(len(item) == len(named) and all(map(_fits, named, item)) for item in known)


def _fits(named: str, known: str) -> bool:
    return BLANK.fullmatch(named) is not None or known in named.split("\n")


def declared(files: Mapping[str, bytes]) -> set[Object]:
    """Every object that the files declare, each with its kind and what holds it."""
    modules: dict[str, str] = {}
    found: list[tuple[str, Object]] = []
    for file, content in files.items():
        if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
            found += [(file, item) for item in _in_xml(ET.fromstring(content), modules)]  # noqa: S314 - our own files
        elif file.endswith((".yaml", ".yml")):
            found += [(file, item) for item in _in_model(yaml.safe_load(REMOVED.sub(b"", content)))]
        else:
            read = _in_wlst if b"cmo.create" in content else _in_text
            found += [(file, item) for item in read(content.decode())]
    return {_with_module(file, item, modules) for file, item in found}


def _with_module(file: str, item: Object, modules: Mapping[str, str]) -> Object:
    return (modules.get(PurePosixPath(file).name, ""), *item[1:]) if item[0] == "module" else item


def _tag(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _text(element: ET.Element, name: str) -> str:
    return next(((item.text or "").strip() for item in element if _tag(item) == name), "")


def _camel(tag: str) -> str:
    return "".join(word.title() for word in tag.split("-"))


def _in_xml(root: ET.Element, modules: dict[str, str]) -> Iterator[Object]:
    match _tag(root):
        case "domain" if root.find("configs") is None and not root.findall("resources"):
            yield from _in_config(root, modules)
        case "weblogic-jms":
            yield from (("module", _camel(_tag(item)), item.get("name", "")) for item in root)
        case "Server" | "XMI":
            yield from _in_websphere(root)
        case _:
            yield from _in_domain(root)


def _in_config(root: ET.Element, modules: dict[str, str]) -> Iterator[Object]:
    for item in root:
        if _tag(item) == "server":
            yield "Server", _text(item, "name")
        elif _tag(item) == "self-tuning":
            yield from ((_camel(_tag(part)), _text(part, "name")) for part in item)
        elif _tag(item) == "jms-system-resource":
            modules[PurePosixPath(_text(item, "descriptor-file-name")).name] = _text(item, "name")


def _in_websphere(root: ET.Element) -> Iterator[Object]:
    for server in root.iter():
        if _tag(server) == "Server":
            yield "Server", server.get("name", "")
            for port in server.iter("listenerPorts"):
                yield server.get("name", ""), "ListenerPort", port.get("name", "")
        elif _tag(server) == "j2cActivationSpec":
            yield "J2CActivationSpec", server.get("name", "")


def _in_domain(root: ET.Element) -> Iterator[Object]:
    yield from (("Config", item.get("name", "")) for item in root.iter("config"))
    yield from (("Pool", item.get("name", "")) for item in root.iter("connector-connection-pool"))
    for resource in (*root.iter("admin-object-resource"), *root.iter("jms-resource")):
        kind = resource.get("res-type", "").rpartition(".")[2].lower()
        yield from ((kind, item.get("value", "")) for item in resource if item.get("name") == "Name")


def _in_model(model: dict[str, dict[str, dict[str, dict[str, dict[str, dict[str, object]]]]]]) -> Iterator[Object]:
    yield from (("Server", name) for name in (model.get("topology") or {}).get("Server") or ())
    resources = model.get("resources") or {}
    for kind, items in (resources.get("SelfTuning") or {}).items():
        yield from ((kind, name) for name in items)
    for module, system in (resources.get("JMSSystemResource") or {}).items():
        for kind, held in (system.get("JmsResource") or {}).items():
            yield from ((module, kind, name) for name in held)


def _in_text(text: str) -> Iterator[Object]:
    for line in text.splitlines():
        row = re.match(r"\s*(\S+)\s+(Queue|Topic)\s+[A-Z]", line)
        if row:
            yield row[2].lower(), row[1]
        elif "imqcmd" in line and "dst" in line:
            words = dict(pairwise(shlex.split(line)))
            yield {"t": "topic"}.get(words.get("-t", "q"), "queue"), words.get("-n", "")


def _in_wlst(text: str) -> Iterator[Object]:
    """What a recorded script creates where it stands."""
    path: list[str] = []
    for line in text.splitlines():
        went, made = re.match(r"cd\('(.*)'\)", line), re.match(r"cmo\.create(\w+)\('(.*)'\)", line)
        if went:
            path = went[1].split("/")
        elif made:
            module = path[1:2] == ["JMSSystemResources"]
            yield (path[2], made[1], made[2]) if module else (made[1], made[2])
