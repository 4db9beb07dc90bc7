"""Settings behind the avatar: browsers, API tokens, and webhooks with what was delivered to them."""

from operator import attrgetter

from allauth.usersessions.models import UserSession
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from frontend.site.base import done, form_page, person, post_page
from frontend.wording.texts import TEXTS
from planner import selectors, services
from planner.models import ApiToken, Webhook, WebhookEvent
from simulations.declarations.problems import InvalidInput

SCOPES = TEXTS["token_scopes"]
"""Scope -> what it allows."""
WEBHOOK_STEPS = {
    "delete": (services.webhook_delete, "Nothing is told to that address any more."),
    "activate": (services.webhook_activate, "It hears of what happens from now on."),
}
LATEST = 10
"""Deliveries shown of each webhook; the API lists all."""


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
    secret, problem, status = "", "", 200
    if request.method == "POST":
        try:
            issued = services.token_create(
                owner=person(request),
                name=request.POST.get("name", "").strip()[:100] or "token",
                scopes=request.POST.getlist("scopes"),
            )
            secret = issued.secret
        except InvalidInput as error:
            problem, status = error.problems[0].message, 422
    context = {
        "tokens": selectors.tokens_list(user=person(request)),
        "scopes": SCOPES.items(),
        "secret": secret,
        "problem": problem,
    }
    return render(request, "frontend/site/tokens.html", context, status=status)


@post_page
def token_revoke(request: HttpRequest, token: ApiToken) -> HttpResponse:
    """End a token now."""
    services.token_revoke(token=token)
    return done(request, f"{token.name} no longer opens anything.", "tokens")


@form_page
def webhooks(request: HttpRequest) -> HttpResponse:
    """List the webhooks with their latest deliveries; a new one's secret is shown once, in the answer that makes it."""
    secret, problems, status = "", [], 200
    if request.method == "POST":
        try:
            url, events = request.POST.get("url", "").strip(), request.POST.getlist("events")
            secret = services.webhook_create(owner=person(request), url=url, events=events).secret
        except InvalidInput as error:
            problems, status = [item.message for item in error.problems], 422
    context = {
        "webhooks": selectors.webhooks_told(user=person(request), latest=LATEST),
        "events": WebhookEvent.values,
        "url": request.POST.get("url", "") if problems else "",
        "secret": secret,
        "problems": problems,
    }
    return render(request, "frontend/site/webhooks.html", context, status=status)


@post_page
def webhook_step(request: HttpRequest, webhook: Webhook, step: str) -> HttpResponse:
    """End a webhook, or let a deactivated one try again."""
    change, text = WEBHOOK_STEPS[step]
    change(webhook=webhook, actor=person(request))
    return done(request, text, "webhooks")
