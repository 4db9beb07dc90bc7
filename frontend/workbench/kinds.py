"""Distributions and arrivals in forms: a value that is told apart by its kind, and what another kind starts with."""

from collections.abc import Mapping
from functools import reduce
from typing import Any

from pydantic import BaseModel

from frontend.workbench.declarations import kind_of, members

Values = Mapping[str, str]
SIZE = "message_size"


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
        plain = _START_SIZE if place.endswith(SIZE) else _START.get(kind, {})
        start = {name: item for name, item in plain.items() if name in model.model_fields}
        kept = {name: item for name, item in value.items() if name in model.model_fields and item is not None}
        result = {**start, **kept, "kind": kind}
    for name, field in model.model_fields.items():
        inner = members(field.annotation)
        if inner:
            result[name] = with_kinds(f"{place}.{name}", inner, result[name], values)
    return result


def started_over(body: Mapping[str, Any], values: Values) -> tuple[str, ...]:
    """Beginnings of the names of fields whose kind was changed: what they left empty starts with a plain value."""
    places = []
    for name in values:
        *keys, last = name.split(".")
        if last != "kind":
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


_START: Mapping[str, dict[str, Any]] = {
    "poisson": {"rate": 10.0},
    "constant": {"rate": 10.0, "mean": 0.2},
    "renewal": {"interval": {"kind": "exponential", "mean": 0.1}},
    "on_off": {"on_rate": 20.0, "off_rate": 0.0, "mean_on": 60.0, "mean_off": 60.0},
    "surge": {"count": 1000},
    "periodic_burst": {"count": 400, "every": 60.0},
    "profile": {"points": [[0.0, 10.0], [3600.0, 20.0]]},
    "trace": {"source": [0.0, 1.0]},
    "exponential": {"mean": 0.2},
    "lognormal": {"mean": 0.2, "cv": 1.0},
    "gamma": {"mean": 0.2, "cv": 1.0},
    "weibull": {"mean": 0.2, "cv": 1.0},
    "hyperexponential": {"mean": 0.2, "cv": 2.0},
    "empirical": {"source": [0.2]},
}
"""What a kind starts with when a person chooses it."""
_START_SIZE = {"mean": 1000.0, "cv": 2.0, "source": [1000.0]}
