"""Outputs of wsadmin's ``AdminConfig.show`` and ``showall`` as the elements of server.xml and resources.xml.

An object is printed as pairs of a name and a value in brackets (in braces by Jacl), objects inside as lists of pairs.
Objects follow each other; their types are not printed and are told by what they have.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from simulations.platforms.files.syntax.text_files import lines_of
from simulations.platforms.files.syntax.tree import MAX_DEPTH, Element, refuse

PORT, SERVICE, POOL = "listenerPorts", "MessageListenerService", "threadPools"
SPEC, TRANSACTIONS = "j2cActivationSpec", "TransactionService"
SERVER_PARTS = ("components", "services")
_TOLD = re.compile(
    rb"^[\[{](?:components|destinationJNDIName|destinationJndiName|listenerPorts|maxSessions|resourceProperties|"
    rb"services|totalTranLifetimeTimeout)[ \t]",
    re.MULTILINE,
)
_TOKEN = re.compile(r"[\[{]|[\]}]|\"((?:[^\"\\]|\\.)*)\"|[^\s\[\]{}]+")


@dataclass
class _List:
    """What stands between two brackets, texts and further lists, and the line where it begins."""

    line: int
    items: "list[str | _List]" = field(default_factory=list)

    @property
    def lists(self) -> "list[_List]":
        return [item for item in self.items if isinstance(item, _List)]

    @property
    def name(self) -> str:
        """The name of a pair; empty where it begins with a list."""
        first = self.items[0] if self.items else ""
        return first if isinstance(first, str) else ""

    @property
    def is_object(self) -> bool:
        """Whether it holds nothing but pairs."""
        return bool(self.items) and len(self.lists) == len(self.items) and all(item.name for item in self.lists)


def is_printed(content: bytes) -> bool:
    """Whether a text is the output of one of the two commands for something that is read."""
    return not content.lstrip().startswith(b"<") and _TOLD.search(content) is not None


def printed_tree(content: bytes, file: str) -> Element:
    """Return the printed objects as a file with a server and activation specifications would hold them. Raises
    InvalidInput for brackets that do not fit together."""
    root, server = Element("XMI", 1), Element("Server", 1)
    for found in _objects(content, file):
        _place(_element("", found), root, server)
    if server.children or server.attributes:
        root.children.insert(0, server)
    for element in list(root.walk()):
        if element.name == "services" and "type" not in element.attributes:
            element.attributes["type"] = _service_type(element)
    return root


def _objects(content: bytes, file: str) -> Iterator[_List]:
    """Pairs belong to one object until one of their names comes again or something else stands between them."""
    pairs: dict[str, _List] = {}
    for item in (*_lists(content, file).items, ""):
        name = item.name if isinstance(item, _List) else ""
        if pairs and (not name or name in pairs):
            yield _List(next(iter(pairs.values())).line, [*pairs.values()])
            pairs = {}
        if isinstance(item, _List) and name:
            pairs[name] = item


def _lists(content: bytes, file: str) -> _List:
    whole = _List(1)
    around = [whole]
    for line, text in lines_of(content, file):
        if not text.strip() and len(around) == 1:
            whole.items.append("")
        for token in _TOKEN.finditer(text):
            if token[0] in ("[", "{"):
                inner = _List(line)
                around[-1].items.append(inner)
                around.append(inner)
            elif token[0] in ("]", "}"):
                around.pop()
            else:
                around[-1].items.append(token[0] if token[1] is None else token[1])
            if not 0 < len(around) <= MAX_DEPTH:
                raise refuse(file, line, "brackets that do not fit together, or are too deep")
    if len(around) > 1:
        raise refuse(file, around[-1].line, "this bracket is not closed; the output is cut off")
    return whole


def _element(name: str, found: _List) -> Element:
    """An object: pairs with a text are attributes, pairs with objects are children."""
    element = Element(name, found.line)
    for pair in found.lists:
        if not pair.lists:
            element.attributes[pair.name] = " ".join(map(str, pair.items[1:]))
        for inner in pair.lists:
            objects: Sequence[_List] = (inner,) if inner.is_object else [each for each in inner.lists if each.is_object]
            element.children += [_element(pair.name, each) for each in objects]
    return element


def _place(element: Element, root: Element, server: Element) -> None:
    """Put an object where a file would have it, by what it has."""
    names = {*element.attributes, *(child.name for child in element.children)}
    if "resourceProperties" in names:
        element.name, holder = SPEC, root
    elif names.intersection(SERVER_PARTS):
        server.attributes |= {key: text for key, text in element.attributes.items() if key == "name"}
        server.children += element.children
        return
    elif PORT in names or "totalTranLifetimeTimeout" in names:
        element.name, holder = "services", server
    elif "maxSessions" in names:
        element.name, holder = PORT, _listener(server, element.line)
    elif "maximumSize" in names and "Listener" in element.attributes.get("name", ""):
        element.name, holder = "threadPool", _listener(server, element.line)
    elif "maximumSize" in names:
        element.name, holder = POOL, server
    else:
        element.name, holder = "object", root
    holder.children.append(element)


def _listener(server: Element, line: int) -> Element:
    """The listener service of ports that were printed without theirs."""
    held = next((item for item in server.children if item.attributes.get("type") == SERVICE), None)
    if held is None:
        held = Element("services", line, attributes={"type": SERVICE})
        server.children.append(held)
    return held


def _service_type(element: Element) -> str:
    if "totalTranLifetimeTimeout" in element.attributes:
        return TRANSACTIONS
    is_listener = element.child(PORT) is not None or PORT in element.attributes
    return SERVICE if is_listener else "Service"
