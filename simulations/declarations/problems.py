"""Errors that the user can fix: every wrong field at once, each with its place, its value and a remedy."""

import difflib
import types
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Annotated, Any, Literal, Self, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from simulations.declarations.texts import REMEDIES, WORDS, path_of

Body = TypeVar("Body", bound=BaseModel)
Location = tuple[int | str, ...]
MOST_TOLD = 100
"""Problems in one answer: a small body with a hundred thousand wrong values must not make a large one."""
NO_BOOLEAN = "write a number; true and false are none"
LONGEST_WORD = 100
"""Letters of a misspelled word that are compared with known ones: comparing takes longer the longer it is."""


@dataclass(frozen=True)
class Problem:
    """One wrong field. ``pointer`` is a JSON pointer into the body that was sent, ``path`` the same with names."""

    pointer: str
    path: str
    code: str
    message: str
    value: str = ""


class InvalidInput(ValueError):
    """Raised with all problems of an input, or the first MOST_TOLD of more; the text lists one per line."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = _told(problems)
        super().__init__("\n".join(f"{item.path or 'input'}: {item.message}" for item in self.problems))

    @classmethod
    def at(cls, location: Location, message: str, **about: Any) -> Self:
        """Return the error of one problem, made as ``problem`` makes it."""
        return cls([problem(location, message, **about)])


def _told(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    found = tuple(islice(problems, MOST_TOLD + 1))
    if len(found) <= MOST_TOLD:
        return found
    more = Problem("", "", "more", f"more than {MOST_TOLD} values are wrong; mend these first")
    return (*found[:MOST_TOLD], more)


def problem(
    location: Location, message: str, *, code: str = "invalid", value: object = None, data: Any = None
) -> Problem:
    """Return a Problem at ``location`` (keys and indices) of ``data``, the body as it was sent."""
    return Problem(
        pointer=pointer_of(location),
        path=_named_path(location, data),
        code=code,
        message=message,
        value="" if value is None else short(value),
    )


def pointer_of(location: Location) -> str:
    """Return the JSON pointer to ``location``."""
    return "".join(f"/{str(key).replace('~', '~0').replace('/', '~1')}" for key in location)


def problems_of(error: ValidationError, model: type[BaseModel], data: Any) -> tuple[Problem, ...]:
    """Translate pydantic's errors; unknown keys name the nearest known key."""
    found = error.errors(include_url=False)
    places = [item["loc"] for item in found]
    return _told(_translate(item, model, data) for item in found if not _follows(item, places))


def validated(model: type[Body], data: Any, found: Sequence[Problem] = ()) -> Body:
    """Return ``data`` as a model; raises InvalidInput with what was ``found`` before and every other wrong value."""
    known = {item.pointer for item in found}
    try:
        read = model.model_validate(data)
    except ValidationError as error:
        others = [item for item in problems_of(error, model, data) if item.pointer not in known]
        raise InvalidInput([*found, *others]) from error
    if found:
        raise InvalidInput(found)
    return read


def _follows(error: Any, places: list[Location]) -> bool:
    """True for "too few items" where the items are there but wrong themselves: those errors are listed already."""
    here = error["loc"]
    return error["type"] == "too_short" and any(len(p) > len(here) and p[: len(here)] == here for p in places)


def nearest(word: str, known: Sequence[str]) -> str:
    """Return a remedy: the nearest known word, or all of them."""
    close = difflib.get_close_matches(word[:LONGEST_WORD], known, n=1)
    return f"did you mean {short(close[0])}?" if close else f"known here: {', '.join(map(_cut, known)) or 'nothing'}"


def worded(error: Any) -> str:
    """Return what we say instead of pydantic's words about one of its errors, without the value."""
    known = WORDS.get(error["type"])
    return known.format(**error.get("ctx", {})) if known else str(error["msg"]).removeprefix("Value error, ")


def _translate(error: Any, model: type[BaseModel], data: Any) -> Problem:
    location, known = _walk(error["loc"], model)
    code, value = error["type"], error.get("input")
    about = error.get("ctx", {})
    said = worded(error)
    if isinstance(value, str) and value.endswith("%") and about.get("le") == 1:
        said = "must be at most 100 %"
    message = REMEDIES.get(about.get("pattern", ""), said)
    if code == "extra_forbidden":
        message = f"unknown key {short(location[-1])}; {nearest(str(location[-1]), known)}"
        value = None
    elif code == "missing":
        message, value = "is missing; give it a value", None
    elif value == "":
        message = "must not be empty; enter a value"
    elif isinstance(value, dict | list | None):
        value = None
    elif not isinstance(value, str) or short(value) not in message:
        message = f"{message} (got {short(value)})"
    return problem(location, message, code=code, value=value, data=data)


