"""The Compare page: two to six answers, one of them the baseline. The address holds its whole state.

Answers are put aside for it, and versions pinned as baselines.
"""

from collections.abc import Sequence
from urllib.parse import urlencode

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from frontend.compare.page import comparison_page
from frontend.site import base
from frontend.site.automation import of_comparison
from frontend.site.basket import basket_add, basket_keys, basket_remove, basket_shown
from planner import selectors, services
from planner.answers.choice import asked_queue
from planner.models import Baseline, RunStatus, Scenario
from planner.selectors import Subject
from planner.selectors.comparison import FEWEST, MOST

OFFERED = 20
"""Newest finished runs that an empty page offers."""


@base.get_page
def compare(request: HttpRequest) -> HttpResponse:
    """Compare the subjects ``id`` with the one at the place ``baseline``; ``all`` shows equal settings too.

    An address without any leads to what was put aside. Without a place the pinned baseline is taken where it is among
    them. A single subject is compared with the baseline of its application. With fewer than two subjects the page
    offers the newest runs; of more than six it takes the first six.
    """
    asked = request.GET
    held = basket_shown(request)
    if "id" not in asked and len(held) >= FEWEST:
        return redirect(_address([key for key, _ in held]))
    keys = list(dict.fromkeys(asked.getlist("id")))
    if len(keys) > MOST:
        messages.error(request, f"At most {MOST} answers fit side by side; the first {MOST} are compared.")
    subjects = [selectors.subject_get(user=base.person(request), key=key) for key in keys[:MOST]]
    if len(subjects) == 1:
        subjects = [*_pinned_beside(request, subjects[0]), *subjects]
        keys = [subject.key for subject in subjects]
    if len(subjects) < FEWEST:
        return _empty(request, keys, held)
    base.tell_unknown(request, baseline=[str(place) for place in range(len(subjects))])
    place = base.whole_number(asked.get("baseline"))
    baseline = place if place is not None and place < len(subjects) else _pinned_place(request, subjects)
    queue = asked.get("queue", asked_queue(subjects[baseline].spec))
    queues = selectors.queue_names(subjects)
    base.tell_unknown(request, queue=queues)
    known = queue in queues
    comparison = selectors.compared(subjects=subjects, baseline=baseline, queue=queue if known else "")
    context = comparison_page(comparison, only_differing="all" not in asked)
    more = {
        "query": urlencode({"id": keys[:MOST]}, doseq=True),
        "basket": held,
        "basket_address": _address([key for key, _ in held]),
        "spellings": of_comparison(request, keys[:MOST], baseline),
    }
    return render(request, "frontend/compare/page.html", {**context, **more})


@base.get_page
def compare_progress(request: HttpRequest) -> HttpResponse:
    """Where the runs of the comparison stand; when all are over the page loads itself again."""
    keys = request.GET.getlist("id")[:MOST]
    subjects = [selectors.subject_get(user=base.person(request), key=key) for key in keys]
    waiting = [subject for subject in subjects if subject.run and not subject.run.final]
    context = {"waiting": waiting, "query": urlencode({"id": keys}, doseq=True)}
    response = render(request, "frontend/compare/waiting.html", context)
    if not waiting:
        response["HX-Refresh"] = "true"
    return response


@base.post_page
def compare_run(request: HttpRequest) -> HttpResponse:
    """Start all runs that are missing, or none, and come back to the same comparison: its address is in the form."""
    keys = request.POST.getlist("id")[:MOST]
    subjects = [selectors.subject_get(user=base.person(request), key=key) for key in keys]
    missing = [subject.version for subject in subjects if subject.run is None]
    base.role_checks(request, *(version.scenario for version in missing))
    starts = [services.run_prepare(version=version, owner=base.person(request)) for version in missing]
    with transaction.atomic():
        for start in starts:
            start()
    kept = {name: request.POST[name] for name in ("baseline", "queue", "all") if name in request.POST}
    return redirect(_address(keys, **kept))


