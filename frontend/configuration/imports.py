"""Files that were sent: they become a scenario, with an account of every element, or are compared with a version."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from frontend.configuration.sent_files import problem_lines, uploads_sent
from frontend.site.base import asked_version, done, form_page, get_page, person, reading
from frontend.wording.numbers import TEXTS, UNKNOWN_LOAD, setting_text
from planner import selectors, services
from planner.configuration.drift import Drift, DriftLine, drift_sent
from planner.configuration.importing import STATUSES, account_counts
from planner.configuration.reading_apart import uploads_read
from planner.configuration.uploads import MAX_TOTAL_BYTES
from planner.models import Import, Scenario
from simulations.declarations.declared import Setting
from simulations.declarations.problems import InvalidInput, Problem
from simulations.experiment.names import settings_in
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import ScenarioSpec

WORDS = {"changed": "changed", "missing": "missing in the files", "extra": "only in the files", "same": "the same"}


@form_page
def import_new(request: HttpRequest) -> HttpResponse:
    """Ask for files or text; what cannot be read is said with file and line, and the text stays."""
    problems: Sequence[Problem] = ()
    typed = {name: request.POST.get(name, "") for name in ("text", "text_name", "name", "platform", "target")}
    if request.method == "POST":
        asked = {name: typed[name].strip() for name in ("platform", "name", "target")}
        try:
            sent = uploads_read(uploads_sent(request), **asked)
            made = services.import_store(owner=person(request), files=sent.files, reading=sent.reading)
            return done(request, f"{made.scenario.name} is stored.", "import", import_id=made.pk)
        except InvalidInput as error:
            problems = error.problems
    context = {"platforms": PLATFORMS.values(), "problems": problem_lines(problems), "most": MAX_TOTAL_BYTES, **typed}
    return render(request, "frontend/configuration/import_new.html", context, status=422 if problems else 200)


@get_page
def import_shown(request: HttpRequest, made: Import) -> HttpResponse:
    """Show the account: what needs a look first, what was ignored last."""
    context = {
        "made": made,
        "scenario": made.scenario,
        "files": made.files.all(),
        "groups": list(account_groups(made.account, made.scenario.version.parsed)),
        "sentences": account_sentences(made.account),
    }
    return render(request, "frontend/configuration/import.html", context)


_MEANINGS = TEXTS["account_statuses"]
_OPEN = ("contradictory", "unresolved", "understood")


def account_groups(account: Sequence[Mapping[str, Any]], spec: ScenarioSpec) -> Iterator[dict[str, Any]]:
    """Yield the statuses that have lines, with these; ``opened`` when they are shown without asking. A setting of
    ``spec`` has the vendor's title, and its value its unit."""
    known = {item.path: item for item in settings_in(spec)}
    for status in STATUSES:
        about = {"status": status, "title": status.capitalize(), "meaning": _MEANINGS[status]}
        lines = [_titled(line, known.get(line["path"])) for line in account if line["status"] == status]
        if lines:
            yield {**about, "lines": lines, "opened": status in _OPEN}


def _titled(line: Mapping[str, Any], setting: Setting | None) -> Mapping[str, Any]:
    if setting is None:
        return line
    held = re.match(rf"{re.escape(repr(setting.value).removesuffix('.0'))}(\.0)?(?!\.?\d)", line["message"])
    shown = setting_text(setting.value, setting.declaration.unit, setting.declaration.quantity.unlimited)
    said = shown + line["message"][held.end() :] if held else line["message"]
    return {**line, "title": setting.declaration.title, "message": said}


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


@form_page
@reading
def scenario_drift(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """Ask for the files, then show what differs; what cannot be read is said with file and line."""
    version = asked_version(request, scenario)
    files: Mapping[str, bytes] = {}
    drift: Drift | None = None
    problems: Sequence[Problem] = ()
    if request.method == "POST":
        try:
            files, drift = drift_sent(version.parsed, uploads_sent(request), request.POST.get("target", "").strip())
        except InvalidInput as error:
            problems = error.problems
    context = {
        "scenario": scenario,
        "version": version,
        "versions": selectors.versions_list(scenario=scenario)[:100],
        "problems": problem_lines(problems),
        "text": request.POST.get("text", "") if problems else "",
        "target": request.POST.get("target", selectors.target_imported(scenario=scenario)),
        "text_name": request.POST.get("text_name", ""),
        "most": MAX_TOTAL_BYTES,
        "drift": drift,
        "files": list(files),
        "differences": [drift_row(line) for line in drift.differences] if drift else [],
        "same": [drift_row(line) for line in drift.lines if line.status == "same"] if drift else [],
    }
    return render(request, "frontend/configuration/drift.html", context, status=422 if problems else 200)


def drift_row(line: DriftLine) -> dict[str, Any]:
    """Return what the table shows of a line."""
    scenario, held = (setting_text(value, line.unit) for value in (line.scenario, line.file))
    if line.status == "changed" and scenario == held:
        scenario, held = (f"{value} {line.unit}" for value in (line.scenario, line.file))
    return {
        "line": line,
        "word": WORDS[line.status],
        "scenario": scenario if line.setting else "",
        "file": "" if not line.setting else "left out" if line.file is None and line.message else held,
    }
