"""How a path is written: keys joined by dots, and a name that is not plain in brackets and quotes.

``queues.orders.settings.maximum_sessions``, ``queues["PAY.ORDERS"].settings.maximum_sessions``. The text in the
brackets is a JSON string, so every language can read it.
"""

import json
import re

_PLAIN = re.compile(r"\w[\w -]*")
_KEY = re.compile(r'(?:^|(?!^)\.)(?P<plain>[^.\["]+)|\[(?P<quoted>"(?:[^"\\]|\\.)*")\]')


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
