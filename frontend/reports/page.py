"""Reports drawn from their frozen payload: the page, and the same as one file that needs no network."""

import base64
import gzip
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import Any

import yaml
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from pydantic import TypeAdapter

from frontend.answers.assumptions import assumption_register, effects_by_path
from frontend.answers.point import Answer, point_answer
from frontend.answers.sentences import point_at
from frontend.answers.sweeps import answer_context
from frontend.answers.throttle_closeup import courses
from frontend.charts.panels import Courses
from frontend.charts.telemetry import checks_chart
from frontend.configuration.imports import drift_row
from frontend.reports import parts
from frontend.reports.decision import decision, judged_objectives, three_numbers, watched_metrics
from frontend.wording.numbers import change_rows, place_names, place_text
from planner.answers.summaries import summary_read
from planner.configuration.drift import DriftLine
from planner.errors import Conflict
from planner.models import Report, ReportState, RunKind
from planner.models.report import chain_holds
from planner.reports.checklist import checklist
from planner.reports.payload import choice_read, payload_read
from planner.selectors import StoredPoint
from simulations import ENGINE_VERSION
from simulations.analysis.estimates.summary import Derived
from simulations.experiment.turns import Turn
from simulations.experiment.words import setting_title
from simulations.platforms.shared.family import Claim
from simulations.scenario.spec import ScenarioSpec, parse

STYLES = (
    *(f"site/{name}.css" for name in ("tokens", "base", "layout", "components", "pages")),
    *("charts/charts.css", "charts/mechanism.css", "reports/report.css", "site/print.css"),
)
MODULES = ("charts/zoom.js", "charts/take.js", "charts/cursor.js", "charts/charts.js", "reports/report.js")
"""Modules of the file, in the order in which they start; they know each other by events alone."""
LARGEST = 2_500_000
"""Most bytes of the HTML file."""
COURSES = ("timeline", "threads", "tail")
"""Parts of a point that are courses over time, by far the largest."""
_FONT = re.compile(r'url\("\.\./fonts/([a-z.0-9-]+)"\)')
_DERIVED = TypeAdapter(list[Derived])
_CLAIMS = TypeAdapter(list[Claim])


def report_context(stored: Mapping[str, Any], *, queues: int | None = None) -> dict[str, Any]:
    """Return what the report's template needs, from the payload alone; charts of the first ``queues`` only."""
    payload = payload_read(stored)
    made = payload["reproduction"]
    spec = parse(made["spec"])
    summaries = (replace(summary_read(item["summary"]), index=at) for at, item in enumerate(payload["points"]))
    points = [StoredPoint(item.index, item.overrides, partial=False, summary=item) for item in summaries]
    choice = choice_read(payload, spec, points)
    setting = setting_title(spec, spec.sweep[0].path) if spec.sweep else ""
    answer = _answer(payload, spec, choice.chosen, queues) if choice.chosen else None
    told = answer_context(spec, points, choice.chosen, answer, setting, stored)
    scripted = payload["scripts"][0]["changes"] if payload["scripts"] else ()
    decided = decision(payload, spec, points, choice, next(iter(told["sentences"]), ""))
    return {
        **told,
        "payload": payload,
        "decision": decided,
        "numbers": three_numbers(spec, choice),
        "objectives": judged_objectives(spec, choice.chosen),
        "chosen": choice.chosen,
        "place": place_text(spec, choice.chosen.overrides) if choice.chosen else "",
        "reproduction": yaml.safe_dump(made["spec"], sort_keys=False, allow_unicode=True),
        "changed": any(row["changed"] for row in payload["settings"]),
        "scripted": change_rows(spec, map(itemgetter("path", "before", "after"), scripted)),
        "risks": parts.risks_of(answer, choice.chosen, decided.holds),
        "differences": [drift_row(DriftLine(**line)) for line in payload["drift"]["lines"]] if payload["drift"] else [],
        "watched": ", ".join(watched_metrics(spec, choice)),
        "axis_titles": place_names(spec, [axis.path for axis in spec.sweep]),
        **parts.change_table(payload, spec, points),
        **_evidence(payload, spec, points, told["turn"]),
    }


