"""Every field of the scenario as a Declaration, also those of servers and workload that belong to no platform."""

import inspect
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from simulations import units
from simulations.parameters import Declaration, Quantity, parameters_of

OWN_MODEL = "Sluice, model of servers and work"
_UNIT_OF_KIND = {
    "s": (units.Duration, units.PositiveDuration),
    "/s": (units.Rate, units.PositiveRate),
    "B": (units.Size, units.PositiveSize),
    "%": (units.Share,),
}
_UNIT_OF_PARSER = {get_args(kind)[1]: unit for unit, kinds in _UNIT_OF_KIND.items() for kind in kinds}
_UNIT_OF_NAME = {"cpus": "CPUs", "instances": "instances", "producers": "producers", "count": "messages"}


@cache
def declared(model: type[BaseModel]) -> dict[str, Declaration]:
    """Return the declaration of every field of ``model`` by name: the platform's own first, inherited ones last."""
    with_quantity = {item.name: item for item in parameters_of(model)}
    own = [name for name in model.model_fields if name in inspect.get_annotations(model)]
    inherited = [name for name in model.model_fields if name not in own]
    return {name: with_quantity.get(name) or _undeclared(name, model.model_fields[name]) for name in [*own, *inherited]}


def is_fraction(declaration: Declaration, model: type[BaseModel]) -> bool:
    """True for shares from 0 to 1, which people write in percent."""
    return _unit(model.model_fields[declaration.name]) == "%" and declaration.maximum == 1


def members(annotation: Any) -> tuple[type[BaseModel], ...]:
    """Return the models of a union that is told apart by ``kind``; empty for every other annotation.

    A plain value beside them is no member: one of the models says the same.
    """
    if get_origin(annotation) is Annotated:
        return members(get_args(annotation)[0])
    parts = get_args(annotation) if get_origin(annotation) is Union or hasattr(annotation, "__or__") else ()
    bare = [get_args(part)[0] if get_origin(part) is Annotated else part for part in parts]
    models = tuple(part for part in bare if isinstance(part, type) and issubclass(part, BaseModel))
    return models if len(models) > 1 and all("kind" in model.model_fields for model in models) else ()


def kind_of(model: type[BaseModel]) -> str:
    """Return the value of ``kind`` that selects ``model``."""
    return str(model.model_fields["kind"].default)


def _undeclared(name: str, field: FieldInfo) -> Declaration:
    unit = _unit(field) or _UNIT_OF_NAME.get(name, "1")
    probe = type("Probe", (BaseModel,), {"__annotations__": {name: _annotation(field, unit)}, name: field.default})
    found = parameters_of(probe)[0]
    return Declaration(
        name=name,
        title=_title(name),
        meaning=field.description or "",
        quantity=found.quantity,
        kind=found.kind,
        default=None if field.is_required() else field.get_default(call_default_factory=True),
        required=field.is_required(),
        minimum=found.minimum,
        maximum=found.maximum,
        choices=found.choices,
    )


def _annotation(field: FieldInfo, unit: str) -> Any:
    return Annotated[(field.annotation, *field.metadata, Quantity(unit, source=OWN_MODEL, trust="assumed"))]


def _unit(field: FieldInfo) -> str:
    parts = [*field.metadata, *(item for part in get_args(field.annotation) for item in get_args(part))]
    return next((_UNIT_OF_PARSER[item] for item in parts if _known(item)), "")


def _known(item: Any) -> bool:
    return item.__hash__ is not None and item in _UNIT_OF_PARSER


def _title(name: str) -> str:
    titles = {
        "cpus": "CPUs",
        "cpu": "CPU share",
        "p50": "p50",
        "p95": "p95",
        "p99": "p99",
        "cv": "Coefficient of variation",
    }
    return titles.get(name, name.replace("_", " ").capitalize())
