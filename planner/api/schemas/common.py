"""Bases and the parts that many bodies share."""

from typing import Any

from pydantic import BaseModel, ConfigDict


class In(BaseModel):
    """A body that is sent: unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)


class Out(BaseModel):
    """A body that is answered."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


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


class EstimateOut(Out):
    """A number with its 95 % interval; null where there is none."""

    value: float | None
    ci95: tuple[float | None, float | None]
    unit: str
    origin: str
    """formula, simulated, measured or assumed."""


class FindingOut(Out):
    """The verdict of one rule."""

    rule: str
    status: str
    severity: str
    message: str
    queue: str
    source: str
    fix: dict[str, Any]
    """Scenario path -> value that cures it."""
    details: dict[str, float | None]
    cost: dict[str, EstimateOut]
