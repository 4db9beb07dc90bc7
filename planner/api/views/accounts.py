"""Service accounts and their tokens, for administrators."""

from typing import ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import ApiView, Store, answer, idempotent, read_body
from planner.api.paging import listed
from planner.api.schemas.access import NewTokenOut, TokenIn, TokensPage
from planner.api.schemas.accounts import ServiceAccountIn, ServiceAccountOut, ServiceAccountsPage
from planner.api.schemas.written import token_out
from planner.models import ServiceAccount


class ManagedView(ApiView):
    """Refuses everybody who does not manage service accounts."""

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Check the caller; raises Forbidden."""
        super().initial(request, *args, **kwargs)
        if hasattr(self, str(request.method).lower()):
            services.service_manage_check(actor=self.caller)


class ServiceAccountsView(ManagedView):
    """Service accounts."""

    scopes: ClassVar = {"GET": "admin", "POST": "admin"}

    @extend_schema(operation_id="service_accounts", responses=ServiceAccountsPage)
    def get(self, request: Request) -> HttpResponse:
        """List all service accounts, disabled ones included."""
        return listed(request, selectors.services_list(), ServiceAccountsPage, _out, sorts=("-created_at", "name"))

    @extend_schema(operation_id="service_account_create", request=ServiceAccountIn, responses={201: ServiceAccountOut})
    @idempotent
    def post(self, request: Request) -> Store:
        """Make a service account: a program with scenarios, runs and tokens of its own, that nobody logs in as."""
        asked = read_body(request, ServiceAccountIn)

        def store() -> HttpResponse:
            made = services.service_create(actor=self.caller, name=asked.name, purpose=asked.purpose)
            return answer(_out(made), 201, {"Location": f"/api/v1/service-accounts/{made.pk}"})

        return store


class ServiceAccountView(ManagedView):
    """One service account."""

    scopes: ClassVar = {"GET": "admin", "DELETE": "admin"}

    @extend_schema(operation_id="service_account", responses=ServiceAccountOut)
    def get(self, request: Request, service_id: str) -> HttpResponse:
        """Show a service account."""
        return answer(_out(selectors.service_get(service_id=service_id)))

    @extend_schema(operation_id="service_account_disable", responses={204: None})
    def delete(self, request: Request, service_id: str) -> HttpResponse:
        """End a service account with all its tokens; what it owns stays."""
        services.service_disable(account=selectors.service_get(service_id=service_id), actor=self.caller)
        return HttpResponse(status=204)


class ServiceTokensView(ManagedView):
    """Tokens of a service account."""

    scopes: ClassVar = {"GET": "admin", "POST": "admin"}

    @extend_schema(operation_id="service_tokens", responses=TokensPage)
    def get(self, request: Request, service_id: str) -> HttpResponse:
        """List the account's tokens, revoked ones included; secrets are stored nowhere."""
        account = selectors.service_get(service_id=service_id)
        return listed(request, selectors.service_tokens(account=account), TokensPage, token_out)

    @extend_schema(operation_id="service_token_create", request=TokenIn, responses={201: NewTokenOut})
    def post(self, request: Request, service_id: str) -> HttpResponse:
        """Make a token that expires. Its secret is shown this once, so an Idempotency-Key has no effect here."""
        asked = read_body(request, TokenIn)
        issued = services.service_token_create(
            account=selectors.service_get(service_id=service_id),
            actor=self.caller,
            name=asked.name,
            scopes=asked.scopes,
            expires_at=asked.expires_at,
        )
        body = NewTokenOut(secret=issued.secret, token=token_out(issued.token))
        address = f"/api/v1/service-accounts/{service_id}/tokens/{issued.token.pk}"
        return answer(body, 201, {"Location": address, "Cache-Control": "no-store"})


class ServiceTokenView(ManagedView):
    """One token of a service account."""

    scopes: ClassVar = {"DELETE": "admin"}

    @extend_schema(operation_id="service_token_revoke", responses={204: None})
    def delete(self, request: Request, service_id: str, token_id: str) -> HttpResponse:
        """End a token now."""
        user = selectors.service_get(service_id=service_id).user
        services.token_revoke(token=selectors.token_get(user=user, token_id=token_id), actor=self.caller)
        return HttpResponse(status=204)


def _out(account: ServiceAccount) -> ServiceAccountOut:
    return ServiceAccountOut(
        id=account.pk,
        name=account.name,
        username=account.user.get_username(),
        purpose=account.purpose,
        created_by=account.created_by.get_username(),
        created_at=account.created_at,
        disabled_at=account.disabled_at,
    )
