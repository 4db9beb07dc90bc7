"""Reports drawn from their frozen payload: the page, and the same as one file that needs no network."""

import base64
import gzip
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from pydantic import TypeAdapter

from frontend.answers import Answer, point_answer
from frontend.charts.theme import themes
from frontend.closeup import Courses, courses
from frontend.decision import assumptions, decision, judged_objectives
from frontend.marks import latency_objective
from frontend.results import chosen_point
from frontend.sentences import point_at, run_sentences
from frontend.settingnames import setting_titles
from frontend.sweeps import points_table, sweep_chart, sweep_details
from frontend.wording import setting_name, setting_text
from planner.models import Report
from planner.results import summary_read
from planner.selectors import StoredPoint
from planner.signing import chain_holds
from simulations import ENGINE_VERSION
from simulations.analysis.summary import Derived
from simulations.platforms.base import Claim
from simulations.scenario import ScenarioSpec, parse

STYLES = ("tokens", "base", "layout", "components", "pages", "charts", "report", "print")
MODULES = ("zoom.js", "take.js", "cursor.js", "charts.js", "report.js")
"""Modules of the file, in the order in which they start; they know each other by events alone."""
_FONT = re.compile(r'url\("\.\./fonts/([a-z.0-9-]+)"\)')
_DERIVED = TypeAdapter(list[Derived])
_CLAIMS = TypeAdapter(list[Claim])


def report_context(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the report's template needs, from the payload alone."""
    made = payload["reproduction"]
    spec = parse(made["spec"])
    points = [_stored(place, item) for place, item in enumerate(payload["points"])]
    chosen = chosen_point(spec, points, "")
    answer = _answer(payload, spec, chosen) if chosen else None
    headings, rows = points_table(spec, points)
    return {
        "payload": payload,
        "decision": (decided := decision(payload, spec, points, chosen, _setting(spec))),
        "objectives": judged_objectives(spec, decided.chosen),
        "assumptions": assumptions(payload),
        "spec": spec,
        "answer": answer,
        "chosen": chosen,
        "sentences": run_sentences(spec, points, answer.claims if answer else (), _setting(spec)),
        "curve": sweep_chart(spec, points),
        "details": sweep_details(spec, points),
        "headings": headings,
        "rows": rows,
        "setting": _setting(spec),
        "objective": setting_text(bound, "s") if (bound := latency_objective(spec)) is not None else "",
        "reproduction": yaml.safe_dump(made["spec"], sort_keys=False, allow_unicode=True),
    }


def report_page(report: Report) -> dict[str, Any]:
    """Return what the page and the file show: the payload, and the sign-off so far."""
    steps = list(report.steps.select_related("actor"))
    return {
        **report_context(report.payload),
        "report": report,
        "steps": steps,
        "chain_holds": chain_holds(report),
        "themes": themes(),
    }


def report_file(report: Report) -> bytes:
    """Return the report as one HTML file: styles, scripts, plotly.js (compressed) and the payload are inside."""
    context = {
        **report_page(report),
        "styles": _styles(),
        "scripts": {name: _static(f"frontend/js/{name}").decode() for name in ("theme.js", *MODULES)},
        "modules": MODULES,
        "plotly": _plotly(),
    }
    return render_to_string("frontend/report_file.html", context).encode()


def _answer(payload: Mapping[str, Any], spec: ScenarioSpec, point: StoredPoint) -> Answer:
    stored = payload["points"][point.index]
    here = point_at(spec, point)
    stored_paths = point.summary.timeline
    same_engine = payload["reproduction"]["engine"] == ENGINE_VERSION
    return point_answer(
        here,
        point.summary,
        sentences=(),
        derived=_DERIVED.validate_python(stored["derived"]),
        claims=_CLAIMS.validate_python(stored["claims"]),
        courses=courses(here, point.summary) if same_engine else Courses(stored_paths, stored_paths),
        provenance="final",
        queues=[queue.name for queue in here.queues],
    )


def _stored(place: int, item: Mapping[str, Any]) -> StoredPoint:
    summary = replace(summary_read(item["summary"]), index=place)
    return StoredPoint(index=place, overrides=summary.overrides, partial=False, summary=summary)


def _setting(spec: ScenarioSpec) -> str:
    if not spec.sweep:
        return ""
    return setting_titles(spec).get(spec.sweep[0].path, setting_name(spec.sweep[0].path))


@cache
def _styles() -> str:
    """All style sheets as one text, the typeface inside."""
    text = "\n".join(_static(f"frontend/css/{name}.css").decode() for name in STYLES)
    return _FONT.sub(
        lambda found: f"url(data:font/woff2;base64,{_base64(_static(f'frontend/fonts/{found[1]}'))})", text
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
        msg = f"the static file {name} is missing"
        raise FileNotFoundError(msg)
    return Path(path).read_bytes()
