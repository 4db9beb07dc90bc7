"""Webhooks as bodies."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from planner.api.schemas.common import In, Out
from planner.models.webhook import ADDRESS_LENGTH


class WebhookIn(In):
    """Where to tell what happened."""

    url: Annotated[str, Field(min_length=1, max_length=ADDRESS_LENGTH)]
    """An https:// address on a public machine."""
    events: Annotated[tuple[str, ...], Field(max_length=20)] = ()
    """Any of run.succeeded, run.failed, run.cancelled, the same of experiment, and report.signed; all when left out."""


class WebhookOut(Out):
    """A webhook without its secret."""

    id: str
    url: str
    events: list[str]
    active: bool
    disabled_reason: str
    """Why it was deactivated, in words."""
    failures: int
    """Failed attempts since the last delivery."""
    created_at: datetime


class NewWebhookOut(Out):
    """A webhook with its secret, which is shown this once."""

    secret: str
    """Key of the HMAC-SHA256 in the header ``Sluice-Signature`` of each delivery."""
    webhook: WebhookOut


class WebhooksPage(Out):
    """One page of webhooks."""

    items: list[WebhookOut]
    next: str | None


class DeliveryOut(Out):
    """One event on its way to a webhook."""

    id: str
    event: str
    target: str
    """Id of the run, experiment or report."""
    status: str
    """pending, delivered or failed."""
    attempts: int
    answered: int | None
    """Status of the last answer; null without one."""
    problem: str
    """What went wrong the last time."""
    due_at: datetime | None
    """When the next attempt may begin."""
    created_at: datetime
    finished_at: datetime | None


class DeliveriesPage(Out):
    """One page of deliveries."""

    items: list[DeliveryOut]
    next: str | None
