"""Where declared values lie in a scenario: the path of each, and whose it is."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from pydantic import BaseModel

from simulations.declarations.parameters import Declaration, parameters_of
from simulations.declarations.problems import types_at
from simulations.declarations.texts import is_below, step


@dataclass(frozen=True)
class Setting:
    """A declared value where it lies: ``owner`` names the server, queue or list item that has it."""

    path: str
    declaration: Declaration
    value: Any
    owner: str

    @property
    def can_be_swept(self) -> bool:
        """True for numbers that are given, and for what is declared to be worth a sweep."""
        if self.declaration.is_number and isinstance(self.value, Mapping | BaseModel):
            return False
        kinds = ("integer", "number", "boolean", "choice")
        worth = self.declaration.quantity.sweep and self.declaration.kind in kinds
        return worth or (self.declaration.is_number and self.value is not None)


def settings_below(
    model: type[BaseModel],
    value: Any,
    *,
    towards: str = "",
    place: str = "",
    owner: str = "",
    of: Declaration | None = None,
) -> Iterator[Setting]:
    """Yield the declared values of ``value``, a ``model`` or its body; items of a list go by their names. ``towards``
    keeps those on the way to this path or below it; ``of`` declares ``value`` itself."""
    declared = {item.name: item for item in parameters_of(model)}
    for name in model.model_fields:
        path, item = f"{place}{name}", declared.get(name)
        if not _on_the_way(path, towards):
            continue
        held = value.get(name) if isinstance(value, Mapping) else getattr(value, name)
        if item is not None:
            yield Setting(path, part_of(item, of), held, owner)
        for called, keys, kind, part in _parts(model, name, held):
            below = next((f"{path}{key}." for key in keys if _on_the_way(f"{path}{key}", towards)), None)
            if below is not None:
                whose = ", ".join(filter(None, (called, owner)))
                yield from settings_below(kind, part, towards=towards, place=below, owner=whose, of=item)


@cache
def models_at(model: type[BaseModel], *location: str | int) -> tuple[type[BaseModel], ...]:
    """Return the models that the value at ``location`` of ``model`` may be of; plain types are left out."""
    return tuple(item for item in types_at(model, location) if isinstance(item, type) and issubclass(item, BaseModel))


def kind_of(model: type[BaseModel]) -> str:
    """Return the value of ``kind`` that selects ``model`` in a union; empty where there is none."""
    return str(model.model_fields["kind"].default) if "kind" in model.model_fields else ""


def _parts(model: type[BaseModel], name: str, held: Any) -> Iterator[tuple[str, tuple[str, ...], type[BaseModel], Any]]:
    """What lies below a field: its name, the keys that lead to it, the best first, its model, and itself."""
    if isinstance(held, BaseModel):
        yield "", ("",), type(held), held
    elif isinstance(held, Mapping) and (models := models_at(model, name)):
        yield "", ("",), next((item for item in models if kind_of(item) == held.get("kind")), models[0]), held
    elif isinstance(held, list | tuple) and (models := models_at(model, name, 0)):
        for index, part in enumerate(held):
            called = str(part.get("name", index) if isinstance(part, Mapping) else getattr(part, "name", index))
            yield called, (step(called), f".{index}"), type(part) if isinstance(part, BaseModel) else models[0], part


def _on_the_way(path: str, towards: str) -> bool:
    return not towards or is_below(towards, path) or is_below(path, towards)


def part_of(item: Declaration, whole: Declaration | None) -> Declaration:
    """Return ``item`` titled after what is distributed: ``Mean service time``, ``CPU share of service time``."""
    if whole is None or whole.unit == "1":
        return item
    name = f"{whole.title[0].lower()}{whole.title[1:]}"
    return replace(item, title=f"{item.title} {'of ' if item.unit == '1' else ''}{name}")
