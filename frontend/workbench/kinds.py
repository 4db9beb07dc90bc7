"""What a form takes from the declarations: their order, the kinds of a value, and what another kind starts with."""

import inspect
import re
from collections.abc import Mapping
from functools import cache, reduce
from typing import Any

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from simulations.declarations.declared import kind_of, models_at
from simulations.declarations.parameters import Declaration, parameters_of

Values = Mapping[str, str]
SIZE = "message_size"
IDENTITY = "identity"
"""Has a kind that tells no fields apart: what the vendor calls the class of an object."""


@cache
def declared(model: type[BaseModel]) -> dict[str, Declaration]:
    """Return the declarations of ``model`` by name: the platform's own first, inherited ones last."""
    own = inspect.get_annotations(model)
    items = sorted(parameters_of(model), key=lambda item: item.name not in own)
    return {item.name: item for item in items}


def members(model: type[BaseModel], name: str) -> tuple[type[BaseModel], ...]:
    """Return the models that field ``name`` may be of, distinguished by ``kind``; empty for every other field. A plain
    value does not count: one of the models means the same."""
    models = models_at(model, name)
    return models if len(models) > 1 and all(kind_of(item) for item in models) else ()


def as_variant(size: Any) -> Mapping[str, Any]:
    """Return a size as a distribution: one size for all messages is the constant among them."""
    return size if isinstance(size, Mapping) else {"kind": "constant", "mean": size}


def with_kinds(
    place: str, variants: tuple[type[BaseModel], ...], value: Mapping[str, Any], values: Values
) -> dict[str, Any]:
    """Return ``value`` as the form's kind: shared fields are kept, the others get start values; inner kinds follow."""
    kind = values.get(f"{place}.kind", value["kind"])
    model = next((variant for variant in variants if kind_of(variant) == kind), None)
    if model is None:
        return {**value, "kind": kind}
    result = dict(value)
    if kind != value["kind"]:
        kept = {name: item for name, item in value.items() if name in model.model_fields and item is not None}
        result = {**starts_of(model), **kept, "kind": kind}
    for name in model.model_fields:
        inner = members(model, name)
        if inner:
            result[name] = with_kinds(f"{place}.{name}", inner, result[name], values)
    return result


def noun(model: type[BaseModel]) -> str:
    """Return what one ``model`` is called: ``work manager``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", model.__name__).lower()


def started(model: type[BaseModel]) -> dict[str, Any]:
    """Return a new value of ``model``: what has to be given begins with its start value, or is left empty."""
    result = starts_of(model) | ({"settings": {}} if "settings" in model.model_fields else {})
    for name, item in declared(model).items():
        variants = members(model, name)
        if item.required and variants:
            result[name] = {"kind": kind_of(variants[0]), **started(variants[0])}
        elif item.required:
            first = item.choices[0] if item.choices else ""
            result.setdefault(name, noun(model).replace(" ", "-") if name == "name" else first)
    return result


def starts_of(model: type[BaseModel]) -> dict[str, Any]:
    """Return the start values of the parts of ``model`` that have one."""
    given = {name: item.quantity.start for name, item in declared(model).items()}
    return {name: to_jsonable_python(item) for name, item in given.items() if item is not None}


def started_over(body: Mapping[str, Any], values: Values) -> tuple[str, ...]:
    """Return the prefixes of fields whose kind was changed: those left empty begin with their start values."""
    places = []
    for name in values:
        *keys, last = name.split(".")
        if last != "kind" or keys[-1:] == [IDENTITY]:
            continue
        held: Any = reduce(below, keys, body)
        known = as_variant(held) if keys[-1:] == [SIZE] else held
        if isinstance(known, Mapping) and known.get("kind") not in (None, values[name]):
            places.append(name.removesuffix("kind"))
    return tuple(places)


def below(node: Any, key: str) -> Any:
    """Return the value under a key or an index; None where there is none, as names of fields come from outside."""
    if isinstance(node, list):
        return node[int(key)] if key.isdecimal() and len(key) < 10 and int(key) < len(node) else None
    return node.get(key) if isinstance(node, Mapping) else None
