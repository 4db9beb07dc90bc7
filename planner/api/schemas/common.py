"""Bases and the parts that many bodies share."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, ClassVar, Generic, Self, TypeVar

from drf_spectacular.utils import extend_schema_serializer
from pydantic import BaseModel, ConfigDict, Field
from pydantic.dataclasses import dataclass

from planner.answers import values
from planner.answers.values import EstimateOut as EstimateOut
from planner.answers.values import FindingOut as FindingOut


class In(BaseModel):
    """A body that is sent: unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)


class OfVersion(In):
    """A body about one version of a scenario."""

    version: Annotated[int, Field(ge=1)] | None = None
    """Number of the version; the current one when left out."""


documented = dataclass(frozen=True, config=ConfigDict(extra="forbid", use_attribute_docstrings=True))
"""Of a body with the very fields of a dataclass, from which it is derived."""


@extend_schema_serializer(many=False)
class Out(values.Out):
    """A body that is answered, also by a list: its pages are objects."""

    sources: ClassVar[Mapping[str, str]] = {}
    """Field -> where the row has it, through other rows with dots; a field without an entry is called the same."""

    @classmethod
    def further(cls, rows: Sequence[Any]) -> list[dict[str, Any]]:
        """Return of each row the fields that it does not have itself, with few queries for all of them."""
        return [{} for _ in rows]

    @classmethod
    def of(cls, row: Any, **more: Any) -> Self:
        """Return a stored row's body: every field is in ``more`` or read from the row; null where a row is missing."""
        return cls._with(row, {**cls.further([row])[0], **more})

    @classmethod
    def all_of(cls, rows: Sequence[Any]) -> list[Self]:
        """Return the bodies of the rows of one page."""
        return [cls._with(row, more) for row, more in zip(rows, cls.further(rows), strict=True)]

    @classmethod
    def _with(cls, row: Any, more: Mapping[str, Any]) -> Self:
        names = cls.model_fields.keys() - more.keys()
        return cls(**{name: _read(row, cls.sources.get(name, name)) for name in names}, **more)


def _read(row: Any, path: str) -> Any:
    for name in path.split("."):
        row = None if row is None else getattr(row, name)
    return row


class Stored(Out):
    """What is stored, and since when."""

    id: str
    created_at: datetime


class Named(Out):
    """What has a name, changes, and can be archived."""

    id: str
    name: str
    archived: bool
    updated_at: datetime


Item = TypeVar("Item", bound=Out)


class Page(Out, Generic[Item], use_attribute_docstrings=False):
    """One page of a list."""

    items: list[Item]
    next: str | None


def page_of(line: type[Item]) -> type[Page[Item]]:
    """Return the body of one page of such lines."""
    return Page.__class_getitem__(line)  # type: ignore[return-value]


class FieldProblem(Out):
    """One wrong field."""

    pointer: str
    """JSON pointer into the body that was sent."""
    path: str
    """The same with the names of servers and queues."""
    code: str
    message: str
    """What is wrong and what to do."""
    value: str
    allowed: str
    source: str
    """The document that states the limit."""


class ProblemOut(BaseModel):
    """RFC 9457 problem details."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str
    instance: str
    errors: list[FieldProblem] = []
