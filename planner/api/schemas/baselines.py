"""Baselines as bodies."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from planner.api.schemas.common import In, Out
from planner.models.baseline import APPLICATION_LENGTH


class BaselineIn(In):
    """The version that changes of an application are compared with."""

    scenario: str
    """Id of the scenario."""
    version: Annotated[int, Field(ge=1)] | None = None
    """Number of the version; the current one when left out."""
    application: Annotated[str, Field(max_length=APPLICATION_LENGTH)] = ""
    """The scenario's name, which it is when left out, or one of its tags: then for all scenarios with that tag."""


class BaselineOut(Out):
    """A pinned version and the newest run that answers for it."""

    id: str
    application: str
    scenario: str
    scenario_name: str
    version: int
    content_hash: str
    run: str | None
    """Finished where there is a finished one; null when nothing of this content was run."""
    run_status: str | None
    pinned_at: datetime


class BaselinesPage(Out):
    """One page of baselines."""

    items: list[BaselineOut]
    next: str | None
