"""What pages and reports show of one point and of a whole run, ready for the templates. Reads no database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frontend.charts.chart import Chart
from frontend.charts.curves import SHOWN, Swept
from frontend.charts.panels import curve_chart, point_charts, throughput_chart
from frontend.charts.parts import Numbers
from frontend.charts.throttle import Thresholds
from frontend.sentences import is_saturated
from frontend.settingnames import setting_titles, setting_units
from frontend.wording import Quantity, estimate_quantity, metric_title, percent, quantity, setting_name
from planner.selectors import StoredPoint
from simulations.analysis.metrics import BY_NAME
from simulations.analysis.summary import Derived, Finding, PointSummary
from simulations.platforms.base import Claim
from simulations.scenario import ScenarioSpec

_TABLE = (
    "latency.mean",
    "latency.p50",
    "latency.p95",
    "latency.p99",
    "throughput",
    "threads.idle_blocked",
    "gate.blocked_fraction",
)
Courses = Mapping[str, Mapping[str, Numbers]]
_RANK = {"error": 0, "warning": 1, "info": 2}


@dataclass(frozen=True)
class Tile:
    """A formula answer."""

    name: str
    title: str
    entity: str
    value: Quantity
    formula: str
    source: str
    trust: str


@dataclass(frozen=True)
class Card:
    """A rule's verdict; ``fix`` maps scenario paths to values, ``look`` is its colour."""

    message: str
    look: str
    mark: str
    source: str
    trust: str
    cost: str
    rule: str
    fix: Mapping[str, Any]
    fix_text: str


@dataclass(frozen=True)
class Answer:
    """One point: sentences, formula answers, verdicts, charts."""

    status: str
    sentences: tuple[str, ...]
    tiles: tuple[Tile, ...]
    broken: tuple[Card, ...]
    kept: tuple[Card, ...]
    charts: tuple[Chart, ...] = ()
    claims: tuple[Claim, ...] = ()
    checks: tuple[Mapping[str, Any], ...] = ()
    metrics: tuple[tuple[str, str, str], ...] = ()
    provenance: str = ""
    effort: str = ""


def tiles_of(values: Sequence[Derived]) -> tuple[Tile, ...]:
    """Return the formula answers with their computation."""
    several = len({item.entity for item in values if item.entity}) > 2
    return tuple(
        Tile(
            name=item.name,
            title=item.title,
            entity=item.entity if several else "",
            value=quantity(100 * item.value, "%") if item.unit == "1" else quantity(item.value, item.unit),
            formula=item.formula,
            source=f"{item.source.document}: {item.source.place}",
            trust=item.source.trust,
        )
        for item in values
    )


