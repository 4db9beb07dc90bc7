"""Import: files or pasted text become a scenario; the page of an import shows what became of every element."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from frontend.configuration.import_account import account_groups, account_sentences
from frontend.configuration.sent_files import problem_lines, uploads_sent
from frontend.site.base import done, form_page, get_page, person
from planner import services
from planner.configuration.reading_apart import uploads_read
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
    context = {"platforms": PLATFORMS.values(), "problems": problem_lines(problems), **typed}
    return render(request, "frontend/configuration/import_new.html", context, status=422 if problems else 200)
