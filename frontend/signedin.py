"""Pages are for people who have signed in; a part of a page is refused where a whole page leads to the sign-in."""

from typing import Any

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpResponse, HttpResponseBase
from django.http.request import HttpRequest


class SignedInMiddleware(LoginRequiredMiddleware):
    """Answer 401 to scripts (htmx, JSON): they would put the page of the sign-in into the page that asked."""

    def handle_no_permission(self, request: HttpRequest, view_func: Any) -> HttpResponseBase:
        """Refuse what a script asks for, lead people to the sign-in."""
        if request.headers.get("HX-Request") or request.headers.get("Accept") == "application/json":
            return HttpResponse("Sign in first.", status=401, content_type="text/plain; charset=utf-8")
        return super().handle_no_permission(request, view_func)
