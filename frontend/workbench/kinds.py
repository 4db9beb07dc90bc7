"""Distributions and arrivals in forms: a value that is told apart by its kind, and what another kind starts with."""

from collections.abc import Mapping
from functools import reduce
from typing import Any

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from frontend.workbench.declarations import declared, members
from simulations.declarations.declared import kind_of

Values = Mapping[str, str]
SIZE = "message_size"
IDENTITY = "identity"
"""Has a kind that tells no fields apart: what the vendor calls the class of an object."""


def as_variant(size: Any) -> Mapping[str, Any]:
    """Return a size as a distribution: one size for all messages is the constant among them."""
    return size if isinstance(size, Mapping) else {"kind": "constant", "mean": size}


def with_kinds(
    place: str, variants: tuple[type[BaseModel], ...], value: Mapping[str, Any], values: Values
) -> dict[str, Any]:
    """Another kind keeps what both have and gets plain values for the rest; kinds inside follow."""
    kind = values.get(f"{place}.kind", value["kind"])
    model = next((variant for variant in variants if kind_of(variant) == kind), None)
    if model is None:
        return {**value, "kind": kind}
    result = dict(value)
    if kind != value["kind"]:
        given = {name: item.quantity.start for name, item in declared(model).items()}
        start = {name: to_jsonable_python(item) for name, item in given.items() if item is not None}
        kept = {name: item for name, item in value.items() if name in model.model_fields and item is not None}
        result = {**start, **kept, "kind": kind}
    for name in model.model_fields:
        inner = members(model, name)
        if inner:
            result[name] = with_kinds(f"{place}.{name}", inner, result[name], values)
    return result


def started_over(body: Mapping[str, Any], values: Values) -> tuple[str, ...]:
    """Beginnings of the names of fields whose kind was changed: what they left empty starts with a plain value."""
    places = []
    for name in values:
        *keys, last = name.split(".")
        if last != "kind" or keys[-1:] == [IDENTITY]:
            continue
        held: Any = reduce(_below, keys, body)
        known = as_variant(held) if keys[-1:] == [SIZE] else held
        if isinstance(known, Mapping) and known.get("kind") not in (None, values[name]):
            places.append(name.removesuffix("kind"))
    return tuple(places)


def _below(node: Any, key: str) -> Any:
    """The value under a key or an index; None where there is none, as names of fields come from outside."""
    if isinstance(node, list):
        return node[int(key)] if key.isdecimal() and len(key) < 10 and int(key) < len(node) else None
    return node.get(key) if isinstance(node, Mapping) else None
