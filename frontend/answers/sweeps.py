"""What pages and reports show of a sweep: curves over the swept setting and the table of all points."""

from collections.abc import Mapping, Sequence
from typing import Any

from frontend.answers.marks import latency_objective
from frontend.answers.point import Answer
from frontend.answers.sentences import run_sentences
from frontend.charts.budget import Bar, budget_chart, has_budget
from frontend.charts.chart import Chart
from frontend.charts.curves import DRAIN, SHOWN, TIMEOUTS, Turn, curve_chart, drain_chart, risk_chart, throughput_chart
from frontend.charts.swept import Sweep, Swept
from frontend.wording.numbers import metric_title, setting_text
from frontend.wording.setting_names import swept_values
from planner.answers.choice import is_saturated
from planner.answers.text_tables import metrics_shown
from planner.answers.values import turn_known
from planner.selectors import StoredPoint
from simulations.analysis.estimates.quantities import estimate_text
from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.experiment.words import setting_title, unit_of
from simulations.scenario.spec import ScenarioSpec

_TABLE = (
    *("latency.mean", "latency.p50", "latency.p95", "latency.p99"),
    *("throughput", "threads.idle_blocked", "gate.blocked_fraction"),
)
MOST_BARS = 12
"""Most bars of the latency budget over a sweep."""
EQUAL = 0.005
"""Two best values that differ by less, relative, are one."""


def sweep_chart(spec: ScenarioSpec, points: Sequence[StoredPoint], shown: Sequence[str] = SHOWN) -> Chart | None:
    """Return the curve over the first swept setting, or None without a sweep."""
    if not spec.sweep or not points:
        return None
    if is_saturated(spec):
        return throughput_chart(_sweep(spec, points))
    return curve_chart(_sweep(spec, points), objective=latency_objective(spec), shown=shown)


def sweep_details(spec: ScenarioSpec, points: Sequence[StoredPoint]) -> tuple[Chart, ...]:
    """Return the further charts over the swept setting: drain time, risk of timeouts, latency budget of each value."""
    if not spec.sweep or len(points) < 2:
        return ()
    sweep, charts = _sweep(spec, points), []
    if spec.run.horizon.until is not None and sweep.known(DRAIN):
        charts.append(_drain(spec, points, sweep))
    if any(estimate.value > 0 for _, estimate in sweep.known(TIMEOUTS)):
        charts.append(risk_chart(sweep))
    bars = [Bar(item.label, item.metrics) for item in sweep.values if has_budget(item.metrics)]
    if 1 < len(bars) <= MOST_BARS and not is_saturated(spec):
        charts.append(budget_chart(bars, title=f"Latency budget over {sweep.setting}"))
    return tuple(charts)


def answer_context(
    spec: ScenarioSpec, points: Sequence[StoredPoint], answer: Answer | None, setting: str, kept: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what the results page and the report say alike; ``setting`` names what is swept.

    ``kept``: the run's headline or the report's payload, which keep where the first objective turns.
    """
    turn = turn_known(kept, spec, [point.summary for point in points])
    headings, rows = points_table(spec, points)
    bound = latency_objective(spec)
    return {
        "spec": spec,
        "answer": answer,
        "sentences": run_sentences(spec, points, answer.claims if answer else (), setting, turn),
        "details": sweep_details(spec, points),
        "headings": headings,
        "rows": rows,
        "setting": setting,
        "objective": setting_text(bound, "s") if bound is not None else "",
    }


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


def rule_turns(summaries: Sequence[PointSummary], titles: Mapping[str, str]) -> tuple[Turn, ...]:
    """Return the rules that hold at one end of the sweep only, in the order of ``titles`` (rule -> what must hold)."""
    turns = []
    for rule, title in titles.items():
        kept = [_keeps(summary, rule) for summary in summaries]
        changes = [place for place in range(1, len(kept)) if kept[place] != kept[place - 1]]
        if len(changes) == 1:
            onwards = kept[-1]
            turns.append(Turn(rule, title, changes[0] if onwards else changes[0] - 1, onwards))
    return tuple(turns)


def best_zone(
    estimates: Sequence[Estimate | None], summaries: Sequence[PointSummary], turns: Sequence[Turn]
) -> tuple[int, ...]:
    """Return the places that nothing lower beats by more than their interval, without those that break a turning rule.

    When all of them break one, they stay.
    """
    known = [estimate for estimate in estimates if estimate is not None]
    if not known:
        return ()
    best = min(estimate.value for estimate in known)
    good = [
        place
        for place, estimate in enumerate(estimates)
        if estimate is not None and estimate.value - estimate.half_width <= best * (1 + EQUAL)
    ]
    clean = [place for place in good if all(_keeps(summaries[place], turn.rule) for turn in turns)]
    return tuple(clean or good)


def _sweep(spec: ScenarioSpec, points: Sequence[StoredPoint]) -> Sweep:
    path = spec.sweep[0].path
    several = len(spec.sweep) > 1
    values = [
        Swept.of(point.summary, point_label(spec, point), None if several else point.overrides.get(path))
        for point in points
    ]
    return Sweep(setting_title(spec, path), unit_of(spec, path), values)


def _drain(spec: ScenarioSpec, points: Sequence[StoredPoint], sweep: Sweep) -> Chart:
    """A rule turns at a value only along one setting."""
    summaries = [point.summary for point in points]
    titles = {rule.id: rule.title for rule in spec.family.rules} if len(spec.sweep) == 1 else {}
    turns = rule_turns(summaries, titles)
    zone = best_zone([summary.metrics.get(DRAIN) for summary in summaries], summaries, turns)
    return drain_chart(sweep, zone=zone, turns=turns)


def _keeps(summary: PointSummary, rule: str) -> bool:
    return not any(item.rule == rule and item.status == "violated" for item in summary.findings)
