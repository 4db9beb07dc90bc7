"""Tokens, service accounts and webhooks: who calls, and who is called."""

from datetime import UTC, datetime
from typing import Annotated, ClassVar

from pydantic import AfterValidator, AwareDatetime, Field

from planner.api.schemas.common import In, Out, Stored
from planner.models.access import ADDRESS_LENGTH, DeliveryStatus, Scope, WebhookEvent

ScopeName = Annotated[str, Field(json_schema_extra={"enum": Scope.values})]
EventName = Annotated[str, Field(json_schema_extra={"enum": WebhookEvent.values})]
"""Described here and checked with everything else by the services."""


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("lies outside the years 1 to 9999") from None


class TokenIn(In):
    """A new token."""

    name: Annotated[str, Field(min_length=1, max_length=100)]
    scopes: Annotated[tuple[ScopeName, ...], Field(max_length=10)]
    """With a token none that it lacks itself."""
    expires_at: Annotated[AwareDatetime, AfterValidator(_in_utc)] | None = None


class TokenOut(Stored):
    """A token without its secret."""

    name: str
    prefix: str
    scopes: list[ScopeName]
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


class NewTokenOut(Out):
    """A token with its secret, which is shown this once."""

    secret: str
    token: TokenOut


class ServiceAccountIn(In):
    """A new service account."""

    name: Annotated[str, Field(min_length=1, max_length=100)]
    """Small letters, digits and hyphens; its user is called ``service-`` and this."""
    purpose: Annotated[str, Field(max_length=500)] = ""


class ServiceAccountOut(Stored):
    """A program that calls the API in its own name."""

    name: str
    username: str
    """The name under which the audit trail lists what it does."""
    purpose: str
    created_by: str
    disabled_at: datetime | None
    sources: ClassVar = {"username": "user.username", "created_by": "created_by.username"}


class WebhookIn(In):
    """Where to tell what happened."""

    url: Annotated[str, Field(min_length=1, max_length=ADDRESS_LENGTH)]
    """An https:// address on a public machine."""
    events: Annotated[tuple[EventName, ...], Field(max_length=20)] = ()
    """All when left out."""


class WebhookOut(Stored):
    """A webhook without its secret."""

    url: str
    events: list[EventName]
    active: bool
    disabled_reason: str
    """Why it was deactivated, in words."""
    failures: int
    """Failed attempts since the last delivery."""
    team: str | None
    """The team whose runs and reports it hears of; null: its owner's own."""
    sources: ClassVar = {"team": "team_id"}


class NewWebhookOut(Out):
    """A webhook with its secret, which is shown this once."""

    secret: str
    """Key of the HMAC-SHA256 in the header ``Sluice-Signature`` of each delivery."""
    webhook: WebhookOut


class DeliveryOut(Stored):
    """One event on its way to a webhook."""

    event: str
    target: str
    """Id of the run, experiment or report."""
    status: DeliveryStatus
    attempts: int
    answered: int | None
    """Status of the last answer; null without one."""
    problem: str
    """What went wrong the last time."""
    due_at: datetime | None
    """When the next attempt may begin."""
    finished_at: datetime | None
    sources: ClassVar = {"due_at": "next_at"}
