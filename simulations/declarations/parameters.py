"""The one declaration of a parameter, from which forms, API schema, docs, sweeps, imports and exports are derived."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel, ConfigDict

from simulations.declarations.units import UNITS

Verification = Literal["source", "assumed", "unverified"]
Kind = Literal["integer", "number", "boolean", "choice", "text", "structure"]
_PLAIN: Mapping[Any, Kind] = {bool: "boolean", int: "integer", float: "number", str: "text"}
Range = tuple[float, float]
M = TypeVar("M", bound=BaseModel)
OWN_MODEL = "Sluice, model of servers and work"


class Model(BaseModel):
    """Base of every declared value: immutable, no unknown keys, meanings taken from the attribute docstrings."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)


class PlatformParameters(Model):
    """The settings that one platform adds to a server or to a queue."""


@dataclass(frozen=True)
class Quantity:
    """What pydantic's own field cannot say about a parameter.

    unit: a key of ``units.UNITS``. source: title and place of the document that states default and meaning. native: the
    vendor's spelling in configuration. title: the vendor's name on screen. sweep: may be an axis even where it is no
    number or not given. trust: ``source`` when documented, ``assumed`` when we chose the default, ``unverified`` when
    the fact is not confirmed. typical: lowest and highest value that people try, which a slider spans; None where the
    limits say it. unlimited: the value that means no limit; it may lie outside the typical range. no_limit: the number
    by which files say no limit, where the setting has no value for it. costs: a search saves it. start: what the field
    holds when its part is chosen in a form. where: the vendor's object or file that has ``native``, from which readers
    and writers take it; parts of it stand behind slashes. factor: the vendor's number per number of the setting, 1000
    for milliseconds. names: the list whose items the value may name: ``servers``, or one of the settings of the same
    server.
    """

    unit: str
    source: str
    native: str = ""
    title: str = ""
    sweep: bool = False
    trust: Verification = "source"
    typical: Range | None = None
    unlimited: float | None = None
    no_limit: float | None = None
    costs: bool = False
    start: Any = None
    where: str = ""
    factor: float = 1.0
    names: str = ""

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise ValueError(f"unit {self.unit!r} is not declared in units.UNITS")


def setting(
    unit: str,
    document: str,
    native: str,
    typical: Range | None = None,
    title: str = "",
    *,
    place: str = "",
    doubt: str = "",
    **more: Any,
) -> Quantity:
    """Return the declaration of a vendor's setting; its place in the document is the vendor's name unless given.

    title: the words of the setting's own name unless given.
    doubt: what about it was found but not confirmed, for example "the default".
    """
    source = f"{document}: {place or native or title}"
    if doubt:
        source += f"; {doubt} {'were' if ' and ' in doubt else 'was'} not confirmed"
        more["trust"] = "unverified"
    return Quantity(unit, source, native, title, **{"sweep": True, "typical": typical, **more})


def held_by(
    document: str, where: str, declare: Callable[..., Quantity] | None = None, **common: Any
) -> Callable[..., Quantity]:
    """Return ``setting``, or ``declare``, for what one object of the vendor's has; one document lists all of it.
    ``common``: what more the declarations have in common."""

    def held(unit: str, native: str, typical: Range | None = None, title: str = "", **more: Any) -> Quantity:
        return (declare or setting)(unit, document, native, typical, title, where=where, **{**common, **more})

    return held


def labeled(
    unit: str, document: str, native: str, typical: Range | None = None, title: str = "", **more: Any
) -> Quantity:
    """Return the declaration of a vendor's setting that its document lists under its title."""
    return setting(unit, document, native, typical, title, place=title, **more)


def assumed(unit: str, document: str, typical: Range | None = None, title: str = "", **more: Any) -> Quantity:
    """Return the declaration of a value of our own model, for which no vendor has a name."""
    return setting(unit, document, "", typical, title, trust="assumed", **more)


def own(unit: str = "1", title: str = "", **more: Any) -> Quantity:
    """Return the declaration of a value that belongs to no platform."""
    return Quantity(unit, OWN_MODEL, title=title, trust="assumed", **more)


