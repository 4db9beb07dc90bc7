"""The declarations of a model in the order of a form, and the models among which a value is chosen by its kind."""

import inspect
from functools import cache

from pydantic import BaseModel

from simulations.declarations.declared import kind_of, models_at
from simulations.declarations.parameters import Declaration, parameters_of


@cache
def declared(model: type[BaseModel]) -> dict[str, Declaration]:
    """Return the declarations of ``model`` by name: the platform's own first, inherited ones last."""
    own = inspect.get_annotations(model)
    items = sorted(parameters_of(model), key=lambda item: item.name not in own)
    return {item.name: item for item in items}


def members(model: type[BaseModel], name: str) -> tuple[type[BaseModel], ...]:
    """Return the models that field ``name`` may be of, told apart by ``kind``; empty for every other field.

    A plain value beside them is no member: one of the models says the same.
    """
    models = models_at(model, name)
    return models if len(models) > 1 and all(kind_of(item) for item in models) else ()
