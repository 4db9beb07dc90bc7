"""Who is signed in, and settings behind the avatar: browsers, API tokens, webhooks with what was delivered to them.

Pages are for people who have signed in; a part of a page is refused where a whole page leads to the sign-in.
"""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from frontend.site.base import done, form_page, person, post_page
from frontend.wording.numbers import TEXTS
from planner import selectors, services
from planner.models import ApiToken, Webhook, WebhookEvent
from planner.services.rows import Issued
from simulations.declarations.problems import InvalidInput

SCOPES = TEXTS["token_scopes"]
"""Scope -> what it allows."""
WEBHOOK_STEPS: Mapping[str, tuple[Callable[..., object], str]] = {
    "delete": (services.webhook_delete, "Nothing is told to that address any more."),
    "activate": (services.webhook_activate, "It hears of what happens from now on."),
    "test": (services.webhook_send, "A test is on its way. Look again in a moment."),
    "redeliver": (services.webhook_send, "The event is on its way once more. Look again in a moment."),
}
LATEST = 10
"""Deliveries shown of each webhook; the API lists all."""


class SignedInMiddleware(LoginRequiredMiddleware):
    """Answer 401 to scripts (htmx, JSON): they would put the page of the sign-in into the page that asked."""

    def process_view(self, request: HttpRequest, *view: Any, **more: Any) -> HttpResponseBase | None:
        """Refuse what a script asks for, lead people to the sign-in and back; list the session of who is signed in."""
        services.session_note(request=request)
        refused = super().process_view(request, *view, **more)
        scripted = "HX-Request" in request.headers or request.headers.get("Accept") == "application/json"
        if refused is not None and scripted:
            return HttpResponse("Sign in first.", status=401, content_type="text/plain; charset=utf-8")
        if refused is not None and request.method == "POST":  # its address has no page to come back to
            return redirect_to_login(request.headers.get("Referer", "/"))
        return refused


@form_page
def sessions(request: HttpRequest) -> HttpResponse:
    """List where the person is signed in; sign out the browser that ``session`` names, without it all others."""
    listed = sorted(UserSession.objects.purge_and_list(person(request)), key=attrgetter("created_at"))
    if request.method != "POST":
        return render(request, "usersessions/usersession_list.html", {"sessions": listed})
    named = request.POST.get("session")
    ended = [one for one in listed if not one.is_current() and named in (None, str(one.pk))]
    for one in ended:
        services.session_end(session=one, actor=person(request))
    return done(request, f"Browsers signed out: {len(ended)}.", "usersessions_list")


@form_page
def tokens(request: HttpRequest) -> HttpResponse:
    """List the tokens; a new one is shown once, in the answer that makes it."""
    name, scopes = request.POST.get("name", "").strip()[:100] or "token", request.POST.getlist("scopes")
    made = _issued(request, services.token_create, name=name, scopes=scopes)
    context = {"tokens": selectors.tokens_list(user=person(request)), "scopes": SCOPES.items(), **made}
    return render(request, "frontend/site/tokens.html", context, status=422 if made["problems"] else 200)


@post_page
def token_revoke(request: HttpRequest, token: ApiToken) -> HttpResponse:
    """End a token now."""
    services.token_revoke(token=token)
    return done(request, f"{token.name} no longer opens anything.", "tokens")


@form_page
def webhooks(request: HttpRequest) -> HttpResponse:
    """List the webhooks with their latest deliveries; a new one's secret is shown once, in the answer that makes it."""
    url, events = request.POST.get("url", ""), request.POST.getlist("events")
    made = _issued(request, services.webhook_create, url=url.strip(), events=events)
    told = selectors.webhooks_told(user=person(request), latest=LATEST)
    context = {"webhooks": told, "events": WebhookEvent.values, "url": url if made["problems"] else "", **made}
    return render(request, "frontend/site/webhooks.html", context, status=422 if made["problems"] else 200)


def _issued(request: HttpRequest, make: Callable[..., Issued[Any]], **asked: Any) -> dict[str, Any]:
    """The secret of what a sent form makes, and what is wrong with the form."""
    try:
        secret = make(owner=person(request), **asked).secret if request.method == "POST" else ""
    except InvalidInput as error:
        return {"secret": "", "problems": [item.message for item in error.problems]}
    return {"secret": secret, "problems": []}


@post_page
def webhook_step(request: HttpRequest, webhook: Webhook, step: str, **sent: str) -> HttpResponse:
    """End a webhook, let a deactivated one try again, or send a test to it or again what was ``sent``."""
    change, text = WEBHOOK_STEPS[step]
    change(webhook=webhook, actor=person(request), **sent)
    return done(request, text, "webhooks")
