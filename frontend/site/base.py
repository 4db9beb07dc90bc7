"""What the views share."""

from collections.abc import Callable, Collection, Iterable
from functools import partial, wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.text import capfirst

from frontend.charts.chart import Chart
from frontend.site.json_text import json_or_text
from frontend.wording.numbers import problem_text
from planner import selectors, services
from planner.errors import Conflict, Forbidden, NotFound, Stale, Throttled, Unavailable
from planner.models import Role, Scenario, ScenarioVersion
from planner.web.problems import RETRY_SECONDS, STATUS_OF, refusal
from simulations.declarations.problems import InvalidInput
from simulations.scenario.spec import ScenarioSpec

_ASKED = {"p": "percentile", "baseline": "a baseline at place"}
"""What parameters of addresses are called, where their names are no words."""
View = Callable[..., HttpResponse]
"""A view of a request, with further arguments from the address."""
_CALLED = {"experiment": "run", "import": "made"}
"""What the views call the thing that an id names, where that is not the name of the id."""


def person(request: HttpRequest) -> User:
    """Return who is signed in; the middleware lets nobody else come here."""
    if not isinstance(request.user, User):
        raise Http404
    return request.user


def page(view: View, *, methods: Collection[str]) -> View:
    """Read what the address names, and turn errors into answers: not yours 404, not now 503, a conflict a message.

    So does what a form's values refuse, where the view itself has no better place to say it. Other ``methods`` are
    refused.
    """

    @wraps(view)
    def answer(request: HttpRequest, /, **address: Any) -> HttpResponse:
        if request.method not in methods:
            allowed, form = ", ".join(methods), "it takes what a form sends; open the page with the form again"
            refused = refusal(request, 405, f"it answers {allowed} only" if "GET" in methods else form)
            refused["Allow"] = allowed
            return refused
        try:
            named = dict(_read(request, key, value) for key, value in address.items())
            if request.method == "POST" and not getattr(view, "reads", False):
                role_checks(request, *named.values())
            return view(request, **named)
        except NotFound as error:
            raise Http404(str(error)) from error
        except (Conflict, Forbidden, Stale, Throttled, Unavailable) as error:
            return _refused(request, error)
        except InvalidInput as error:
            if request.method != "POST":
                raise
            messages.error(request, "; ".join(problem_text(item) for item in error.problems) + ".")
            return _back(request, request.headers.get("Referer", ""))

    return answer


def _refused(request: HttpRequest, error: Exception) -> HttpResponse:
    """Say why: to scripts as JSON (202 where they ask again), to people where they asked, or on a page of its own."""
    is_script, reason = request.headers.get("Accept") == "application/json", str(error).rstrip(".")
    if isinstance(error, Conflict | Stale) and not is_script:
        messages.error(request, f"{capfirst(reason)}.")
        return _back(request, request.headers.get("Referer", ""))
    status = next(status for kind, status in STATUS_OF if isinstance(error, kind))
    status = 202 if is_script and isinstance(error, Unavailable) else status
    return refusal(request, status, reason, wait=getattr(error, "wait", RETRY_SECONDS))


def _read(request: HttpRequest, key: str, value: Any) -> tuple[str, Any]:
    """What the address says under a key as the views take it; of an id like ``run_id``, what ``run_get`` finds."""
    name = key.removesuffix("_id")
    get = getattr(selectors, f"{name}_get", None) if name != key else None
    return (key, value) if get is None else (_CALLED.get(name, name), get(user=person(request), **{key: value}))


def role_checks(request: HttpRequest, *things: Any) -> None:
    """Raise Forbidden unless the person may change all of the rows among these things."""
    for thing in things:
        if isinstance(thing, Model):
            selectors.role_check(thing, Role.PLANNER, user=person(request))


def reading(view: View) -> View:
    """Mark a view whose POST changes nothing that it names, such as a copy: whoever sees the thing may."""
    view.reads = True  # type: ignore[attr-defined]
    return view


