"""New values where vendor files state the old ones: every other byte stays, and reading again proves each change."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from xml.sax.saxutils import escape

from simulations.platforms.base import Place, Reading, Script
from simulations.platforms.changes import Change
from simulations.platforms.formats.shell import plain
from simulations.platforms.formats.splices import Splice, encoding_of, spliced
from simulations.platforms.formats.text_file import escaped
from simulations.platforms.formats.xml_file import load
from simulations.problems import InvalidInput

Files = Mapping[str, bytes]
Read = Callable[[Files], Reading]
FACTORS = (1.0, 1000.0)
"""A file's number per number of the setting: the same unit, or milliseconds for seconds."""
_SIZE = re.compile(r"\d+[bkmBKM]")
LARGEST = str(2**63 - 1)
UNLIMITED: dict[Any, tuple[str, ...]] = {-1: (LARGEST,), 0: ("-1",)}
"""How files may write what the setting calls -1 or 0: no limit."""


def rewrite(files: Files, changes: Sequence[Change], scenario_hash: str, read: Read) -> tuple[Script, ...]:
    """Return the files in which changes could be made, each with the file as it was as undo.

    A change is made where the file states the setting; what several settings share is changed only when all of them
    become the same. Every script names the changes that no file has a place for. Raises what ``read`` raises.
    """
    now, reading, made = dict(files), read(files), list[Change]()
    before = -1
    while len(made) > before:  # one threshold may have to move before the other can
        before = len(made)
        for change in changes:
            place = reading.places.get(change.path)
            if place is None or change in made:
                continue
            together = [item for item in changes if reading.places.get(item.path) == place]
            found = _rewritten(now, reading, place, together, read)
            if found is not None:
                now, reading, made = *found, [*made, *together]
    left_out = tuple(change.path for change in changes if change not in made)
    return tuple(
        _script(file, files[file], content, scenario_hash, left_out)
        for file, content in now.items()
        if content != files[file]
    )


def without_made(scripts: Sequence[Script]) -> tuple[Script, ...]:
    """Return scripts for the same changes, each naming only what none of them makes."""
    missing = [set(script.left_out) for script in scripts]
    return tuple(
        replace(script, left_out=tuple(path for path in script.left_out if all(path in item for item in missing)))
        for script in scripts
    )


def _rewritten(
    files: Files, before: Reading, place: Place, changes: Sequence[Change], read: Read
) -> tuple[dict[str, bytes], Reading] | None:
    """The files with the changes at their one place, spelled so that they read as wanted, and that reading."""
    wanted = {**_settings(before), **{item.path: item.after for item in changes}}
    content = files[place.file]
    if not _stated(content, place, changes[0].before):
        return None
    for text in _spellings(changes[0].after):
        spelled = _spelled(content, place, text)
        try:
            candidate = {**files, place.file: spliced(content, [spelled], _encoding(content, place.file))}
            found = read(candidate)
        except InvalidInput:
            continue
        if _equal(_settings(found), wanted):
            return candidate, found
    return None


def _stated(content: bytes, place: Place, value: Any) -> bool:
    """Whether the file says the value itself: not a word or class that merely means it."""
    text = content[place.start : place.end].decode(errors="replace").strip().strip("\"'").strip()
    return bool(_SIZE.fullmatch(text)) or any(_number(text) == _number(item) for item in _spellings(value))


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _spellings(value: Any) -> Iterator[str]:
    if isinstance(value, bool):
        yield plain(value)
    elif isinstance(value, int | float):
        yield from (plain(value, factor) for factor in FACTORS)
        yield from UNLIMITED.get(value, ())
    elif isinstance(value, str):
        yield value


def _spelled(content: bytes, place: Place, text: str) -> Splice:
    """The splice that keeps the blanks and quotes around the old text."""
    old = content[place.start : place.end]
    if not _is_xml(content):
        return Splice(place.start, place.end, escaped(text))
    if old[:1] in (b'"', b"'"):
        return Splice(place.start + 1, place.end - 1, escape(text, {'"': "&quot;", "'": "&apos;"}))
    start = place.start + len(old) - len(old.lstrip())
    return Splice(start, start + len(old.strip()), escape(text))


def _settings(reading: Reading) -> dict[str, Any]:
    """All settings of the scenario by path."""
    return {
        f"{kind}.{entity['name']}.settings.{name}": value
        for kind in ("servers", "queues")
        for entity in reading.scenario.get(kind, ())
        for name, value in entity.get("settings", {}).items()
    }


def _equal(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return found.keys() == wanted.keys() and all(_same(found[path], value) for path, value in wanted.items())


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= 1e-9 * max(abs(one), abs(other))
    return bool(one == other)


def _is_xml(content: bytes) -> bool:
    return content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def _encoding(content: bytes, file: str) -> str:
    """Java's properties are Latin-1 where they are no UTF-8."""
    if _is_xml(content):
        return encoding_of(content, file)
    try:
        content.decode()
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


def _script(file: str, old: bytes, new: bytes, scenario_hash: str, left_out: tuple[str, ...]) -> Script:
    encoding, note = _encoding(old, file), f"Patched by Sluice for the scenario {scenario_hash}"
    if _is_xml(new):
        start = load(new, file).inner[0]
        new = spliced(new, [Splice(start, start, f"\n<!-- {note} -->")], encoding)
    else:
        ending = "\r\n" if re.search(rb"\r\n", new) else "\n"
        start = len(new) - len(new.removeprefix(b"\xef\xbb\xbf"))
        new = spliced(new, [Splice(start, start, f"# {note}{ending}")], encoding)
    return Script("xml", file, new.decode(encoding), old.decode(encoding), left_out, encoding)
