"""Bases and the parts that many bodies share."""

from pydantic import BaseModel, ConfigDict

from planner.answers.values import EstimateOut as EstimateOut
from planner.answers.values import FindingOut as FindingOut
from planner.answers.values import Out as Out


class In(BaseModel):
    """A body that is sent: unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)


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