def cards_of(findings: Sequence[Finding], spec: ScenarioSpec) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the broken rules, worst first, and those that hold."""
    titles = setting_titles(spec)
    applied = [item for item in findings if item.status != "not_applicable"]
    broken = sorted((item for item in applied if item.status != "ok"), key=lambda item: _RANK[item.severity])
    kept = [item for item in applied if item.status == "ok"]
    return tuple(_card(item, titles) for item in broken), tuple(_card(item, titles) for item in kept)


def point_answer(
    spec: ScenarioSpec,
    summary: PointSummary,
    *,
    sentences: Sequence[str],
    derived: Sequence[Derived],
    claims: Sequence[Claim],
    courses: Courses,
    thresholds: Mapping[str, Thresholds],
    provenance: str,
) -> Answer:
    """Return everything shown of one point; ``courses`` and ``thresholds`` by queue."""
    broken, kept = cards_of(summary.findings, spec)
    return Answer(
        status=summary.status,
        sentences=tuple(sentences),
        tiles=tiles_of(derived),
        broken=broken,
        kept=kept,
        charts=_charts(spec, summary, courses, thresholds),
        claims=tuple(claims),
        checks=summary.checks,
        metrics=metric_rows(summary),
        provenance=provenance,
        effort=_effort(summary),
    )


def sweep_chart(spec: ScenarioSpec, points: Sequence[StoredPoint], shown: Sequence[str] = SHOWN) -> Chart | None:
    """Return the curve over the first swept setting, or None without a sweep."""
    if not spec.sweep or not points:
        return None
    path = spec.sweep[0].path
    unit = setting_units(spec).get(path, "1")
    swept = [Swept(point_label(point), point.summary.metrics, _problem(point.summary)) for point in points]
    setting = setting_titles(spec).get(path, setting_name(path))
    if is_saturated(spec):
        return throughput_chart(swept, setting=setting, unit=unit)
    return curve_chart(swept, setting=setting, unit=unit, objective=latency_objective(spec), shown=shown)


def points_table(points: Sequence[StoredPoint]) -> tuple[tuple[str, ...], tuple[dict[str, Any], ...]]:
    """Return headings and rows of the table over all points, every number with half-width and unit."""
    used = [name for name in _TABLE if any(name in point.summary.metrics for point in points)]
    rows = tuple(
        {
            "index": point.index,
            "label": point_label(point),
            "status": point.summary.status,
            "partial": point.partial,
            "cells": [_estimate(point.summary, name) for name in used],
            "replications": point.summary.replications,
        }
        for point in points
    )
    return tuple(metric_title(name) for name in used), rows


def metric_rows(summary: PointSummary) -> tuple[tuple[str, str, str], ...]:
    """Return title, value with half-width and unit, and meaning of every metric."""
    known = [(BY_NAME[name], estimate) for name, estimate in summary.metrics.items() if name in BY_NAME]
    return tuple((metric.title, _plain(estimate), metric.meaning) for metric, estimate in known)


def point_label(point: StoredPoint) -> str:
    """Return the values of the swept settings, for example ``36`` or ``36 · 3``."""
    return " · ".join(str(value) for value in point.overrides.values()) or "as set"


def latency_objective(spec: ScenarioSpec) -> float | None:
    """Return the bound on a latency percentile, seconds, where there is one."""
    bounds = (
        item.at_most for item in spec.objectives if item.metric.startswith("latency.") and item.at_most is not None
    )
    return next(bounds, None)


def _charts(
    spec: ScenarioSpec, summary: PointSummary, courses: Courses, thresholds: Mapping[str, Thresholds]
) -> tuple[Chart, ...]:
    """Charts of the first queue; others are added with their name when there are several."""
    queue = spec.queues[0].name
    return tuple(
        point_charts(
            summary,
            queue=queue,
            path=courses.get(queue, {}),
            thresholds=thresholds.get(queue, Thresholds()),
            objective=latency_objective(spec),
            saturated=is_saturated(spec),
        )
    )


def _card(finding: Finding, titles: Mapping[str, str]) -> Card:
    broken = finding.status != "ok"
    look = finding.severity if broken else "ok"
    cost = ", ".join(_cost(name, item) for name, item in finding.cost.items())
    fix = ", ".join(f"{titles.get(path, setting_name(path))} = {value}" for path, value in finding.fix.items())
    return Card(
        message=finding.message,
        look=look,
        mark={"ok": "✓", "info": "i"}.get(look, "!"),
        source=f"{finding.source.document}: {finding.source.place}",
        trust=finding.source.trust,
        cost=cost if broken else "",
        rule=finding.rule,
        fix=finding.fix if broken else {},
        fix_text=fix,
    )


def _cost(name: str, estimate: Any) -> str:
    words = {"throughput_loss_pct": "of the throughput is lost"}
    return f"{estimate_quantity(estimate)} {words.get(name, name.replace('_', ' '))} ({estimate.origin})"


def _problem(summary: PointSummary) -> str:
    return {"unstable": "unstable", "invalid": "invalid"}.get(summary.status, "")


def _estimate(summary: PointSummary, name: str) -> str:
    estimate = summary.metrics.get(name)
    return _plain(estimate) if estimate else "–"


def _plain(estimate: Any) -> str:
    if estimate.unit == "1":
        half = max(estimate.high - estimate.value, 0.0)
        return str(quantity(100 * estimate.value, "%", 100 * half))
    return str(estimate_quantity(estimate))


def _effort(summary: PointSummary) -> str:
    events = quantity(summary.events / 1e6, "1", 0)[0]
    p95 = summary.metrics.get("latency.p95") or summary.metrics.get("throughput")
    width = f" · ±{percent((p95.high - p95.low) / 2 / p95.value)}" if p95 and p95.value else ""
    return f"{summary.replications} replications · {events} M events{width}"
