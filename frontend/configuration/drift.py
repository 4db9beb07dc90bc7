"""Drift: the files of a system that is in use against a version, setting by setting. Nothing is stored."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from frontend.configuration.sent_files import problem_lines, uploads_sent
from frontend.site.base import asked_version, form_page, reading
from frontend.wording.numbers import setting_text
from planner import selectors
from planner.configuration.drift import Drift, DriftLine, drift_sent
from planner.configuration.uploads import MAX_TOTAL_BYTES
from planner.models import Scenario, ScenarioVersion
from simulations.declarations.problems import InvalidInput, Problem

WORDS = {"changed": "changed", "missing": "missing in the files", "extra": "only in the files", "same": "the same"}


@form_page
@reading
def scenario_drift(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """Ask for the files, then show what differs; what cannot be read is said with file and line."""
    version = asked_version(request, scenario)
    if request.method != "POST":
        return _page(request, scenario, version)
    try:
        target = request.POST.get("target", "").strip()
        files, drift = drift_sent(version.parsed, uploads_sent(request), target)
    except InvalidInput as error:
        return _page(request, scenario, version, problems=error.problems)
    return _page(request, scenario, version, drift=drift, files=list(files))


def _page(
    request: HttpRequest,
    scenario: Scenario,
    version: ScenarioVersion,
    *,
    drift: Drift | None = None,
    files: Sequence[str] = (),
    problems: Sequence[Problem] = (),
) -> HttpResponse:
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
        "files": files,
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
