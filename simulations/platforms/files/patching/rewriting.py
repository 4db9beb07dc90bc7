"""New values in vendor files: every other byte stays, and reading again proves each change."""

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any
from xml.sax.saxutils import escape

from simulations.declarations.parameters import parameters_of
from simulations.declarations.problems import InvalidInput
from simulations.declarations.texts import path_of
from simulations.platforms.files.patching.patched_files import encoding_in, is_xml
from simulations.platforms.files.patching.shell import plain
from simulations.platforms.files.syntax.signatures import is_yaml
from simulations.platforms.files.syntax.splices import QUOTES, Order, Splice, spliced, xml_splice
from simulations.platforms.files.syntax.text_files import escaped, load_tree, property_splice
from simulations.platforms.files.syntax.xml_file import load as load_xml
from simulations.platforms.files.syntax.yaml_insertion import yaml_replaced, yaml_splice
from simulations.platforms.shared.family import Change, Reading
from simulations.platforms.shared.spots import Place, Spot


def spelled(content: bytes, file: str, spot: Spot, text: str, order: Order) -> bytes:
    """Return the file with ``text`` wherever the spot names it; raises InvalidInput where that cannot be."""
    places = [place for place in spot.places if place.file == file]
    additions = [addition for addition in spot.additions if addition.file == file]
    if is_xml(content):
        root = load_xml(content, file)
        splices = [_in_xml(content, place, text) for place in places]
        splices += [xml_splice(content, root, item, text, order) for item in additions]
    elif is_yaml(file):
        root = load_tree(content, file)
        splices = [yaml_replaced(content, place, text) for place in places]
        splices += [yaml_splice(content, root, item, text) for item in additions]
    else:
        splices = [Splice(place.start, place.end, escaped(text)) for place in places]
        splices += [property_splice(content, item, text) for item in additions]
    return spliced(content, splices, encoding_in(content, file))


def _in_xml(content: bytes, place: Place, text: str) -> Splice:
    """The splice that keeps the blanks and quotes around the old text."""
    old = content[place.start : place.end]
    if old[:1] in (b'"', b"'"):
        return Splice(place.start + 1, place.end - 1, escape(text, QUOTES))
    start = place.start + len(old) - len(old.lstrip())
    return Splice(start, start + len(old.strip()), escape(text))


Files = Mapping[str, bytes]
Read = Callable[[Files], Reading]
State = tuple[dict[str, bytes], Reading]
Refused = dict[str, str]
"""Scenario path of a change that was not made -> why."""
Group = Sequence[Change]
"""Changes that one spot makes together."""
FACTORS = (1.0, 1000.0)
"""A file's number per number of the setting: the same unit, or milliseconds for seconds."""
_SIZE = re.compile(r"\d+[bkmBKM]")
LARGEST = str(2**63 - 1)
UNLIMITED: dict[Any, tuple[str, ...]] = {-1: (LARGEST,), 0: ("-1",)}
"""How files may write what the setting calls -1 or 0, where reading takes it for that; tried first for no limit."""
NO_PLACE = "no imported file is the place of this setting"
SHARED = "the files say it once for others too, which keep their value"
WORD = "the files say it by a word that means more, or say another value than the installed one"
UNPROVEN = "the files would not read back with this value and nothing else changed"


def rewritten(files: Files, changes: Sequence[Change], read: Read, order: Order) -> tuple[dict[str, bytes], Refused]:
    """Return the files with the changes that could be made, and for the others why not.

    A change is made where the files state the setting, or would state it; what several settings share is changed only
    when all of them become the same. Raises what ``read`` raises.
    """
    job = _Rewriting(files, changes, read, order)
    job.run()
    return job.files, job.refused


