"""Webhooks behind the avatar: where Sluice tells what happened, and whether it arrived."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from frontend.site.base import page, person
from planner import selectors, services
from planner.models import WebhookEvent
from simulations.declarations.problems import InvalidInput

LATEST = 10
"""Deliveries shown of each webhook; the API lists all."""


@require_http_methods(["GET", "HEAD", "POST"])
@page
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
        "section": "account",
    }
    return render(request, "frontend/site/webhooks.html", context, status=status)


@require_POST
@page
def webhook_delete(request: HttpRequest, webhook_id: str) -> HttpResponse:
    """End a webhook."""
    found = selectors.webhook_get(user=person(request), webhook_id=webhook_id)
    services.webhook_delete(webhook=found, actor=person(request))
    messages.success(request, "Nothing is told to that address any more.")
    return redirect("webhooks")


@require_POST
@page
def webhook_activate(request: HttpRequest, webhook_id: str) -> HttpResponse:
    """Let a deactivated webhook try again."""
    found = selectors.webhook_get(user=person(request), webhook_id=webhook_id)
    services.webhook_activate(webhook=found, actor=person(request))
    messages.success(request, "It hears of what happens from now on.")
    return redirect("webhooks")
