"""Servers and queues while files are read: settings with their place; and which cluster or server is meant."""

import math
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from simulations.declarations.identity import LONGEST
from simulations.declarations.problems import InvalidInput, nearest
from simulations.declarations.texts import as_name, is_one_line, path_of
from simulations.platforms.files.syntax.signatures import is_yaml
from simulations.platforms.files.syntax.tree import Account, Element
from simulations.platforms.shared.family import Understood
from simulations.platforms.shared.spots import Addition, Attribute, New, Place, Spot

CHOICE = "cluster-or-server.choice"
"""Name of the file whose content is the name of the cluster or server."""
ASKED = "target"
"""Path of a line of an account that asks for this name; an upload is refused until it is given."""
OUTPUT = "a command printed it, and that text is not changed"
FILLED_IN = "is filled in by another tool, so the default counts; import the file that the server reads, or enter it"
Key = TypeVar("Key", bound=str | tuple[str, str])
"""A name, or a module and a name in it."""
_FILLED_IN = re.compile(r"[$#%]\{[^{}]+\}|@@?[\w.:-]+@@?|%[\w.]+%|(?<!\w)\$[A-Za-z_]\w*|<[\w -]+>")
"""What another tool replaces by a value, as Ant, Maven, a shell and the vendors' own tools write it."""


@dataclass(frozen=True)
class Sourced:
    """A value with the place it was read at."""

    value: Any
    file: str
    line: int
    places: tuple[Place, ...] = ()
    """Where the value stands: everywhere it has to be changed."""


