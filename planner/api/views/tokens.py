"""API tokens."""

from typing import ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import ApiView, answer, read_body
from planner.api.paging import listed
from planner.api.schemas.access import NewTokenOut, TokenIn, TokensPage
from planner.api.schemas.written import token_out


class TokensView(ApiView):
    """Tokens."""

    scopes: ClassVar = {"GET": "admin", "POST": "admin"}

    @extend_schema(operation_id="tokens", responses=TokensPage)
    def get(self, request: Request) -> HttpResponse:
        """List the caller's tokens, revoked ones included; secrets are stored nowhere."""
        return listed(request, selectors.tokens_list(user=request.user), TokensPage, token_out)

    @extend_schema(operation_id="token_create", request=TokenIn, responses={201: NewTokenOut})
    def post(self, request: Request) -> HttpResponse:
        """Make a token. Its secret is shown this once, so an Idempotency-Key has no effect here."""
        asked = read_body(request, TokenIn)
        issued = services.token_create(
            owner=self.caller, name=asked.name, scopes=asked.scopes, expires_at=asked.expires_at
        )
        body = NewTokenOut(secret=issued.secret, token=token_out(issued.token))
        headers = {"Location": f"/api/v1/tokens/{issued.token.pk}", "Cache-Control": "no-store"}
        return answer(body, 201, headers)


class TokenView(ApiView):
    """One token."""

    scopes: ClassVar = {"DELETE": "admin"}

    @extend_schema(operation_id="token_revoke", responses={204: None})
    def delete(self, request: Request, token_id: str) -> HttpResponse:
        """End a token now."""
        services.token_revoke(token=selectors.token_get(user=request.user, token_id=token_id))
        return HttpResponse(status=204)
