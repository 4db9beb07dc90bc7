"""What pages and reports show of a sweep: curves over the swept setting and the table of all points."""

from collections.abc import Sequence
from typing import Any

from frontend.answers.marks import latency_objective
from frontend.answers.sentences import is_saturated
from frontend.charts.budget import Bar, budget_chart, has_budget
from frontend.charts.chart import Chart
from frontend.charts.curves import SHOWN, Swept
from frontend.charts.drain import METRIC as DRAIN
from frontend.charts.drain import drain_chart
from frontend.charts.panels import curve_chart, risk_chart, throughput_chart
from frontend.charts.turning_points import best_zone, rule_turns
from frontend.wording.numbers import metric_title, setting_name
from frontend.wording.setting_names import setting_titles, setting_units, swept_values
from planner.answers.text_tables import metrics_shown
from planner.selectors import StoredPoint
from simulations.analysis.estimates.quantities import estimate_text
from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.scenario.spec import ScenarioSpec

_TABLE = (
    *("latency.mean", "latency.p50", "latency.p95", "latency.p99"),
    *("throughput", "threads.idle_blocked", "gate.blocked_fraction"),
)
RISK = "timeouts.queue"
NONE = Estimate(0.0, 0.0, 0.0, "1")
MOST_BARS = 12
"""Most bars of the latency budget over a sweep."""


def sweep_chart(spec: ScenarioSpec, points: Sequence[StoredPoint], shown: Sequence[str] = SHOWN) -> Chart | None:
    """Return the curve over the first swept setting, or None without a sweep."""
    if not spec.sweep or not points:
        return None
    path = spec.sweep[0].path
    unit = setting_units(spec).get(path, "1")
    swept = [Swept(point_label(spec, point), point.summary.metrics, _problem(point.summary)) for point in points]
    setting = setting_titles(spec).get(path, setting_name(path))
    if is_saturated(spec):
        return throughput_chart(swept, setting=setting, unit=unit)
    return curve_chart(swept, setting=setting, unit=unit, objective=latency_objective(spec), shown=shown)


def sweep_details(spec: ScenarioSpec, points: Sequence[StoredPoint]) -> tuple[Chart, ...]:
    """Return the further charts over the swept setting: drain time, risk of timeouts, latency budget of each value."""
    if not spec.sweep or len(points) < 2:
        return ()
    path = spec.sweep[0].path
    setting, unit = setting_titles(spec).get(path, setting_name(path)), setting_units(spec).get(path, "1")
    swept = [Swept(point_label(spec, point), point.summary.metrics, _problem(point.summary)) for point in points]
    charts = []
    if spec.run.horizon.until is not None and any(DRAIN in item.metrics for item in swept):
        charts.append(_drain(spec, points, swept, setting, unit))
    if any(point.summary.metrics.get(RISK, NONE).value > 0 for point in points):
        charts.append(risk_chart(swept, setting=setting, unit=unit))
    parted = [point for point in points if has_budget(point.summary.metrics)]
    bars = [Bar(point_label(spec, point), point.summary.metrics) for point in parted]
    if 1 < len(bars) <= MOST_BARS and not is_saturated(spec):
        charts.append(budget_chart(bars, title=f"Latency budget over {setting}"))
    return tuple(charts)


def _drain(spec: ScenarioSpec, points: Sequence[StoredPoint], swept: Sequence[Swept], setting: str, unit: str) -> Chart:
    """A rule turns at a value only along one setting."""
    summaries = [point.summary for point in points]
    titles = {rule.id: rule.title for rule in spec.family.rules} if len(spec.sweep) == 1 else {}
    turns = rule_turns(summaries, titles)
    zone = best_zone([summary.metrics.get(DRAIN) for summary in summaries], summaries, turns)
    return drain_chart(swept, setting=setting, unit=unit, zone=zone, turns=turns)


def points_table(
    spec: ScenarioSpec, points: Sequence[StoredPoint]
) -> tuple[tuple[str, ...], tuple[dict[str, Any], ...]]:
    """Return headings and rows of the table over all points, every number with half-width and unit.

    The metrics of the objectives have a column in any case.
    """
    used = metrics_shown(_TABLE, spec, [point.summary for point in points])
    rows = tuple(
        {
            "index": point.index,
            "label": point_label(spec, point),
            "status": point.summary.status,
            "state": point.summary.status.replace("_", " "),
            "partial": point.partial,
            "cells": [estimate_text(point.summary.metrics.get(name)) for name in used],
            "replications": point.summary.replications,
        }
        for point in points
    )
    return tuple(metric_title(name) for name in used), rows


def point_label(spec: ScenarioSpec, point: StoredPoint) -> str:
    """Return the values of the swept settings, for example ``36`` or ``36 · 3``; times and sizes with their unit."""
    return swept_values(spec, point.overrides) or "as set"


def _problem(summary: PointSummary) -> str:
    return {"unstable": "unstable", "invalid": "invalid"}.get(summary.status, "")
