"""What a request says: its body as a checked model, and its query."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from rest_framework.request import Request

from simulations.declarations.problems import InvalidInput, boolean_problems, problem, problems_of

In = TypeVar("In", bound=BaseModel)


def body_of(request: Request) -> dict[str, Any]:
    """Return the body, which must be a JSON object; raises InvalidInput. An empty body is an empty object."""
    data = request.data
    if hasattr(data, "lists"):  # what the framework makes of an empty body
        return {}
    if not isinstance(data, dict):
        raise InvalidInput([problem((), "the body must be a JSON object")])
    return data


def read_body(request: Request, model: type[In]) -> In:
    """Return the checked body; raises InvalidInput with every wrong field."""
    return read_values(body_of(request), model)


def read_values(values: Mapping[str, Any], model: type[In]) -> In:
    """Return ``values`` as ``model``; raises InvalidInput with every wrong field."""
    booleans = boolean_problems(values, model)
    known = {item.pointer for item in booleans}
    try:
        read = model.model_validate(values)
    except ValidationError as error:
        others = [item for item in problems_of(error, model, values) if item.pointer not in known]
        raise InvalidInput([*booleans, *others]) from error
    if booleans:
        raise InvalidInput(booleans)
    return read


def below(error: InvalidInput, key: str) -> InvalidInput:
    """Return the problems of a body's part with pointers into the whole body."""
    return InvalidInput(replace(item, pointer=f"/{key}{item.pointer}") for item in error.problems)


def whole_of(request: Request, name: str, default: int, *, least: int = 0, most: int = 10**9) -> int:
    """Return the whole number that a query gives; raises InvalidInput."""
    text = request.query_params.get(name, str(default))
    if text.isascii() and text.isdigit() and len(text) <= len(str(most)) and least <= int(text) <= most:
        return int(text)
    raise InvalidInput([problem((name,), f"must be a whole number from {least} to {most}", value=text)])
