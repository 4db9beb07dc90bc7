"""Service accounts as bodies."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from planner.api.schemas.common import In, Out


class ServiceAccountIn(In):
    """A new service account."""

    name: Annotated[str, Field(min_length=1, max_length=100)]
    """Small letters, digits and hyphens; its user is called ``service-`` and this."""
    purpose: Annotated[str, Field(max_length=500)] = ""


class ServiceAccountOut(Out):
    """A program that calls the API in its own name."""

    id: str
    name: str
    username: str
    """The name under which the audit trail lists what it does."""
    purpose: str
    created_by: str
    created_at: datetime
    disabled_at: datetime | None


class ServiceAccountsPage(Out):
    """One page of service accounts."""

    items: list[ServiceAccountOut]
    next: str | None
