"""Tokens, service accounts for administrators, and webhooks with their deliveries."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import ApiViewSet, Listed, Store, answer, idempotent
from planner.api.examples import WEBHOOK_EXAMPLES
from planner.api.reading import read_body
from planner.api.schemas import access as bodies
from planner.api.schemas.common import page_of
from planner.api.tagged import Tagged, guarded
from planner.models import ApiToken, ServiceAccount
from planner.models.access import Scope
from planner.selectors.owned import first_of
from planner.services.rows import Issued


class AdminViewSet(ApiViewSet):
    """Base of what needs the scope ``admin`` for everything."""

    scopes = dict.fromkeys(("GET", "POST", "DELETE"), "admin")

    def issued(self, make: Callable[..., Issued[ApiToken]], **whose: Any) -> HttpResponse:
        """Make the token that the body asks for, within what the caller's own allows, and answer with its secret."""
        within = self.request.auth.scopes if isinstance(self.request.auth, ApiToken) else Scope.values
        made = make(within=within, **dict(read_body(self.request, bodies.TokenIn)), **whose)
        return self.shown_once(made.row, bodies.NewTokenOut(secret=made.secret, token=bodies.TokenOut.of(made.row)))


class TokenViewSet(Listed, AdminViewSet):
    """The caller's tokens, revoked ones included; secrets are stored nowhere."""

    lookup_url_kwarg = "token_id"
    lister = selectors.tokens_list
    line = bodies.TokenOut

    @extend_schema(request=bodies.TokenIn, responses={201: bodies.NewTokenOut})
    def create(self, request: Request, **_: str) -> HttpResponse:
        """Create a token. Its secret is shown this once, so an Idempotency-Key has no effect here."""
        return self.issued(services.token_create, owner=self.caller)

    def destroy(self, request: Request, token_id: str, **_: str) -> None:
        """End a token now."""
        services.token_revoke(token=first_of(self.rows().filter(pk=token_id), "token", token_id), actor=self.caller)


class ManagedViewSet(AdminViewSet):
    """Refuses everybody who does not manage service accounts."""

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Check the caller; raises Forbidden."""
        super().initial(request, *args, **kwargs)
        if hasattr(self, str(request.method).lower()):
            services.service_manage_check(actor=self.caller)

    def get_object(self) -> ServiceAccount:
        """Return the account; raises NotFound."""
        return selectors.service_get(service_id=self.kwargs["service_id"])


class ServiceAccountViewSet(Tagged, ManagedViewSet):
    """All service accounts, disabled ones included."""

    lookup_url_kwarg = "service_id"
    sorts = ("-created_at", "name")
    line = body = bodies.ServiceAccountOut

    def rows(self) -> QuerySet[ServiceAccount]:
        """Return everybody's, which those who manage them share."""
        return selectors.services_list()

    @extend_schema(request=bodies.ServiceAccountIn)
    @idempotent
    def create(self, request: Request) -> Store:
        """Create a service account: a program with scenarios, runs and tokens of its own, that nobody logs in as."""
        body = read_body(request, bodies.ServiceAccountIn)
        return self.creates(services.service_create, self.body, actor=self.caller, **dict(body))

    @extend_schema(operation_id="service_account_disable")
    @guarded
    def destroy(self, request: Request, service_id: str) -> None:
        """End a service account with all its tokens; what it owns stays."""
        services.service_disable(account=self.get_object(), actor=self.caller)


class ServiceTokenViewSet(TokenViewSet, ManagedViewSet):
    """Tokens of a service account, revoked ones included; secrets are stored nowhere."""

    def rows(self) -> QuerySet[ApiToken]:
        """Return the account's."""
        return selectors.tokens_list(user=self.get_object().user)

    @extend_schema(request=bodies.TokenIn, responses={201: bodies.NewTokenOut})
    def create(self, request: Request, **_: str) -> HttpResponse:
        """Create a token that expires. Its secret is shown this once, so an Idempotency-Key has no effect here."""
        return self.issued(services.service_token_create, account=self.get_object(), actor=self.caller)


class WebhookViewSet(Tagged, AdminViewSet):
    """The caller's webhooks, deactivated ones included with the reason; secrets are stored nowhere."""

    lookup_url_kwarg = "webhook_id"
    selector = selectors.webhook_get
    lister = selectors.webhooks_list
    line = body = bodies.WebhookOut

    @extend_schema(request=bodies.WebhookIn, responses={201: bodies.NewWebhookOut}, examples=WEBHOOK_EXAMPLES)
    def create(self, request: Request) -> HttpResponse:
        """Create a webhook. Its secret is shown this once, so an Idempotency-Key has no effect here."""
        issued = services.webhook_create(owner=self.caller, **dict(read_body(request, bodies.WebhookIn)))
        return self.shown_once(issued.row, bodies.NewWebhookOut(secret=issued.secret, webhook=self.body.of(issued.row)))

    @extend_schema(operation_id="webhook_delete")
    @guarded
    def destroy(self, request: Request, webhook_id: str) -> None:
        """End a webhook; what is still on its way to it is not delivered."""
        services.webhook_delete(webhook=self.get_object(), actor=self.caller)

    @extend_schema(responses=bodies.WebhookOut)
    @action(detail=True, methods=["post"])
    @guarded
    def activate(self, request: Request, webhook_id: str) -> HttpResponse:
        """Let a deactivated webhook try again, for events from now on; an active one stays as it is."""
        return self.tagged(services.webhook_activate(webhook=self.get_object(), actor=self.caller))

    @extend_schema(responses=page_of(bodies.DeliveryOut))
    @action(detail=True)
    def deliveries(self, request: Request, webhook_id: str) -> HttpResponse:
        """List the deliveries to a webhook, newest first, each with its attempts and what went wrong."""
        return self.listed(self.get_object().deliveries.all(), bodies.DeliveryOut)

    @extend_schema(operation_id="webhook_test", responses={202: bodies.DeliveryOut})
    @deliveries.mapping.post
    def test(self, request: Request, webhook_id: str) -> HttpResponse:
        """Send the event ``webhook.test``, which no webhook has to ask for; 409 for a deactivated one."""
        return self._sent()

    @extend_schema(responses={202: bodies.DeliveryOut})
    @action(detail=True, methods=["post"], url_path="deliveries/<str:delivery_id>/redeliver")
    def redeliver(self, request: Request, webhook_id: str, delivery_id: str) -> HttpResponse:
        """Send a delivery that is over once more, with the same id and body; one that is under way stays as it is."""
        return self._sent(delivery_id)

    def _sent(self, delivery_id: str = "") -> HttpResponse:
        sent = services.webhook_send(webhook=self.get_object(), actor=self.caller, delivery_id=delivery_id)
        return answer(bodies.DeliveryOut.of(sent), 202)
