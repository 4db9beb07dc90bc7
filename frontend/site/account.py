"""Settings behind the avatar: API tokens."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from frontend.site.base import page, person
from planner import selectors, services
from planner.models.access import Scope
from simulations.declarations.problems import InvalidInput


@require_http_methods(["GET", "HEAD", "POST"])
@page
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
        "scopes": [(scope.value, _MEANING[scope]) for scope in Scope],
        "secret": secret,
        "problem": problem,
        "section": "account",
    }
    return render(request, "frontend/site/tokens.html", context, status=status)


@require_POST
@page
def token_revoke(request: HttpRequest, token_id: str) -> HttpResponse:
    """End a token now."""
    token = selectors.token_get(user=person(request), token_id=token_id)
    services.token_revoke(token=token)
    messages.success(request, f"{token.name} no longer opens anything.")
    return redirect("tokens")


_MEANING = {
    Scope.READ: "read scenarios, runs and reports",
    Scope.WRITE: "change scenarios",
    Scope.RUN: "start, pause and cancel runs",
    Scope.EXPORT: "download reports and scripts",
    Scope.ADMIN: "manage tokens and webhooks",
}
