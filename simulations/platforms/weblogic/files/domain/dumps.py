"""What WLST writes and prints of a domain, as elements: ``configToScript``, recorded edits, and sessions with ``ls``.

All go to an object by a path of kinds and names, and then say its attributes. A name may contain slashes: it ends
before the next kind that its object may hold, or before a part that repeats it, as parts without names of their own do;
what a script creates has the name that it gives.
Source: WLST Command Reference for WebLogic Server, configToScript, startRecording, ls and cd.
"""

import ast
import re
from collections.abc import Container, Iterator
from posixpath import join, normpath

from simulations.platforms.files.syntax.text_files import hyphenated, lines_of
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.weblogic.files.domain.jms_modules import DESTINATION, DESTINATIONS, OF_FACTORY, WEIGHTED
from simulations.platforms.weblogic.files.work_managers.reading import CONSTRAINTS, GOAL, SHARE

PARTS = {path[0] for path in (*DESTINATION, *OF_FACTORY) if len(path) > 1}
PARTS |= {"dynamic-servers", "jms-resource", "jta", "self-tuning"}
"""Kinds of which an object has one."""
KINDS = {*PARTS, *CONSTRAINTS, GOAL, SHARE, *DESTINATIONS, *(f"{kind}-member" for kind in WEIGHTED)}
KINDS |= {"app-deployment", "cluster", "connection-factory", "jms-server", "jms-system-resource", "quota", "server"}
KINDS |= {"server-template", "sub-deployment", "template", "work-manager"}
HELD = {"jms-system-resource": {"sub-deployment"}, "jms-resource": KINDS, "self-tuning": KINDS}
"""Which kinds an object of a kind may hold; what else looks like a kind belongs to its name."""
COMPUTED = "the script computes it; import the output of configToScript, which has the values themselves"
LONGEST = 1_000
"""Characters; longer lines set nothing that is read."""
_SIGN = re.compile(rb"^[ \t]*cd\([\"'](?:\w+:)?/(?:JMSServer|JMSSystemResource|SelfTuning|Server|Cluster)|^wls:/", re.M)
_PROMPT = re.compile(r"wls:/(?:offline/)?[^/>]*(?:/(?:edit|serverConfig|domainConfig))?((?:/[^>]*?)?) ?!?>\s*(.*)")
_ROW = re.compile(r"-[r-][w-]-\s+(\w+)\s+(?!null$)(\S.*)")
_CALL = re.compile(r"\s*(?:(\w+)\s*=\s*)?(?:cmo\.)?([\w.]+)\((.+)\)\s*$")
_BEAN = re.compile(r"Name=([^,\"']+),|getMBean\(\s*([\"'])(.+?)\2\s*\)")


def is_dump(content: bytes) -> bool:
    """Whether a text is a script or session of WLST that goes to objects that are read."""
    return not content.lstrip().startswith(b"<") and _SIGN.search(content) is not None


def dumped(content: bytes, file: str, account: Account) -> Element:
    """Return the objects of a dump as a Deploy Tooling model would have them, each under its name."""
    dump = _Dump(account)
    for line, text in lines_of(content, file):
        if len(text) <= LONGEST:
            dump.read(line, text)
    return dump.root


