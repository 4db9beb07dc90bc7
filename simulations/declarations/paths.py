"""Values of a scenario's body by path; items of a list go by their name or their index."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from simulations.declarations.problems import Location, nearest, short
from simulations.declarations.texts import keys_in

HORIZON: Location = ("run", "horizon")
"""Holds one of its keys: setting another takes the place of the one that is given."""


def location_of(body: Any, path: str, *, known_only: bool = True) -> Location:
    """Return the keys and indices that ``path`` names in ``body``.

    ``known_only=False`` lets keys be absent: a body as somebody wrote it leaves out what has a default. Raises KeyError
    with a sentence for a path that leads nowhere.
    """
    node: Any = body
    location: list[int | str] = []
    for key in keys_in(path) or ("",):
        if isinstance(node, Mapping):
            if known_only and key not in node and tuple(location) != HORIZON:
                raise KeyError(f"no key {short(key)}; {nearest(key, sorted(node))}")
            location.append(key)
            node = node.get(key, {})
        elif isinstance(node, list | tuple):
            index = _index(node, key)
            location.append(index)
            node = node[index]
        else:
            raise KeyError(f"nothing lies below {location[-1]!r}" if location else "a scenario is a mapping")
    return tuple(location)


def value_in(body: Any, location: Location) -> Any:
    """Return the value at ``location``; raises KeyError or IndexError where there is none."""
    for key in location:
        body = body[key]
    return body


def with_value(body: Any, location: Location, value: Any) -> Any:
    """Return a copy of ``body`` with ``value`` at ``location``; absent keys on the way are added. Of a model only what
    lies on the way becomes a body again; what lies beside it stays as it was read."""
    if not location:
        return value
    key, rest = location[0], location[1:]
    if isinstance(body, BaseModel):
        body = {field.alias or name: getattr(body, name) for name, field in type(body).model_fields.items()}
    if isinstance(body, Mapping):
        return {**body, key: with_value(body.get(str(key), {}), rest, value)}
    return [with_value(item, rest, value) if index == key else item for index, item in enumerate(body)]


def chosen(location: Location, value: Any) -> tuple[Location, Any]:
    """Return where and what to set for ``value`` at ``location``: the whole horizon for one of its keys."""
    return (HORIZON, {str(location[-1]): value}) if location[:-1] == HORIZON else (location, value)


def _index(items: Sequence[Any], key: str) -> int:
    names = [str(item.get("name", i)) if isinstance(item, Mapping) else str(i) for i, item in enumerate(items)]
    if key in names:
        return names.index(key)
    if key.isascii() and key.isdecimal() and len(key) < 10 and int(key) < len(items):
        return int(key)
    raise KeyError(f"nothing is named {short(key)}; {nearest(key, names)}")