@dataclass(frozen=True)
class Declaration:
    """One parameter as every consumer sees it; ``minimum`` and ``maximum`` are None where there is no limit."""

    name: str
    title: str
    meaning: str
    quantity: Quantity
    kind: Kind
    default: Any
    required: bool
    minimum: float | None
    maximum: float | None
    choices: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.is_number or self.typical is None:
            return
        low, high = self.typical
        least = -math.inf if self.minimum is None else self.minimum
        most = math.inf if self.maximum is None else self.maximum
        if not least <= low < high <= most:
            limits = (least, most)
            raise ValueError(f"{self.name}: the typical range {self.typical} does not lie inside the limits {limits}")
        if self.default is not None and self.default != self.quantity.unlimited and not low <= self.default <= high:
            raise ValueError(f"{self.name}: the default {self.default} lies outside the typical range {self.typical}")

    @property
    def unit(self) -> str:
        """The unit's key in ``units.UNITS``."""
        return self.quantity.unit

    @property
    def is_number(self) -> bool:
        """True for whole numbers and others."""
        return self.kind in ("integer", "number")

    @property
    def is_fraction(self) -> bool:
        """True for shares from 0 to 1, which people write in percent."""
        return self.kind == "number" and self.unit == "1" and self.maximum == 1

    @property
    def typical(self) -> Range | None:
        """Lowest and highest value that people try; the limits unless declared."""
        if self.quantity.typical or self.minimum is None or self.maximum is None:
            return self.quantity.typical
        return self.minimum, self.maximum


@cache
def parameters_of(model: type[BaseModel]) -> tuple[Declaration, ...]:
    """Return the declarations of all fields of ``model`` that carry a Quantity, in the order they are written."""
    declarations = []
    for name, field in model.model_fields.items():
        inner = [item for part in _alternatives(field.annotation) for item in getattr(part, "__metadata__", ())]
        metadata = [*field.metadata, *inner]
        quantity = next((item for item in metadata if isinstance(item, Quantity)), None)
        if quantity is None:
            continue
        limits = _limits(metadata)
        declarations.append(
            Declaration(
                name=field.alias or name,
                title=quantity.title or name.replace("_", " ").capitalize(),
                meaning=field.description or "",
                quantity=quantity,
                kind=_kind(field.annotation),
                default=None if field.is_required() else field.get_default(call_default_factory=True),
                required=field.is_required(),
                minimum=limits.get("minimum"),
                maximum=limits.get("maximum"),
                choices=_choices(field.annotation),
            )
        )
    return tuple(declarations)


def addresses_of(model: type[BaseModel], holder: str) -> dict[tuple[str, ...], Declaration]:
    """Return the settings of ``model`` that an object of the vendor's has, by the names that lead there from it."""
    start = f"{holder}/"
    found = ((f"{item.quantity.where}/", item) for item in parameters_of(model))
    return {
        (*where.removeprefix(start).split("/")[:-1], item.quantity.native): item
        for where, item in found
        if where.startswith(start)
    }


def natives_of(model: type[BaseModel], where: str) -> dict[str, str]:
    """Return the vendor's name and ours of every setting of ``model`` that an object or file of the vendor's has."""
    return {item.quantity.native: item.name for item in parameters_of(model) if item.quantity.where == where}


def in_vendor_units(model: type[BaseModel], name: str, value: Any) -> Any:
    """Return a time as the vendor's own setting can hold it, up to its next whole unit; every other value as it is."""
    declared = next((item for item in parameters_of(model) if item.name == name), None)
    if declared is None or not declared.quantity.native or declared.unit != "s" or not isinstance(value, float):
        return value
    return math.ceil(value * declared.quantity.factor - 1e-9) / declared.quantity.factor


def changed(value: M, changes: Mapping[str, object]) -> M:
    """Return ``value`` with ``changes``, validated again; raises pydantic's ValidationError."""
    return type(value).model_validate({**value.model_dump(), **changes})


def _limits(metadata: list[Any]) -> dict[str, float]:
    found: dict[str, float] = {}
    for item in metadata:
        for part in getattr(item, "metadata", None) or (item,):
            match part:
                case Ge(ge=bound) | Gt(gt=bound):
                    found["minimum"] = float(bound)  # type: ignore[arg-type]
                case Le(le=bound) | Lt(lt=bound):
                    found["maximum"] = float(bound)  # type: ignore[arg-type]
    return found


def _alternatives(annotation: Any) -> tuple[Any, ...]:
    """The members of ``X | None`` without None; a plain annotation is its only member."""
    if get_origin(annotation) not in (Union, UnionType):
        return (annotation,)
    return tuple(part for part in get_args(annotation) if part is not type(None))


def _choices(annotation: Any) -> tuple[str, ...]:
    first = _alternatives(annotation)[0]
    return get_args(first) if get_origin(first) is Literal else ()


def _kind(annotation: Any) -> Kind:
    first = _alternatives(annotation)[0]
    if _choices(annotation):
        return "choice"
    base = get_args(first)[0] if hasattr(first, "__metadata__") else first
    return _PLAIN.get(base, "structure")