get_page = partial(page, methods=("GET", "HEAD"))
"""Lets a view answer GET and HEAD; errors become answers as in ``page``."""
post_page = partial(page, methods=("POST",))
"""Lets a view answer POST; errors become answers as in ``page``."""
form_page = partial(page, methods=("GET", "HEAD", "POST"))
"""Lets a view show a form and take it; errors become answers as in ``page``."""


def whole_number(text: str | None) -> int | None:
    """Return a number of at most nine digits, None for any other text."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None


def asked_version(request: HttpRequest, scenario: Scenario) -> ScenarioVersion:
    """Return the version named in the form or else in the address, the current one where none is named."""
    number = whole_number(request.POST.get("version") or request.GET.get("version"))
    return selectors.version_get(scenario=scenario, number=number)


def tell_unknown(request: HttpRequest, **known: Collection[str]) -> None:
    """Say which values in the address are none of the ``known`` ones of their parameter; the page goes without them."""
    for name, values in known.items():
        wrong = [value for value in request.GET.getlist(name) if value and value not in values]
        if wrong:
            asked = ", ".join(value[:40] for value in wrong)
            messages.warning(request, f"The address asks for what is not there: {_ASKED.get(name, name)} {asked}.")


def cure_of(request: HttpRequest) -> dict[str, Any]:
    """Return the overrides of a rule's cure, which the button of its card sends as JSON; none without one. Raises
    InvalidInput for anything else."""
    text = request.POST.get("fix", "")
    cure = json_or_text(text) if text else {}
    if not isinstance(cure, dict):
        raise InvalidInput.at(("fix",), "this is no cure of a rule")
    return cure


def run_changed(request: HttpRequest, scenario: Scenario, spec: ScenarioSpec, *, note: str) -> HttpResponse:
    """Save ``spec`` as the newest version, run it and go there; the page offers to undo the version. Raises
    InvalidInput, and then nothing is saved."""
    with transaction.atomic():
        saved = services.scenario_replace(scenario=scenario, author=person(request), spec=spec, note=note)
        started = services.run_start(version=saved.version, owner=person(request))
    tell_equal(request, started)
    text, undo = f"{capfirst(note)}, as version {saved.version.number}.", version_undo(scenario, saved)
    return done(request, text, "run", undo=undo, run_id=started.run.pk)


def version_undo(scenario: Scenario, saved: Scenario) -> str:
    """Return the address that brings back the version before a scenario was saved; empty where nothing had changed."""
    left = scenario.version
    return reverse("version-restore", args=[scenario.pk, left.number]) if left.pk != saved.version.pk else ""


def tell_equal(request: HttpRequest, started: services.Started) -> None:
    """Say in which scenario the answer had been simulated before, where an equal run is the answer."""
    if started.cached:
        tell_done(request, f"This was simulated before, in {started.run.version.scenario.name}.")


def tell_done(request: HttpRequest, text: str, *, undo: str = "") -> None:
    """Say what was done; ``undo`` is the address that the message's button posts to."""
    messages.success(request, text, extra_tags=f"undo:{undo}" if undo else "")


def done(request: HttpRequest, text: str, page: str, *, undo: str = "", **address: Any) -> HttpResponse:
    """Say what was done, as ``tell_done`` does, and lead to a page: its name with what its address names, or that."""
    tell_done(request, text, undo=undo)
    return redirect(resolve_url(page, **address))


def back_to_list(request: HttpRequest) -> HttpResponse:
    """Return to the table as it was shown: the form's ``next`` names the address with filters and page."""
    return _back(request, request.POST.get("next", ""))


def _back(request: HttpRequest, wanted: str) -> HttpResponse:
    """Return to an address of ours that the browser names, to the scenarios where it names none."""
    ours = "/" in wanted and url_has_allowed_host_and_scheme(wanted, allowed_hosts={request.get_host()})
    return redirect(wanted if ours else "scenarios")


def painted(charts: Iterable[Chart], *, tables: bool = True) -> list[dict[str, Any]]:
    """Return the charts as data for a page that repaints them in place, with or without their tables."""
    return [
        {
            "key": chart.key,
            "sentence": chart.sentence,
            "figure": chart.figure,
            "table": render_to_string("frontend/answers/chart_table.html", {"chart": chart}) if tables else None,
        }
        for chart in charts
    ]