@base.post_page
def compare_chosen(request: HttpRequest) -> HttpResponse:
    """Go from the scenarios that were chosen in the table to their comparison; one alone joins what was put aside."""
    keys = request.POST.getlist("scenario")
    if len(keys) == 1:
        keys = basket_add(request, keys)
        if len(keys) < FEWEST:
            base.tell_done(request, "One answer is ready to compare; choose another one.")
            return base.back_to_list(request)
    if not FEWEST <= len(keys) <= MOST:
        messages.error(request, f"Choose two to six scenarios to compare; {len(keys)} are chosen.")
        return base.back_to_list(request)
    return redirect(_address(keys))


@base.post_page
def basket(request: HttpRequest) -> HttpResponse:
    """Put answers aside or take them out: ``action`` is add, remove or empty, ``id`` or ``scenario`` names them. The
    answer is the button that does the opposite, for the page to put in place, or the page that was left."""
    keys, action = [*request.POST.getlist("id"), *request.POST.getlist("scenario")], request.POST.get("action")
    if action not in ("add", "remove", "empty"):
        raise Http404("this can be done to no basket")
    change = basket_add if action == "add" else basket_remove
    held = change(request, basket_keys(request) if action == "empty" else keys)
    if request.headers.get("HX-Request"):
        context = {"basket_key": keys[0] if keys else "", "in_basket": bool(keys) and keys[0] in held, "swapped": True}
        return render(request, "frontend/compare/basket_toggle.html", context)
    if action == "add" and not keys:
        messages.error(request, "Choose at least one scenario.")
    else:
        base.tell_done(request, _basket_text(len(held)))
    return base.back_to_list(request)


@base.post_page
def baseline_pin(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """Make the form's version the baseline of the scenario's application."""
    version = base.asked_version(request, scenario)
    pinned = services.baseline_pin(owner=base.person(request), version=version)
    address = reverse("workbench", args=[scenario.pk], query={"version": version.number})
    return base.done(request, f"Version {version.number} is the baseline of {pinned.application} now.", address)


@base.post_page
def baseline_unpin(request: HttpRequest, baseline: Baseline) -> HttpResponse:
    """Take a baseline off and show its scenario."""
    services.baseline_unpin(baseline=baseline, actor=base.person(request))
    text = f"{baseline.application} has no baseline any more."
    return base.done(request, text, "workbench", scenario_id=baseline.version.scenario_id)


def _pinned_place(request: HttpRequest, subjects: Sequence[Subject]) -> int:
    versions = [subject.version.pk for subject in subjects]
    pinned = selectors.pinned_versions(user=base.person(request), version_ids=versions)
    return next((place for place, version in enumerate(versions) if version in pinned), 0)


def _pinned_beside(request: HttpRequest, subject: Subject) -> list[Subject]:
    """The baseline of the subject's application, where that is another version."""
    pinned = selectors.baseline_of(user=base.person(request), scenario=subject.version.scenario)
    if pinned is None or pinned.version_id == subject.version.pk:
        return []
    key = f"{pinned.version.scenario_id}:{pinned.version.number}"
    return [selectors.subject_get(user=base.person(request), key=key)]


def _empty(request: HttpRequest, keys: Sequence[str], held: Sequence[tuple[str, str]]) -> HttpResponse:
    runs = selectors.runs_list(user=base.person(request)).filter(status=RunStatus.SUCCEEDED)[:OFFERED]
    context = {"runs": runs, "chosen": keys or [key for key, _ in held], "basket": held}
    return render(request, "frontend/compare/empty.html", context)


def _address(keys: Sequence[str], **more: str) -> str:
    return reverse("compare", query={"id": keys, **more})


def _basket_text(count: int) -> str:
    if count < 2:
        return f"{'One answer is' if count else 'Nothing is'} ready to compare; a comparison needs two to six."
    return f"{count} answers are ready to compare: see Compare above."