@dataclass
class Draft:
    """A server or queue in the making; ``kind`` is ``servers`` or ``queues``."""

    kind: str
    name: str
    settings: dict[str, Sourced] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)
    file: str = ""
    line: int = 0
    """Where it is declared, as far as that is known."""
    lacking: dict[str, tuple[Addition, ...]] = field(default_factory=dict)
    """Setting -> what its file would have to say where it leaves the setting out."""
    refused: dict[str, str] = field(default_factory=dict)
    """Setting -> why no file is changed for it."""
    unlimited: set[str] = field(default_factory=set)
    """Settings to which the files give no limit, for which the scenario has another value."""
    implied: set[str] = field(default_factory=set)
    """Settings that follow from others."""
    jndi: str = ""
    """Its JNDI name, where it has one."""
    adapter: str = ""
    """The resource adapter of another provider that it listens through."""
    scope: dict[str, str] = field(default_factory=dict)
    """Names of the cell, the cluster, the node and the server that it is in; empty where no file says them."""
    described: dict[str, tuple[str, int, int]] = field(default_factory=dict)
    """Kind of descriptor -> file, line and first byte of the one that counts."""

    @property
    def path(self) -> str:
        """Its scenario path."""
        return path_of(self.kind, self.name)

    def put(
        self,
        setting: str,
        value: Any,
        account: Account,
        element: Element,
        attribute: str = "",
        place: Place | None = None,
    ) -> None:
        """Set a setting; a second, different value is noted as contradictory and does not count. Models, commands and
        a broker's files are the exception: they are laid one over the other, and the later one counts."""
        path = f"{self.path}.settings.{setting}"
        if is_filled_in(value):
            account.note("unresolved", element, path, f"{value!r} {FILLED_IN}", attribute)
            return
        known, message = self.settings.get(setting), f"{value!r}"
        if known is not None and known.value != value:
            said = f"{known.value!r} of {known.file}:{known.line}"
            models = is_yaml(account.file) and is_yaml(known.file)
            if not (account.in_order if account.file == known.file else models or account.overrides(known.file)):
                account.note("contradictory", element, path, f"{value!r} contradicts {said}, which counts", attribute)
                return
            known, message = None, f"{value!r} in place of {said}: the later one counts"
        known = known or Sourced(value, account.file, element.line)
        place = place or place_of(account.file, element, attribute)
        self.settings[setting] = known if place is None else replace(known, places=(*known.places, place))
        account.note("understood", element, path, message, attribute)

    def room(self, setting: str, account: Account, element: Element, *path: str, attribute: str = "") -> None:
        """Say where a setting belongs: the element at ``path`` below, or an attribute of it. It counts only where the
        file leaves the setting out."""
        found = element.child(*path)
        if attribute and (found is None or attribute not in found.attributes):
            what: New | Attribute = Attribute(attribute) if found else New(path[-1], "", ((attribute, "{}"),))
            self.add(setting, account, element, what, path if found else path[:-1])
        elif found is None:
            self.add(setting, account, element, New(path[-1]), path[:-1])

    def add(
        self, setting: str, account: Account, element: Element, what: New | Attribute, around: tuple[str, ...] = ()
    ) -> None:
        """Say what a file lacks as long as it leaves the setting out."""
        addition = Addition(account.file, element.span[0], what, around)
        self.lacking[setting] = (*self.lacking.get(setting, ()), addition)

    def describe(self, kind: str, element: Element, account: Account, message: str) -> bool:
        """Note that a descriptor of a kind describes this; False for a second one, which does not count."""
        place = account.file, element.line, element.span[0]
        first = self.described.setdefault(kind, place)
        if first != place:
            message = f"another one of this name is described in {first[0]}:{first[1]}, which counts; rename one"
        account.note("understood" if first == place else "contradictory", element, self.path, message)
        return first == place

    def take_kind(self, element: Element, account: Account) -> None:
        """Take what an interface says of the destination, queue or topic, unless another file said it before."""
        kind = kind_of(element.text)
        known = self.fields.setdefault("kind", kind)
        message = kind if kind == known else f"{kind} contradicts {known}, which was read before and counts"
        account.note("understood" if kind == known else "contradictory", element, f"{self.path}.kind", message)

    def identify(self, identity: Mapping[str, str], parts: Iterable[Mapping[str, str]] = ()) -> None:
        """Note what the vendor's configuration calls this, and the objects that hold the rest of its settings."""
        adapter = {"role": "adapter", "name": self.adapter}
        known = [_without_blanks(part) for part in (*parts, adapter) if part.get("name")]
        found = {**_without_blanks(identity), **({"parts": known} if known else {})}
        if found:
            self.fields["identity"] = found

    def inherit(self, source: "Draft") -> None:
        """Take what another draft says and this one does not; a value is written here where there is room for it."""
        for key, value in source.fields.items():
            if key != "identity":
                self.fields.setdefault(key, value)
        for key, additions in source.lacking.items():
            if key not in self.settings:
                self.lacking.setdefault(key, additions)
        for key, item in source.settings.items():
            own = key in self.lacking and self.lacking[key] is not source.lacking.get(key)
            self.settings.setdefault(key, replace(item, places=()) if own else item)
        for key, reason in source.refused.items():
            self.refused.setdefault(key, reason)
        self.implied |= source.implied
        self.unlimited |= source.unlimited

    @property
    def spots(self) -> dict[str, Spot]:
        """Where each setting stands or would stand, by its path."""
        found = {}
        for name in {**self.settings, **self.lacking, **self.refused}:
            places = self.settings[name].places if name in self.settings else ()
            lacking = () if places else self.lacking.get(name, ())
            spot = Spot(places, lacking, self.refused.get(name, ""), name in self.implied)
            if places or spot.additions or spot.refusal:
                found[f"{self.path}.settings.{name}"] = spot
        return found


def together(drafts: Sequence[Draft]) -> Draft:
    """Return what drafts with equal settings say, with the places of all of them."""
    first, made = drafts[0], Draft(drafts[0].kind, "*")
    for key, item in first.settings.items():
        made.settings[key] = replace(item, places=tuple(at for draft in drafts for at in draft.settings[key].places))
    for key in first.lacking:
        if key not in first.settings:
            made.lacking[key] = tuple(addition for draft in drafts for addition in draft.lacking.get(key, ()))
    return made


