"""The Compare page: two to six answers, one of them the baseline. The address holds its whole state."""

from collections.abc import Sequence
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from frontend.charts.theme import themes
from frontend.compare.page import comparison_page
from frontend.site.automation import of_comparison
from frontend.site.base import back_to_list, page, person, tell_unknown, whole_number
from frontend.site.basket import basket_add, basket_shown
from planner import selectors, services
from planner.models import RunStatus
from planner.selectors import Subject
from planner.selectors.comparison import FEWEST, MOST

OFFERED = 20
"""Newest finished runs that an empty page offers."""


@require_safe
@page
def compare(request: HttpRequest) -> HttpResponse:
    """Compare the subjects ``id`` with the one at the place ``baseline``; ``all`` shows equal settings too.

    An address without any leads to what was put aside. Without a place the pinned baseline is taken where it is among
    them. A single subject is compared with the baseline of its application. With fewer than two subjects the page
    offers the newest runs; of more than six it takes the first six.
    """
    asked = request.GET
    held = basket_shown(request)
    if "id" not in asked and len(held) >= FEWEST:
        return redirect(_basket_address(held))
    keys = list(dict.fromkeys(asked.getlist("id")))
    if len(keys) > MOST:
        messages.error(request, f"At most {MOST} answers fit side by side; the first {MOST} are compared.")
    subjects = [selectors.subject_get(user=person(request), key=key) for key in keys[:MOST]]
    if len(subjects) == 1:
        subjects = [*_pinned_beside(request, subjects[0]), *subjects]
        keys = [subject.key for subject in subjects]
    if len(subjects) < FEWEST:
        return _empty(request, keys, held)
    tell_unknown(request, baseline=[str(place) for place in range(len(subjects))])
    place = whole_number(asked.get("baseline"))
    baseline = place if place is not None and place < len(subjects) else _pinned_place(request, subjects)
    queue = asked.get("queue", "")
    queues = selectors.queue_names(subjects)
    tell_unknown(request, queue=queues)
    known = queue in queues
    found = selectors.compared(subjects=subjects, baseline=baseline, queue=queue if known else "")
    context = comparison_page(found, only_differing="all" not in asked)
    more = {
        "themes": themes(),
        "section": "compare",
        "query": _query(keys[:MOST]),
        "basket": held,
        "basket_address": _basket_address(held),
        "spellings": of_comparison(request, keys[:MOST], baseline),
    }
    return render(request, "frontend/compare/page.html", {**context, **more})


@require_safe
@page
def compare_progress(request: HttpRequest) -> HttpResponse:
    """Where the runs of the comparison stand; when all are over the page loads itself again."""
    keys = request.GET.getlist("id")[:MOST]
    subjects = [selectors.subject_get(user=person(request), key=key) for key in keys]
    waiting = [subject for subject in subjects if subject.run and not subject.run.final]
    context = {"waiting": waiting, "query": _query(keys)}
    response = render(request, "frontend/compare/waiting.html", context)
    if not waiting:
        response["HX-Refresh"] = "true"
    return response


@require_POST
@page
def compare_run(request: HttpRequest) -> HttpResponse:
    """Start the runs that are missing and come back to the same comparison: its address is in the form."""
    keys = request.POST.getlist("id")[:MOST]
    for key in keys:
        subject = selectors.subject_get(user=person(request), key=key)
        if subject.run is None:
            services.run_start(version=subject.version, owner=person(request))
    kept = [(name, request.POST[name]) for name in ("baseline", "queue", "all") if name in request.POST]
    return redirect(f"{reverse('compare')}?{_query(keys, kept)}")


@require_POST
@page
def compare_chosen(request: HttpRequest) -> HttpResponse:
    """Go from the scenarios that were chosen in the table to their comparison; one alone joins what was put aside."""
    keys = request.POST.getlist("scenario")
    if len(keys) == 1:
        keys = basket_add(request, keys)
        if len(keys) < FEWEST:
            messages.success(request, "One answer is put aside to compare; choose another one.")
            return back_to_list(request)
    if not FEWEST <= len(keys) <= MOST:
        messages.error(request, f"Choose two to six scenarios to compare; {len(keys)} are chosen.")
        return back_to_list(request)
    return redirect(f"{reverse('compare')}?{_query(keys)}")


def _pinned_place(request: HttpRequest, subjects: Sequence[Subject]) -> int:
    versions = [subject.version.pk for subject in subjects]
    pinned = selectors.pinned_versions(user=person(request), version_ids=versions)
    return next((place for place, version in enumerate(versions) if version in pinned), 0)


def _pinned_beside(request: HttpRequest, subject: Subject) -> list[Subject]:
    """The baseline of the subject's application, where that is another version."""
    found = selectors.baseline_of(user=person(request), scenario=subject.version.scenario)
    if found is None or found.version_id == subject.version.pk:
        return []
    key = f"{found.version.scenario_id}:{found.version.number}"
    return [selectors.subject_get(user=person(request), key=key)]


def _empty(request: HttpRequest, keys: Sequence[str], held: Sequence[tuple[str, str]]) -> HttpResponse:
    runs = selectors.runs_list(user=person(request), status=RunStatus.SUCCEEDED)[:OFFERED]
    chosen = keys or [key for key, _ in held]
    context = {"runs": runs, "chosen": chosen, "section": "compare", "basket": held}
    return render(request, "frontend/compare/empty.html", context)


def _basket_address(held: Sequence[tuple[str, str]]) -> str:
    return f"{reverse('compare')}?{_query([key for key, _ in held])}"


def _query(keys: Sequence[str], more: Sequence[tuple[str, str]] = ()) -> str:
    return urlencode([*(("id", key) for key in keys), *more])
