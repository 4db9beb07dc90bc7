"""Outputs of ``asadmin get``, which names a value by its place in domain.xml, and of ``imqcmd list dst``."""

import re
from collections.abc import Sequence

from simulations.platforms.files.syntax.text_files import lines_of
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.openmq.files.domain_contents import Imported
from simulations.platforms.openmq.files.glassfish import read_domain

NAMED = {
    "admin-object-resource": "jndi-name",
    "server-ref": "ref",
    **dict.fromkeys(("cluster", "config", "connector-connection-pool", "property", "thread-pool"), "name"),
}
"""Elements of which there are several, and the attribute that their part of a dotted name gives."""
PLACES = ("clusters", "configs", "resources")
"""What dotted names begin with; others begin with the name of a configuration."""
_VALUE = re.compile(rb"^(?:clusters\.cluster|configs\.config|resources\.[\w-]+)\.|^[\w-]+\.mdb-container\.", re.M)
_LIST = re.compile(rb"^[ \t]*Name[ \t]+Type[ \t]+State\b", re.M)
_ROW = re.compile(r"\s*(\S+)\s+(Queue|Topic)\s+[A-Z]")
_DOT = re.compile(r"(?<!\\)\.")


def is_dotted(content: bytes) -> bool:
    """Whether a text is the output of ``asadmin get``."""
    return _VALUE.search(content) is not None


def is_list(content: bytes) -> bool:
    """Whether a text is the output of ``imqcmd list dst``."""
    return _LIST.search(content) is not None


def read_dotted(content: bytes, file: str, found: Imported, account: Account) -> Element:
    """Read dotted names as the elements of domain.xml that they name."""
    root, account.printed = Element("domain", 1), True
    for line, text in lines_of(content, file):
        key, equals, value = text.strip().partition("=")
        if equals:
            _put(root, [part.replace("\\.", ".") for part in _DOT.split(key)], value, line)
    read_domain(root, found, account)
    return root


def _put(root: Element, parts: Sequence[str], value: str, line: int) -> None:
    """Put a value where its dotted name says, with the elements around it."""
    here, rest = root, list(parts if parts[0] in PLACES else ("configs", "config", *parts))
    while len(rest) > 1:
        here, rest = _below(here, rest[0], rest[1:], line)
    here.attributes[rest[0] if rest else "value"] = value


def _below(here: Element, name: str, rest: list[str], line: int) -> tuple[Element, list[str]]:
    """The child of this name, which the next part of the dotted name tells from others of it."""
    key = NAMED.get(name)
    wanted = {key: rest[0]} if key else {}
    same = (item for item in here.all(name) if not key or item.attributes.get(key) == rest[0])
    found = next(same, None)
    if found is None:
        found = Element(name, line, attributes=dict(wanted))
        here.children.append(found)
    return found, rest[1:] if key else rest


def read_list(lines: Sequence[tuple[int, str]], found: Imported, account: Account) -> Element:
    """Read a row for each destination: its name, and whether it is a queue or a topic."""
    root = Element("list", 1, key="list")
    for number, text in lines:
        row = _ROW.match(text)
        if row is None:
            continue
        draft, kind = found.destination(row[1]), row[2].lower()
        item = Element("row", number, key=row[1], text=text.strip())
        root.children.append(item)
        draft.fields["kind"], draft.file, draft.line = kind, account.file, number
        account.note("understood", item, draft.path, f"a {kind}")
    return root