def unused(drafts: Mapping[Key, Draft], used: Container[Key | None], what: str) -> Iterator[Understood]:
    """Say what the files declare and no bean refers to: its settings are understood, but not part of the scenario."""
    for key, draft in drafts.items():
        if key not in used:
            name = key if isinstance(key, str) else key[1]
            message = f"no bean refers to the {what} {name!r}: it is not part of the scenario"
            yield Understood("unresolved", what, message, draft.file, draft.line)


def _without_blanks(known: Mapping[str, str]) -> dict[str, str]:
    """What is known, in the form of a scenario; a text of more than one line is none that could be looked up."""
    return {key: text[:LONGEST] for key, text in known.items() if text and is_one_line(text)}


def place_of(file: str, element: Element, attribute: str = "") -> Place | None:
    """Return where the text of an element or the value of its attribute stands; None where that is not known."""
    text = (0, 0) if element.children else element.inner
    start, end = element.values.get(attribute, (0, 0)) if attribute else text
    return Place(file, start, end) if end > start else None


def unpatched(spots: Mapping[str, Spot], files: Container[str]) -> dict[str, Spot]:
    """Take back that files would get the settings that they leave out: they are outputs of commands."""
    found = dict(spots)
    for path, spot in spots.items():
        kept = tuple(addition for addition in spot.additions if addition.file not in files)
        if kept != spot.additions:
            found[path] = replace(spot, additions=kept, refusal=spot.refusal or OUTPUT)
    return found


class Queues(dict[str, Draft]):
    """Queues by their name in the scenario; a name that is taken gets a number behind it."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers = Counter[str]()

    def new(self, text: str, **fields: Any) -> Draft:
        """Return a further queue."""
        name = free = as_name(text)
        while free in self:
            self._numbers[name] += 1
            free = f"{name[:190]}_{self._numbers[name] + 1}"
        self[free] = Draft("queues", free, fields=fields)
        return self[free]


def is_filled_in(value: object) -> bool:
    """Whether a value is a placeholder, whole or in part."""
    return isinstance(value, str) and _FILLED_IN.search(value) is not None


def kind_of(interface: str) -> str:
    """Return the kind of a destination from the name of its interface, as ``javax.jms.Topic``."""
    return "topic" if interface.endswith("Topic") else "queue"


def is_on(text: str) -> bool:
    """Whether a switch is on; the vendors' schemas allow true, yes, y and 1 in capitals too."""
    return text.strip().lower() in ("true", "yes", "y", "1")


def number_of(element: Element, account: Account, path: str, attribute: str = "") -> float | None:
    """Return the number an element or an attribute of it holds; nothing is no number, and anything else is noted."""
    written = element.attributes.get(attribute, "") if attribute else element.text
    if not written.strip():
        account.note("defaulted", element, path, "empty: the default counts", attribute)
        return None
    if is_filled_in(written):
        account.note("unresolved", element, path, f"{written!r} {FILLED_IN}", attribute)
        return None
    try:
        value = float(written)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        account.note("contradictory", element, path, f"{written!r} is no number; the default counts", attribute)
        return None
    return int(value) if value.is_integer() else value


def chosen_in(files: Mapping[str, bytes]) -> str:
    """Return the name that was chosen; empty where the files themselves decide."""
    return files.get(CHOICE, b"").decode()


def without_choice(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files that somebody configured."""
    return {file: content for file, content in files.items() if file != CHOICE}


def check_choice(name: str, known: Iterable[str]) -> None:
    """Raise InvalidInput that lists the clusters and servers unless ``name`` is one of them."""
    names = sorted({item for item in known if item})
    if name not in names:
        message = f"the files have no cluster and no server of this name; {nearest(name, names)}"
        raise InvalidInput.at(("target",), message, value=name)
