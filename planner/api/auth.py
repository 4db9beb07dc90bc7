"""Who calls: a token's owner or somebody signed in; what they may do, and how often."""

import time
from contextlib import suppress
from ipaddress import ip_address, ip_network
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from planner import services
from planner.models import ApiToken
from planner.web.counters import counted

SCHEME = "Bearer"


class TokenAuthentication(BaseAuthentication):
    """``Authorization: Bearer slc_…``."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return owner and token, or None to let the session decide; raises AuthenticationFailed."""
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != SCHEME.lower():
            return None
        token = services.token_use(secret=secret.strip())
        if token is None:
            raise AuthenticationFailed("the token is unknown, expired or revoked; make a new one")
        return token.owner, token

    def authenticate_header(self, request: Request) -> str:
        """Name the scheme in a 401."""
        return f'{SCHEME} realm="sluice"'


class ScopePermission(BasePermission):
    """Denies what a view's ``scopes`` do not allow: method -> the scope a token needs. People with a session have every
    scope. A method without an entry is refused to everybody."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether the caller may use this method; methods that do not exist pass, to be answered with 405."""
        if not request.user.is_authenticated:
            return False
        method = "GET" if request.method == "HEAD" else str(request.method)
        if not hasattr(view, method.lower()) or method == "OPTIONS":
            return True
        scope = view.scopes.get(method)
        if scope is None:
            return False
        self.message = f"the token lacks the scope {scope!r}; use one that has it, or make one"
        return not isinstance(request.auth, ApiToken) or scope in request.auth.scopes


class MetricsPermission(ScopePermission):
    """Nobody but administrators, service accounts and the networks that the installation names. A scope alone is not
    enough: people may give themselves any."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether the caller may read about the whole installation."""
        address, networks = str(request.META.get("REMOTE_ADDR", "")), settings.ENVIRONMENT.metrics_networks
        with suppress(ValueError):  # who comes by a socket has no address
            if any(ip_address(address) in ip_network(network) for network in networks):
                return True
        trusted = request.user.is_staff or hasattr(request.user, "service_account")
        return super().has_permission(request, view) and (trusted or request.method != "GET")


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the OpenAPI document describes tokens."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """HTTP bearer."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token with scopes: a personal one from POST /tokens, or a service account's.",
        }


WINDOW = 60
"""Seconds after which counting begins anew."""


class ApiThrottle(BaseThrottle):
    """Enough for a slider that asks twenty times a second, and an end to endless loops."""

    most = 3000
    """Requests of one caller in one window."""

    def allow_request(self, request: Request, view: Any) -> bool:
        """Count the request and say whether it is within the limit; the answer has the limit in its headers."""
        user = request.user
        window, passed = divmod(time.time(), WINDOW)
        caller = f"user-{user.pk}" if user.is_authenticated else str(request.META.get("REMOTE_ADDR", ""))
        self._left = WINDOW - passed
        asked = counted(f"asked:{caller}:{window:.0f}", seconds=2 * WINDOW)
        view.headers |= {
            "RateLimit-Limit": str(self.most),
            "RateLimit-Remaining": str(max(0, self.most - asked)),
            "RateLimit-Reset": str(max(1, round(self._left))),
        }
        return asked <= self.most

    def wait(self) -> float:
        """Return the seconds until the next window."""
        return self._left
