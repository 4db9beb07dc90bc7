"""Import: files or pasted text become a scenario; the page of an import shows what became of every element."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from frontend.configuration.sent_files import problem_lines, uploads_sent
from frontend.site.base import done, form_page, get_page, person
from frontend.wording.texts import TEXTS
from frontend.wording.workload import UNKNOWN_LOAD
from planner import services
from planner.configuration.importing import STATUSES, account_counts
from planner.configuration.reading_apart import uploads_read
from planner.configuration.uploads import MAX_TOTAL_BYTES
from planner.models import Import
from simulations.declarations.problems import InvalidInput, Problem
from simulations.platforms import PLATFORMS


@form_page
def import_new(request: HttpRequest) -> HttpResponse:
    """Ask for files or text; what cannot be read is said with file and line, and the text stays."""
    if request.method != "POST":
        return _form(request, ())
    try:
        platform, name = request.POST.get("platform", ""), request.POST.get("name", "").strip()
        target = request.POST.get("target", "").strip()
        sent = uploads_read(uploads_sent(request), platform=platform, name=name, target=target)
        made = services.import_store(owner=person(request), files=sent.files, reading=sent.reading)
    except InvalidInput as error:
        return _form(request, error.problems)
    return done(request, f"{made.scenario.name} is stored.", "import", import_id=made.pk)


@get_page
def import_shown(request: HttpRequest, made: Import) -> HttpResponse:
    """Show the account: what needs a look first, what was ignored last."""
    context = {
        "made": made,
        "scenario": made.scenario,
        "files": made.files.all(),
        "groups": list(account_groups(made.account)),
        "sentences": account_sentences(made.account),
    }
    return render(request, "frontend/configuration/import.html", context)


def _form(request: HttpRequest, problems: Sequence[Problem]) -> HttpResponse:
    typed = {name: request.POST.get(name, "") for name in ("text", "text_name", "name", "platform", "target")}
    context = {"platforms": PLATFORMS.values(), "problems": problem_lines(problems), "most": MAX_TOTAL_BYTES, **typed}
    return render(request, "frontend/configuration/import_new.html", context, status=422 if problems else 200)


_MEANINGS = TEXTS["account_statuses"]
_OPEN = ("contradictory", "unresolved", "understood")


def account_groups(account: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the statuses that have lines, with these; ``opened`` when they are shown without asking."""
    for status in STATUSES:
        about = {"status": status, "title": status.capitalize(), "meaning": _MEANINGS[status]}
        lines = [line for line in account if line["status"] == status]
        if lines:
            yield {**about, "lines": lines, "opened": status in _OPEN}


def account_sentences(account: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return at most three sentences: what was understood, what needs a look, what is assumed."""
    counts = account_counts(account)
    taken, left, look = counts["understood"], counts["defaulted"], counts["contradictory"] + counts["unresolved"]
    elements = "1 element was" if taken == 1 else f"{taken} elements were"
    sentences = [f"{elements} understood, {counts['ignored']} ignored; nothing was dropped silently."]
    if look:
        named = [f"{counts[status]} {status}" for status in ("contradictory", "unresolved") if counts[status]]
        sentences.append(f"{look} {'needs' if look == 1 else 'need'} a look: {' and '.join(named)}.")
    settings = "1 setting is" if left == 1 else f"{left} settings are"
    placeholders = "Until then arrivals and onMessage times are placeholders."
    return (*sentences, f"{settings} in no file. {UNKNOWN_LOAD} {placeholders}")