def _walk(loc: Location, model: type[BaseModel]) -> tuple[Location, list[str]]:
    """Drop pydantic's union tags from ``loc`` and list the keys known where it ends."""
    kept: list[int | str] = []
    types_here: list[Any] = [model]
    known: list[str] = []
    for key in loc:
        models = [item for item in types_here if isinstance(item, type) and issubclass(item, BaseModel)]
        tagged = [item for item in models if "kind" in item.model_fields and item.model_fields["kind"].default == key]
        if tagged and len(models) > 1:
            types_here = tagged
            continue
        keys = keys_of(models)
        tags_plain_value = 0 < len(models) < len(types_here) and key not in keys
        is_mapping = any(get_origin(item) is dict for item in types_here)
        if isinstance(key, str) and (tags_plain_value or (not models and not is_mapping)):
            continue
        known = keys
        kept.append(key)
        types_here = _all_below(types_here, key)
    return tuple(kept), known


@cache
def _fields(model: type[BaseModel]) -> dict[str | None, list[Any]]:
    """The possible types of each field of a model, by its name and by its alias."""
    fields = model.model_fields.items()
    return {key: _members(field.annotation) for name, field in fields for key in (name, field.alias)}


def _below(annotation: Any, key: int | str) -> list[Any]:
    """The possible types of ``annotation[key]``."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return _fields(annotation).get(str(key), [Any] if annotation.model_config.get("extra") == "allow" else [])
    if annotation is Any:
        return [Any]
    if get_origin(annotation) is Literal:
        return []
    arguments = [item for item in get_args(annotation) if item is not Ellipsis]
    return [member for item in arguments for member in _members(item)]


def types_at(model: type[BaseModel], location: Location) -> list[Any]:
    """Return the types that the value at ``location`` of ``model`` may be of; none where nothing can lie there."""
    types_here: list[Any] = [model]
    for key in location:
        types_here = _all_below(types_here, key)
    return types_here


def boolean_problems(data: Any, model: type[BaseModel]) -> list[Problem]:
    """Return a problem for each true or false of a body where ``model`` asks for a number: it would count as 1 or 0."""
    places = islice(_booleans(data, [model], ()), MOST_TOLD + 1)
    return [problem(place, NO_BOOLEAN, code="boolean", value=value, data=data) for place, value in places]


def _booleans(value: Any, types_here: list[Any], location: Location) -> Iterator[tuple[Location, bool]]:
    if isinstance(value, bool):
        if asks_number(types_here):
            yield location, value
    elif isinstance(value, dict) and Any not in types_here:
        for key, inner in value.items():
            if isinstance(inner, bool | dict | list | tuple):
                yield from _booleans(inner, _all_below(types_here, key), (*location, key))
    elif isinstance(value, list | tuple) and Any not in (items := _all_below(types_here, 0)):
        for index, inner in enumerate(value):
            yield from _booleans(inner, items, (*location, index))


def _all_below(types_here: list[Any], key: int | str) -> list[Any]:
    return [part for item in types_here for part in _below(item, key)]


def asks_number(types_here: list[Any]) -> bool:
    """Whether values of these types may be numbers, but neither true nor false."""
    return any(item in (int, float) for item in types_here) and not any(item in (bool, Any) for item in types_here)


def keys_of(types_here: Iterable[Any]) -> list[str]:
    """Return the keys that the models among the types know, as they are written."""
    models = [item for item in types_here if isinstance(item, type) and issubclass(item, BaseModel)]
    return sorted({field.alias or name for model in models for name, field in model.model_fields.items()})


def _members(annotation: Any) -> list[Any]:
    """Members of a union, without None and Annotated wrappers."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _members(get_args(annotation)[0])
    if origin in (Union, types.UnionType):
        return [member for part in get_args(annotation) if part is not type(None) for member in _members(part)]
    return [annotation]


def _named_path(location: Location, data: Any) -> str:
    parts: list[str] = []
    here = data
    for key in location:
        try:
            here = here[key]
        except (KeyError, IndexError, TypeError):
            here = None
        name = here.get("name") if isinstance(key, int) and isinstance(here, dict) else None
        parts.append(str(name if isinstance(name, str) else key))
    return path_of(*parts)


def short(value: object) -> str:
    """Return the value as messages repeat it, however long it is."""
    return _cut(repr(value))


def _cut(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."
