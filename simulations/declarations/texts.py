"""What names and other texts may hold, with the remedy where one does not; and how a path is written.

A path is keys joined by dots, and a name that is not plain in brackets and quotes, a JSON string, which every language
can read: ``queues.orders.settings.maximum_sessions``, ``queues["PAY.ORDERS"].settings.maximum_sessions``.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from simulations.declarations.tables import table_beside

_CONTROL = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
"""Characters that end a line in any language, for scripts name such texts in their comments, and those that turn the
text around them: a reader would see another script than the one that runs."""
_UNSEEN = rf"{_CONTROL}\u00ad\u200b\u200e\u200f\ufeff"
"""These, and characters that nobody sees, of which two names would look alike."""
VENDOR_NAME = rf"^[^{_UNSEEN}\s](?:[^{_UNSEEN}]*[^{_UNSEEN}\s])?$"
"""Any printable text without blanks at its ends: what the vendors call their objects."""
ONE_LINE = rf"^[^{_CONTROL}]*$"
"""One line of any text."""
LONGEST_NAME = 200
"""Characters of a name of a server, a queue, or an object of the vendor's."""

REMEDIES = {
    VENDOR_NAME: "use printable characters in one line, and no blanks at the beginning or the end",
    ONE_LINE: "use one line of text without control characters",
}
"""Pattern -> what to write instead."""
WORDS: Mapping[str, str] = table_beside(__file__, "pydantic_words.yaml")
"""Code of an error of pydantic's -> what we say instead, with what pydantic knows about it."""
_PLAIN = re.compile(r"\w[\w -]*")
_KEY = re.compile(r'(?:^|(?!^)\.)(?P<plain>[^.\["]+)|\[(?P<quoted>"(?:[^"\\]|\\.)*")\]')


def is_one_line(text: str) -> bool:
    """Whether ``text`` is what ONE_LINE asks for."""
    return re.fullmatch(ONE_LINE, text) is not None


def as_name(text: str) -> str:
    """Return a text of a file as a name: what it is called there, without what no name may hold."""
    return re.sub(f"[{_UNSEEN}]+", " ", text).strip()[:LONGEST_NAME].strip() or "unnamed"


def path_of(*keys: str | int) -> str:
    """Return the path of these keys, names and indices."""
    return "".join(step(str(key)) for key in keys).removeprefix(".")


def step(key: str) -> str:
    """Return how a path goes on to a key: ``.orders`` or ``["PAY.ORDERS"]``."""
    return f".{key}" if _PLAIN.fullmatch(key) else f"[{json.dumps(key, ensure_ascii=False)}]"


def keys_in(path: str) -> tuple[str, ...]:
    """Return the keys that a path joins; raises KeyError with a sentence for what is no path."""
    keys, end = [], 0
    while end < len(path):
        found = _KEY.match(path, end)
        if found is None:
            raise KeyError(f'character {end + 1} is out of place; a name with dots is written ["so.to.speak"]')
        quoted = found["quoted"]
        keys.append(found["plain"] if quoted is None else _unquoted(quoted))
        end = found.end()
    return tuple(keys)


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every single value of a scenario's body with its path; items of lists are named, not numbered."""
    if isinstance(value, dict) and value:
        items = list(value.items())
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        items = [(item.get("name", str(i)) if isinstance(item, dict) else str(i), item) for i, item in enumerate(value)]
    else:
        yield path, value
        return
    for key, item in items:
        yield from leaves(item, f"{path}{step(key)}" if path else path_of(key))


def differing(before: Any, after: Any, path: str = "") -> list[tuple[str, Any, Any]]:
    """Return path, old and new value of every single value that differs between two bodies; None for what one lacks.
    That a list begins or ends to have items is told by these."""
    left, right = dict(leaves(before, path)), dict(leaves(after, path))
    pairs = ((place, left.get(place), right.get(place)) for place in sorted(left.keys() | right.keys()))
    return [row for row in pairs if row[1] != row[2] and row[1:] not in (([], None), (None, []))]


def last_key(path: str) -> str:
    """Return the last key of a path; the whole text where that is no path."""
    try:
        return (keys_in(path) or ("",))[-1]
    except KeyError:
        return path


def is_below(path: str, place: str) -> bool:
    """Whether ``path`` is ``place`` or leads to something in it."""
    return path == place or path.startswith((f"{place}.", f"{place}["))


def path_and_value(text: str) -> tuple[str, str]:
    """Return the path and the text behind the first equals sign outside of quotes; without one there is no path."""
    found = re.match(r'((?:[^="]|"(?:[^"\\]|\\.)*")*)=(.*)', text, re.DOTALL)
    return (found[1], found[2]) if found else ("", text)


def _unquoted(text: str) -> str:
    try:
        return str(json.loads(text))
    except ValueError as error:
        raise KeyError(f"{text} is no text in quotes: a backslash and a quote take a backslash before them") from error
