"""What pages and reports show of a sweep: curves over the swept setting and the table of all points."""

from collections.abc import Mapping, Sequence
from typing import Any

from frontend.answers.marks import latency_objective
from frontend.answers.point import Answer
from frontend.answers.sentences import run_sentences
from frontend.charts.budget import Bar, budget_chart, has_budget
from frontend.charts.chart import Chart
from frontend.charts.curves import DRAIN, PERCENTILES, SHOWN, TIMEOUTS, Turn, curve_chart, metric_chart
from frontend.charts.swept import Sweep, Swept
from frontend.wording.numbers import metric_title, setting_text, swept_values
from planner.answers.choice import asked_metric, asked_queue, verdict_word
from planner.answers.text_tables import metrics_shown
from planner.answers.values import turn_known
from planner.selectors import StoredPoint
from simulations.analysis.estimates.summary import Estimate, PointSummary, estimate_text
from simulations.experiment.words import setting_title, unit_of
from simulations.scenario.spec import ScenarioSpec

_TABLE = (
    *("latency.mean", "latency.p50", "latency.p95", "latency.p99"),
    *("latency.urgent", "end_to_end.p95", "throughput", "threads.idle_blocked", "gate.blocked_fraction"),
)
MOST_BARS = 12
"""Most bars of the latency budget over a sweep."""
EQUAL = 0.005
"""Two best values that differ by less, relative, are one."""


def sweep_charts(spec: ScenarioSpec, points: Sequence[StoredPoint], shown: Sequence[str] = ()) -> tuple[Chart, ...]:
    """Return the charts over the swept settings, none twice: that of the question's metric comes first.

    Then latency (throughput of full queues), drain time, timeouts in the queue, latency budget, as far as they say
    something. ``shown``: percentiles that somebody chose.
    """
    if not spec.sweep or not points:
        return ()
    asked, sweep = asked_metric(spec), _sweep(spec, points)
    metrics = [asked] if asked in PERCENTILES else [asked, "throughput" if spec.always_full else "latency.p95"]
    if spec.run.horizon.until is not None and len(sweep.known(DRAIN)) > 1:
        metrics.append(DRAIN)
    if len(points) > 1 and any(estimate.value > 0 for estimate in sweep.known(TIMEOUTS).values()):
        metrics.append(TIMEOUTS)
    charts = [_chart(spec, points, name, shown) for name in dict.fromkeys(metrics)]
    bars = [Bar(item.label, item.metrics) for item in sweep.values if has_budget(item.metrics)]
    if 1 < len(bars) <= MOST_BARS and not spec.always_full:
        charts.append(budget_chart(bars, title=f"Latency budget over {sweep.setting}"))
    return tuple(charts)


def answer_context(
    spec: ScenarioSpec,
    points: Sequence[StoredPoint],
    point: StoredPoint | None,
    answer: Answer | None,
    setting: str,
    kept: Mapping[str, Any],
    shown: Sequence[str] = (),
) -> dict[str, Any]:
    """Return what the results page and the report say alike; ``setting`` names what is swept.

    ``point``: that of ``answer``. ``kept``: the headline or payload, which holds where the first objective turns.
    ``shown``: chosen percentiles.
    """
    turn = turn_known(kept, spec, [point.summary for point in points])
    headings, rows = points_table(spec, points)
    bound = latency_objective(spec)
    return {
        "spec": spec,
        "answer": answer,
        "turn": turn,
        "sentences": run_sentences(spec, points, answer.claims if answer else (), setting, turn, shown=point),
        "swept": sweep_charts(spec, points, shown),
        "headings": headings,
        "rows": rows,
        "setting": setting,
        "objective": setting_text(bound, "s") if bound is not None else "",
    }


def points_table(
    spec: ScenarioSpec, points: Sequence[StoredPoint]
) -> tuple[tuple[str, ...], tuple[dict[str, Any], ...]]:
    """Return headings and rows of the table over all points, every number with half-width and unit. The metrics of the
    objectives have a column in any case."""
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
    When all of them break one, they stay."""
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


def _sweep(spec: ScenarioSpec, points: Sequence[StoredPoint], queue: str = "") -> Sweep:
    """The points by what they were swept to, with the metrics of the ``queue`` or of the whole system."""
    several, path = len(spec.sweep) > 1, spec.sweep[0].path
    values = []
    for point in points:
        label, value = point_label(spec, point), None if several else point.overrides.get(path)
        met = verdict_word(spec.objectives, point.summary) == "met"
        values.append(Swept.of(point.summary, label, value, queue=queue, met=met))
    title = " · ".join(setting_title(spec, axis.path) for axis in spec.sweep)
    return Sweep(title, "1" if several else unit_of(spec, path), values, queue)


def _chart(spec: ScenarioSpec, points: Sequence[StoredPoint], metric: str, shown: Sequence[str]) -> Chart:
    """The chart of a metric; that of the first objective with its bound, and of its queue where there are several."""
    asked = next((item for item in spec.objectives[:1] if item.metric == metric), None)
    sweep = _sweep(spec, points, asked_queue(spec) if asked else "")
    if metric in PERCENTILES:
        bound = latency_objective(spec, sweep.queue)
        drawn = shown or (*SHOWN, metric)
        return curve_chart(sweep, objective=bound, shown=drawn, told=metric, bounded=metric if asked else "")
    bound = asked.bound if asked else None
    if metric != DRAIN:
        return metric_chart(sweep, metric, objective=bound)
    summaries = [point.summary for point in points]
    titles = {rule.id: rule.title for rule in spec.family.rules} if len(spec.sweep) == 1 else {}
    turns = rule_turns(summaries, titles)
    times = [item.metrics.get(DRAIN) for item in sweep.values] if asked_metric(spec) == DRAIN else []
    zone = best_zone(times, summaries, turns)
    return metric_chart(sweep, metric, objective=bound, zone=zone, turns=turns)


def _keeps(summary: PointSummary, rule: str) -> bool:
    return not any(item.rule == rule and item.status == "violated" for item in summary.findings)