class _Dump:
    """The objects so far, and the path that the lines have led to; None where the script computes it."""

    def __init__(self, account: Account) -> None:
        self.root, self._account = Element("domain", 1, keyed=True), account
        self._here: str | None = "/"
        self._beans: dict[str, list[str]] = {}
        """Variable -> names of the objects in it."""
        self._made: set[tuple[str, str]] = set()
        self._known: dict[tuple[int, str, str], Element] = {}

    def read(self, line: int, text: str) -> None:
        """Take one line: a statement, or a row that ``ls`` printed."""
        prompt = _PROMPT.match(text)
        if prompt:
            self._here, text = prompt[1] or "/", prompt[2]
        row, call = _ROW.match(text), _CALL.match(text)
        if row:
            self._state(row[1], [row[2].strip()], line)
        elif call and call[1]:
            self._beans[call[1]] = self._values(f"{call[2]}({call[3]})")
        elif call:
            self._called(call[2], call[3], line)

    def _called(self, function: str, arguments: str, line: int) -> None:
        values = self._values(arguments)
        if function == "cd" or (function == "ls" and "/" in arguments):
            self._here = normpath(join(self._here or "/", re.sub(r"^\w+:(?=/)", "", values[0]))) if values else None
        elif function.startswith("create") and values:
            kind = function.removeprefix("create").strip("_0123456789")
            around, name = values[:2] if kind and len(values) > 1 else (self._here, values[0])
            self._made.add((_kind(kind), name.strip("/")))
            if around is not None:
                self._place(f"{around}/{kind or values[-1]}/{name}", line)
        elif function == "set":
            name, _, text = arguments.partition(",")
            self._state(name.strip(" \"'"), self._values(text), line)
        elif function.startswith("set"):
            self._state(function.removeprefix("set"), values, line)

    def _state(self, name: str, values: list[str], line: int) -> None:
        """Give the object at hand an attribute; the last value counts."""
        if self._here is None or not values:
            self._account.note("unresolved", Element("computed", line), join(self._here or "?", name), COMPUTED)
            return
        kind = "target" if name == "Targets" else hyphenated(name)
        element = self._below(self._place(self._here, line), kind, "", line)
        element.line, element.text = line, values[0] if len(values) == 1 else ""
        element.children = [Element("item", line, text=value) for value in values if len(values) > 1]

    def _values(self, text: str) -> list[str]:
        """The texts of plain values, or the names of the objects that it stands for; none where it is computed."""
        named = [
            found[1] or [found[3], *(name for _, name in _steps(found[3], self._made))][-1]
            for found in _BEAN.finditer(text)
        ]
        known = [name for word in re.findall(r"\w+", text) for name in self._beans.get(word, ())]
        return named or _plain(text.strip()) or known

    def _place(self, path: str, line: int) -> Element:
        """Return the object at a path, made with those around it."""
        here = self.root
        for kind, name in _steps(path, self._made):
            here = self._below(here, kind, "", line)
            here = self._below(here, kind, name, line) if name and kind not in PARTS else here
        return here

    def _below(self, parent: Element, kind: str, name: str, line: int) -> Element:
        found = self._known.get((id(parent), kind, name))
        if found is None:
            found = self._known[id(parent), kind, name] = Element(kind, line, key=name or kind, keyed=True)
            parent.children.append(found)
        return found


def _steps(path: str, made: Container[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield kind and name of each object on a path; from a kind that is not known the rest is one kind. ``made``: kinds
    and names of objects that were created."""
    rest, around = [part for part in path.split("/") if part], [""]
    while rest:
        kind = _kind(rest[0])
        whole = kind in PARTS and rest[1 : 1 + len(around)] == around  # a part is called as what holds it
        ends = [at for at in range(2, len(rest) + 1) if (kind, "/".join(rest[1:at])) in made][-1:]
        ends = ends or [at for at in range(2, len(rest)) if _ends(kind, rest, at)]
        end = 1 + len(around) if whole else next(iter(ends), len(rest))
        around = rest[1:end]
        yield kind or "/".join(rest), "/".join(around) if kind else ""
        rest = rest[end:] if kind else []


def _kind(segment: str) -> str:
    """Return the kind that a part of a path names in the singular or plural; nothing for others and small letters."""
    name = hyphenated(segment) if segment[:1].isupper() else ""
    return next((form for form in (name, name[:-1], name[:-2], f"{name[:-3]}y") if form in KINDS), "")


def _ends(kind: str, rest: list[str], at: int) -> bool:
    """Whether the name ends here: before a kind that objects of this kind hold, or before a part called as they are. A
    server's name is that of a folder, too, and has no slashes."""
    below, again = _kind(rest[at]), rest[at + 1 : 2 * at]
    if below and below not in PARTS:
        return below in HELD.get(kind, (f"{kind}-member",))
    named = again == rest[1:at] or again[:1] == [] or re.fullmatch(r"NO_NAME_\d+", again[0]) is not None
    return kind == "server" or (
        re.fullmatch(r"[A-Z]\w*", rest[at]) is not None and named and (again != [] or below != "")
    )


def _plain(text: str) -> list[str]:
    """Return the texts of plain values with commas between; none for anything else."""
    try:
        values = ast.literal_eval({"true": "True", "false": "False"}.get(text, text))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return []
    return [str(value) for value in (values if isinstance(values, tuple | list) else [values])]