def _evidence(
    payload: Mapping[str, Any], spec: ScenarioSpec, points: Sequence[StoredPoint], turn: Turn | None
) -> dict[str, Any]:
    """What experiments, checks and the calibration say."""
    experiments = [parts.experiment_stored(body) for body in payload["experiments"]]
    hashes = {body["id"]: body["result_hash"] for body in payload["experiments"]}
    calibration = payload["calibration"]
    span = calibration["span"] if calibration else {"start": 0.0, "end": 0.0}
    shown = [parts.experiment_shown(item, hashes[item.run.pk]) for item in experiments]
    asked = {item.run.kind for item in experiments}
    return {
        "calibrated_seconds": span["end"] - span["start"],
        "headroom": next((item["sentences"][0] for item in shown if item["kind"] == RunKind.HEADROOM), ""),
        "experiments": shown,
        "missing": [text for kind, text in parts.MISSING.items() if kind not in asked],
        "turns": parts.turns_of(spec, turn, experiments),
        "assumptions": assumption_register(payload, effects_by_path(experiments)),
        "checks": parts.checks_told(spec, points, experiments),
        "validation_chart": checks_chart(calibration["checks"]) if calibration else None,
        "stress": checklist(payload, experiments=len(experiments)),
    }


def report_page(report: Report, *, queues: int | None = None) -> dict[str, Any]:
    """Return what the page and the file show: the payload, and the sign-off so far."""
    steps = list(report.steps.select_related("actor"))
    last = steps[-1] if steps else None
    return {
        **report_context(report.payload, queues=queues),
        "report": report,
        "steps": steps,
        "accepted": last if last and last.state == ReportState.SIGNED else None,
        "reviewed": any(step.state == ReportState.REVIEWED for step in steps),
        "chain_holds": chain_holds(report),
    }


def report_file(report: Report) -> bytes:
    """Return the report as one HTML file: styles, scripts, plotly.js (compressed) and the payload are inside.

    It is at most ``LARGEST`` bytes. Where it would be larger, the payload is compressed as well, then its courses over
    time are left out, then the charts of all queues but the first; the file says so. Raises Conflict where even that
    is too large.
    """
    for queues, ways in ((None, ("plain", "packed", "short")), (1, ("short",)), (0, ("short",))):
        context = report_page(report, queues=queues)
        for way in ways:
            content = _drawn({**context, "charts_of": queues, **_embedded(report.payload, way)})
            if len(content) <= LARGEST:
                return content
    raise Conflict("the report is too large for one HTML file of 2.5 MB; download the capsule, which holds its tables")


def _embedded(payload: Mapping[str, Any], way: str) -> dict[str, Any]:
    """The payload as the file holds it: plain JSON, or packed (gzip in base64), ``short`` without courses over time."""
    if way == "plain":
        return {"embedded": payload}
    held = payload
    if way == "short":
        points = [
            {**point, "summary": {name: item for name, item in point["summary"].items() if name not in COURSES}}
            for point in payload["points"]
        ]
        held = {**payload, "points": points}
    packed = gzip.compress(json.dumps(held, separators=(",", ":")).encode(), 9, mtime=0)
    return {"packed": _base64(packed), "left_out": way == "short"}


def _drawn(context: Mapping[str, Any]) -> bytes:
    drawn = {
        "styles": _styles(),
        "scripts": {name: _static(f"frontend/{name}").decode() for name in ("site/theme.js", *MODULES)},
        "modules": MODULES,
        "plotly": _plotly(),
    }
    return render_to_string("frontend/reports/file.html", {**context, **drawn}).encode()


def _answer(payload: Mapping[str, Any], spec: ScenarioSpec, point: StoredPoint, queues: int | None) -> Answer:
    stored = payload["points"][point.index]
    here = point_at(spec, point)
    stored_paths = point.summary.timeline
    same_engine = payload["reproduction"]["engine"] == ENGINE_VERSION
    return point_answer(
        here,
        point.summary,
        derived=_DERIVED.validate_python(stored["derived"]),
        claims=_CLAIMS.validate_python(stored["claims"]),
        courses=courses(here, point.summary) if same_engine else Courses(stored_paths, stored_paths),
        provenance="final",
        queues=[queue.name for queue in here.queues][:queues],
    )


@cache
def _styles() -> str:
    """All style sheets as one text, the typeface inside."""
    text = "\n".join(_static(f"frontend/{name}").decode() for name in STYLES)
    return _FONT.sub(
        lambda match: f"url(data:font/woff2;base64,{_base64(_static(f'frontend/fonts/{match[1]}'))})", text
    )


@cache
def _plotly() -> str:
    """plotly.js as base64 of gzip: 2.0 MB instead of 4.8 MB, unpacked by the browser."""
    return _base64(gzip.compress(_static("plotly/plotly.min.js"), 9, mtime=0))


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _static(name: str) -> bytes:
    path = finders.find(name)
    if not isinstance(path, str):
        raise FileNotFoundError(f"the static file {name} is missing")
    return Path(path).read_bytes()
