"""Pages are for people who have signed in; a part of a page is refused where a whole page leads to the sign-in."""

from typing import Any

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from planner import services


class SignedInMiddleware(LoginRequiredMiddleware):
    """Answer 401 to scripts (htmx, JSON): they would put the page of the sign-in into the page that asked."""

    def process_view(self, request: HttpRequest, *view: Any, **more: Any) -> HttpResponseBase | None:
        """Refuse what a script asks for, lead people to the sign-in; list the session of who is signed in."""
        services.session_note(request=request)
        refused = super().process_view(request, *view, **more)
        scripted = "HX-Request" in request.headers or request.headers.get("Accept") == "application/json"
        if refused is not None and scripted:
            return HttpResponse("Sign in first.", status=401, content_type="text/plain; charset=utf-8")
        return refused
