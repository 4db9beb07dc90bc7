"""Export: the settings that differ from what is installed, as scripts with an undo part, in the vendor's formats."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from frontend.answers.sweeps import point_label
from frontend.site.base import asked_version, form_page, person, whole_number
from frontend.wording.numbers import TEXTS, change_rows
from planner import selectors, services
from planner.configuration.exporting import SettingChange, Written, script_bytes, scripts_of
from planner.models import Run, Scenario, ScenarioVersion
from planner.web.downloads import saved_as
from simulations.declarations.problems import InvalidInput
from simulations.declarations.texts import is_below, keys_in
from simulations.experiment.names import setting_at
from simulations.experiment.words import setting_title
from simulations.scenario.spec import ScenarioSpec

TITLES = TEXTS["script_formats"]
"""Formats in the order in which they are offered; others follow under their own names."""


@dataclass(frozen=True)
class Asked:
    """What the address asks for; ``only`` is None until somebody has chosen among the changes."""

    point: int | None
    since: int
    only: tuple[str, ...] | None
    format: str


@form_page
def run_export(request: HttpRequest, run: Run) -> HttpResponse:
    """Show or hand out the scripts for a run's settings."""
    return _answer(request, run.version, run)


@form_page
def scenario_export(request: HttpRequest, scenario: Scenario) -> HttpResponse:
    """Show or hand out the scripts for a version's settings, without a run behind them."""
    return _answer(request, asked_version(request, scenario), None)


def _answer(request: HttpRequest, version: ScenarioVersion, run: Run | None) -> HttpResponse:
    values = request.POST if request.method == "POST" else request.GET
    only = tuple(values.getlist("only")) if "chosen" in values else None
    point, since = whole_number(values.get("point")), whole_number(values.get("since"))
    asked = Asked(point, 1 if since is None else since, only, values.get("format", ""))
    if request.method == "POST":
        return _file(request, version, run, asked)
    return _page(request, version, run, asked)


def _page(request: HttpRequest, version: ScenarioVersion, run: Run | None, asked: Asked) -> HttpResponse:
    spec = (run or version).parsed
    every, problem = _written(version, run, asked, None)
    paths = [change.path for change in every.changes]
    only = paths if asked.only is None else [path for path in asked.only if path in paths]
    written, _ = _written(version, run, asked, only) if only != paths else (every, "")
    names = sorted(written.scripts, key=lambda name: list(TITLES).index(name) if name in TITLES else len(TITLES))
    offered = [(name, TITLES.get(name, name)) for name in names]
    shown = asked.format if asked.format in written.scripts else next((name for name, _ in offered), "")
    points = selectors.run_points(run=run) if run is not None else ()
    context = {
        "scenario": version.scenario,
        "version": version,
        "run": run,
        "spec": spec,
        "points": [(item.index, point_label(spec, item)) for item in points] if len(points) > 1 else [],
        "asked": asked,
        "versions": selectors.versions_list(scenario=version.scenario)[:100],
        "problem": problem,
        "changes": list(_rows(spec, every.changes, only)),
        "chosen": only,
        "formats": offered,
        "shown": shown,
        "title": TITLES.get(shown, shown),
        "scripts": written.scripts.get(shown, ()),
        "refused": [(TITLES.get(name, name), reasons) for name, reasons in written.refused.items() if reasons],
        "scenario_hash": (run or version).content_hash,
    }
    return render(request, "frontend/configuration/export.html", context)


def _written(
    version: ScenarioVersion, run: Run | None, asked: Asked, only: Sequence[str] | None
) -> tuple[Written, str]:
    """All formats and what is wrong: settings of another platform cannot be led over into these."""
    try:
        found = services.export_written(version=version, run=run, point=asked.point, since=asked.since, only=only)
    except InvalidInput as error:
        return Written((), {}), error.problems[0].message
    return found, ""


def _file(request: HttpRequest, version: ScenarioVersion, run: Run | None, asked: Asked) -> HttpResponse:
    """Store the export and hand out one of its files: ``part`` is ``apply`` or ``undo`` and the script's number."""
    part, _, index = request.POST.get("part", "").partition(":")
    if part not in ("apply", "undo"):
        raise Http404("a script has the parts apply and undo")
    written, _ = _written(version, run, asked, asked.only)
    try:
        script = scripts_of(written, asked.format)[int(index or "0")]
        services.export_store(
            owner=person(request), version=version, run=run, wanted_format=asked.format, written=written
        )
    except (InvalidInput, ValueError, IndexError) as error:
        raise Http404("there is no such script") from error
    own = PurePosixPath(script.filename).name
    name = own if part == "apply" else f"undo-{own}"
    content = script_bytes(asdict(script), part)
    return HttpResponse(content, content_type="application/octet-stream", headers=saved_as(name))


def _rows(spec: ScenarioSpec, changes: Sequence[SettingChange], chosen: Sequence[str]) -> Iterator[dict[str, Any]]:
    rows = change_rows(spec, ((change.path, change.before, change.after) for change in changes))
    for change in changes:
        item = setting_at(spec, change.path)
        mine = [("" if at == change.path else title, ends) for at, title, ends in rows if is_below(at, change.path)]
        before, after = ("; ".join(f"{title} {ends[end]}".strip() for title, ends in mine) for end in range(2))
        yield {
            "path": change.path,
            "title": item.declaration.title if item else setting_title(spec, change.path),
            "entity": keys_in(change.path)[1],
            "before": before,
            "after": after,
            "chosen": change.path in chosen,
        }
