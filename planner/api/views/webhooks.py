"""Webhooks: where to tell what happened, and what was told."""

from typing import ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import ApiView, answer, read_body
from planner.api.examples import WEBHOOK_EXAMPLES
from planner.api.paging import listed
from planner.api.schemas.webhooks import (
    DeliveriesPage,
    DeliveryOut,
    NewWebhookOut,
    WebhookIn,
    WebhookOut,
    WebhooksPage,
)
from planner.models import Delivery, DeliveryStatus, Webhook


class WebhooksView(ApiView):
    """Webhooks."""

    scopes: ClassVar = {"GET": "admin", "POST": "admin"}

    @extend_schema(operation_id="webhooks", responses=WebhooksPage)
    def get(self, request: Request) -> HttpResponse:
        """List the caller's webhooks, deactivated ones included; secrets are stored nowhere."""
        return listed(request, selectors.webhooks_list(user=request.user), WebhooksPage, _out)

    @extend_schema(
        operation_id="webhook_create", request=WebhookIn, responses={201: NewWebhookOut}, examples=WEBHOOK_EXAMPLES
    )
    def post(self, request: Request) -> HttpResponse:
        """Make a webhook. Its secret is shown this once, so an Idempotency-Key has no effect here."""
        asked = read_body(request, WebhookIn)
        issued = services.webhook_create(owner=self.caller, url=asked.url, events=asked.events)
        headers = {"Location": f"/api/v1/webhooks/{issued.webhook.pk}", "Cache-Control": "no-store"}
        return answer(NewWebhookOut(secret=issued.secret, webhook=_out(issued.webhook)), 201, headers)


class WebhookView(ApiView):
    """One webhook."""

    scopes: ClassVar = {"GET": "admin", "DELETE": "admin"}

    @extend_schema(operation_id="webhook", responses=WebhookOut)
    def get(self, request: Request, webhook_id: str) -> HttpResponse:
        """Show a webhook, and why it was deactivated if it was."""
        return answer(_out(selectors.webhook_get(user=request.user, webhook_id=webhook_id)))

    @extend_schema(operation_id="webhook_delete", responses={204: None})
    def delete(self, request: Request, webhook_id: str) -> HttpResponse:
        """End a webhook; what is still on its way to it is not delivered."""
        found = selectors.webhook_get(user=request.user, webhook_id=webhook_id)
        services.webhook_delete(webhook=found, actor=self.caller)
        return HttpResponse(status=204)


class WebhookActivateView(ApiView):
    """Another chance."""

    scopes: ClassVar = {"POST": "admin"}

    @extend_schema(operation_id="webhook_activate", request=None, responses=WebhookOut)
    def post(self, request: Request, webhook_id: str) -> HttpResponse:
        """Let a deactivated webhook try again, for events from now on; an active one stays as it is."""
        found = selectors.webhook_get(user=request.user, webhook_id=webhook_id)
        return answer(_out(services.webhook_activate(webhook=found, actor=self.caller)))


class DeliveriesView(ApiView):
    """What was told."""

    scopes: ClassVar = {"GET": "admin"}

    @extend_schema(operation_id="webhook_deliveries", responses=DeliveriesPage)
    def get(self, request: Request, webhook_id: str) -> HttpResponse:
        """List the deliveries to a webhook, newest first, each with its attempts and what went wrong."""
        found = selectors.webhook_get(user=request.user, webhook_id=webhook_id)
        return listed(request, selectors.webhook_deliveries(webhook=found), DeliveriesPage, _delivery)


def _out(webhook: Webhook) -> WebhookOut:
    return WebhookOut(
        id=webhook.pk,
        url=webhook.url,
        events=webhook.events,
        active=webhook.disabled_at is None,
        disabled_reason=webhook.disabled_reason,
        failures=webhook.failures,
        created_at=webhook.created_at,
    )


def _delivery(row: Delivery) -> DeliveryOut:
    return DeliveryOut(
        id=row.pk,
        event=row.event,
        target=row.target,
        status=row.status,
        attempts=row.attempts,
        answered=row.answered,
        problem=row.problem,
        due_at=row.due_at if row.status == DeliveryStatus.PENDING else None,
        created_at=row.created_at,
        finished_at=row.finished_at,
    )