class _Rewriting:
    """The files while changes are made in them one after the other."""

    def __init__(self, files: Files, changes: Sequence[Change], read: Read, order: Order) -> None:
        self.files, self.reading = dict(files), read(files)
        self.left = list(changes)
        self.refused: Refused = {}
        self._read, self._order = read, order

    def run(self) -> None:
        """Make one change at a time, as long as one can be made; then two at a time, as some only fit together."""
        while self._pass([group] for group in self._groups()) or self._pass(self._pairs()):
            pass
        self.refused = {change.path: self._reason(change) for change in self.left}

    def _pass(self, attempts: Iterable[Sequence[Group]]) -> bool:
        """Try all once; true when one was made, as others may fit then."""
        made = [self._made(groups) for groups in attempts]
        return any(made)

    def _pairs(self) -> Iterator[Sequence[Group]]:
        """Two bounds of one thing have names alike, those most alike first."""
        for pair in sorted(itertools.combinations(self._groups(), 2), key=lambda pair: -len(_common_start(pair))):
            of_one_thing = pair[0][0].entity is pair[1][0].entity and "_" in _common_start(pair)
            if of_one_thing and all(change in self.left for group in pair for change in group):
                yield pair

    def _groups(self) -> list[list[Change]]:
        """The changes left by their spot, those that it implies last; without those whose spot implies them alone."""
        groups: dict[Spot, list[Change]] = {}
        for change in self.left:
            spot = self._spot(change)
            if spot.places or spot.additions:
                group = groups.setdefault(spot, [])
                group.insert(len(group) if spot.implied else 0, change)
        return [group for group in groups.values() if not self._spot(group[0]).implied]

    def _spot(self, change: Change) -> Spot:
        return self.reading.spots.get(change.path, Spot())

    def _made(self, groups: Sequence[Group]) -> bool:
        """Make the changes of all groups together, or none of them; whether they are made."""
        done = [change for group in groups for change in group]
        wanted = {**_settings(self.reading), **{change.path: change.after for change in done}}
        state = self._spelled((self.files, self.reading), groups, wanted)
        if state is None:
            return False
        self.files, self.reading = state
        self.left = [change for change in self.left if change not in done]
        return True

    def _spelled(self, state: State, groups: Sequence[Group], wanted: Mapping[str, Any]) -> State | None:
        """The first that reads as wanted: every spelling of the first group with every one of the groups after it."""
        files, reading = state
        if not groups:
            return state if self._proves(reading, wanted) else None
        change, *_ = groups[0]
        spot = reading.spots.get(change.path, Spot())
        if not _stated(files, spot, change.before):
            return None
        named = {place.file for place in spot.places} | {addition.file for addition in spot.additions}
        unlimited = {item.name: item.quantity.unlimited for item in parameters_of(type(change.entity.settings))}
        for text in _spellings(change.after, unlimited.get(change.setting)):
            with suppress(InvalidInput):
                candidate = {**files, **{file: spelled(files[file], file, spot, text, self._order) for file in named}}
                found = self._spelled((candidate, self._read(candidate)), groups[1:], wanted)
                if found is not None:
                    return found
        return None

    def _proves(self, reading: Reading, wanted: Mapping[str, Any]) -> bool:
        """Whether all settings read as wanted, and the files contradict each other no more than before."""
        held = _settings(reading)
        same = held.keys() == wanted.keys() and all(same_value(held[path], value) for path, value in wanted.items())
        return same and _doubts(reading) <= _doubts(self.reading)

    def _reason(self, change: Change) -> str:
        spot = self._spot(change)
        if not spot.places and not spot.additions:
            return spot.refusal or NO_PLACE
        if not _stated(self.files, spot, change.before):
            return WORD
        alike = [path for path, other in self.reading.spots.items() if other == spot and not other.implied]
        new = {item.path: item.after for item in self.left}
        if any(path not in new or new[path] != change.after for path in alike):
            return SHARED
        return UNPROVEN


def _common_start(groups: Sequence[Group]) -> str:
    letters = zip(*(group[0].setting for group in groups), strict=False)
    return "".join(same[0] for same in itertools.takewhile(lambda same: len(set(same)) == 1, letters))


def _doubts(reading: Reading) -> int:
    """How many statements of the files contradict each other."""
    return sum(line.status == "contradictory" for line in reading.account)


def _stated(files: Files, spot: Spot, value: Any) -> bool:
    """Whether the files say the value itself: not a word or class that merely means it."""
    stated = (files[place.file][place.start : place.end].decode(errors="replace") for place in spot.places)
    texts = [text.strip().strip("\"'").strip() for text in stated]
    numbers = {_number(item) for item in _spellings(value)}
    return all(_SIZE.fullmatch(text) or _number(text) in numbers for text in texts)


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _spellings(value: Any, unlimited: float | None = None) -> Iterator[str]:
    if isinstance(value, bool):
        yield plain(value)
    elif isinstance(value, int | float):
        numbers, words = [plain(value, factor) for factor in FACTORS], UNLIMITED.get(value, ())
        yield from (*words, *numbers) if value == unlimited else (*numbers, *words)
    elif isinstance(value, str):
        yield value


def _settings(reading: Reading) -> dict[str, Any]:
    """All settings of the scenario by path."""
    return {
        path_of(kind, entity["name"], "settings", name): value
        for kind in ("servers", "queues")
        for entity in reading.scenario.get(kind, ())
        for name, value in entity.get("settings", {}).items()
    }


def same_value(one: Any, other: Any) -> bool:
    """Whether two values are the same; numbers may differ in their last digits: files write milliseconds."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        whole = float(one).is_integer() and float(other).is_integer()
        return one == other if whole else math.isclose(one, other, rel_tol=1e-9)
    return bool(one == other)
