"""The context of the Compare page: the subjects, what differs and by how much, as tables, charts and sentences."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from frontend.answers.marks import latency_objective, queue_marks
from frontend.charts.budget import Bar, budget_chart, has_budget
from frontend.charts.chart import Chart
from frontend.charts.comparison import Dot, Dots, differences_chart, tails_chart
from frontend.charts.latency import latency_chart
from frontend.charts.panels import has_latency
from frontend.site.basket import subject_labels
from frontend.wording.numbers import DIFFERENCES, TEXTS, lowered, metric_title, setting_rows, size_text
from planner.selectors import Change, Comparison, Kpi, Subject, queue_names
from simulations.analysis.estimates.summary import Estimate, change_text, estimate_text, percent

KEY_METRICS = frozenset(name for name, where in TEXTS["metrics_shown"].items() if where != "report")
"""Metrics that are shown at once; the others are one click away."""
MARKS = {"better": "✓", "worse": "✗", "higher": "↑", "lower": "↓", "same": "=", "not resolved": "?"}
LOOKS = {"better": "ok", "worse": "failed", "not resolved": "unstable"}
HEADLINES = ("latency.p95", "drain_time", "throughput")
"""What a question costs or gains: the first of these that there is, where the question is about none of them."""


def comparison_page(found: Comparison, *, only_differing: bool) -> dict[str, Any]:
    """Return what the template needs."""
    labels = subject_labels(found.subjects)
    kpis = [
        kpi for kpi in found.kpis if kpi.metric.name == found.asked or any(item and item.value for item in kpi.values)
    ]
    keyed = KEY_METRICS | {found.asked}
    several, specs = len(queue_names(found.subjects)) > 1, [subject.spec for subject in found.subjects]
    tables = (found.differing, (*found.differing, *found.equal))
    differing, every = (setting_rows(specs, {item.path: item.values for item in table}) for table in tables)
    state = {"queue": found.queue if several else None, "all": None if only_differing else "1"}
    keys = [subject.key for subject in found.subjects]
    return {
        "found": found,
        "sides": list(_sides(found, labels, state)),
        "settings": differing if only_differing else every,
        "hidden": len(every) - len(differing) if only_differing else 0,
        "toggle": _address(keys, found.baseline, {**state, "all": "1" if only_differing else None}),
        "only_differing": only_differing,
        "kpis": [_kpi_row(kpi) for kpi in kpis if kpi.metric.name in keyed],
        "more": [_kpi_row(kpi) for kpi in kpis if kpi.metric.name not in keyed],
        "sentences": comparison_sentences(found, labels),
        "charts": tuple(_charts(found, labels)),
        "multiples": _multiples(found, labels),
        "queues": [
            (name or "whole system", _address(keys, found.baseline, {**state, "queue": name}), name == found.queue)
            for name in ("", *queue_names(found.subjects))
            if several
        ],
        "waiting": [subject for subject in found.subjects if subject.run and not subject.run.final],
        "missing": [subject for subject in found.subjects if not subject.run],
    }


def _sides(found: Comparison, labels: Sequence[str], state: Mapping[str, str | None]) -> Iterator[dict[str, Any]]:
    """The subjects; ``without`` and ``first``: addresses without one, and with it as the baseline."""
    keys = [subject.key for subject in found.subjects]
    base = keys[found.baseline]
    for place, (label, subject) in enumerate(zip(labels, found.subjects, strict=True)):
        rest = [key for other, key in enumerate(keys) if other != place]
        kept = rest.index(base) if base in rest else 0
        without, first = _address(rest, kept, state), _address(keys, place, state)
        side = {"label": label, "key": subject.key, "subject": subject, "is_baseline": place == found.baseline}
        yield {**side, "without": without, "first": first}


def _address(keys: Sequence[str], baseline: int, state: Mapping[str, str | None]) -> str:
    pairs = [("id", key) for key in keys] + [("baseline", str(baseline))]
    return f"?{urlencode([*pairs, *((name, value) for name, value in state.items() if value is not None)])}"


def _kpi_row(kpi: Kpi) -> dict[str, Any]:
    cells = [_cell(value, change) for value, change in zip(kpi.values, kpi.changes, strict=True)]
    return {"title": kpi.metric.title, "path": kpi.metric.name, "meaning": kpi.metric.meaning, "cells": cells}


def _cell(value: Estimate | None, change: Change | None) -> dict[str, Any]:
    """A value of one subject, and what became of it against the baseline."""
    if change is None:
        return {"value": estimate_text(value)}
    mark, look = MARKS[change.verdict], LOOKS.get(change.verdict, "")
    words = {"change": change_text(change.estimate), "verdict": change.verdict, "word": DIFFERENCES[change.verdict]}
    return {"value": estimate_text(value), "unpaired": not change.paired, "mark": mark, "look": look, **words}


def _charts(found: Comparison, labels: Sequence[str]) -> Iterator[Chart]:
    changes = {place: tuple(_dots(found, place)) for place in range(len(labels)) if place != found.baseline}
    series = [Dots(labels[place], place, dots) for place, dots in changes.items() if dots]
    chart = differences_chart(series, baseline=labels[found.baseline])
    if chart:
        yield chart
    tails = [
        (labels[place], place, subject.point.summary.tail[queue])
        for place, subject in enumerate(found.subjects)
        if subject.point and (queue := _drawn(subject, found.queue)) and subject.point.summary.tail.get(queue)
    ]
    if tails:
        yield tails_chart(tails, objective=latency_objective(found.subjects[found.baseline].spec))
    bars = [
        Bar(labels[place], metrics)
        for place, subject in enumerate(found.subjects)
        if subject.point and has_budget(metrics := subject.point.summary.of(found.queue))
    ]
    if bars:
        yield budget_chart(bars)


def _dots(found: Comparison, place: int) -> Iterator[Dot]:
    for kpi in found.kpis:
        change, base = kpi.changes[place], kpi.values[found.baseline]
        if change and base and kpi.metric.name in KEY_METRICS | {found.asked} and kpi.metric.better != "neither":
            yield Dot(metric_title(kpi.metric.name), base.value, change.estimate, change.verdict)


def _drawn(subject: Subject, queue: str) -> str:
    """The queue whose curves are drawn: the chosen one, else the first; empty where its latency means nothing."""
    names = [item.name for item in subject.spec.queues]
    name = queue or names[0]
    if subject.point is None or name not in names:
        return ""
    return name if has_latency(subject.point.summary, name, queue_marks(subject.spec, name)) else ""


def _multiples(found: Comparison, labels: Sequence[str]) -> tuple[Chart, ...]:
    """C1 of each subject, all of one height."""
    courses = []
    for label, subject in zip(labels, found.subjects, strict=True):
        queue = _drawn(subject, found.queue)
        if subject.point and queue and subject.point.summary.timeline.get(queue, {}).get("band_time"):
            summary, marks = subject.point.summary, queue_marks(subject.spec, queue)
            courses.append((label, summary.timeline[queue], summary.queues[queue], marks))
    top = max((value for _, course, *_ in courses for value in course["p99"] if value is not None), default=None)
    if top is None:
        return ()
    return tuple(
        replace(latency_chart(course, metrics, marks, top), title=f"Latency over time · {label}")
        for label, course, metrics, marks in courses
    )


def comparison_sentences(found: Comparison, labels: Sequence[str]) -> tuple[str, ...]:
    """Return at most three sentences: the question's metric of each subject against the baseline first, best first."""
    kpis = {kpi.metric.name: kpi for kpi in found.kpis}
    names = [name for name in dict.fromkeys((found.asked, *HEADLINES)) if name in kpis]
    used = names[: 1 if found.asked in HEADLINES else 2]
    sentences = (sentence for name in used for sentence in _sentences(found, kpis[name], labels))
    return tuple(dict.fromkeys(sentences))[:3]


def _sentences(found: Comparison, kpi: Kpi, labels: Sequence[str]) -> Iterator[str]:
    base, sign = found.baseline, 1 if kpi.metric.better == "lower" else -1
    worth = [sign * change.estimate.value if change else math.inf for change in kpi.changes]
    for place in sorted(range(len(worth)), key=lambda item: worth[item]):
        change = kpi.changes[place]
        if change:
            yield _difference(kpi, labels, place, base, change)
        elif place != base and {kpi.values[place], kpi.values[base]} != {None}:
            yield _untold(found, kpi, labels, place)


def _difference(kpi: Kpi, labels: Sequence[str], place: int, base: int, change: Change) -> str:
    title, shown = kpi.metric.title, size_text(change.estimate)
    if change.verdict == "same":
        return f"{title}: {labels[place]} and {labels[base]} are the same, {estimate_text(kpi.values[base])}."
    if change.verdict == "not resolved":
        return f"{title}: {labels[place]} cannot be told from {labels[base]}; the difference is {shown}."
    word = "higher" if change.estimate.value > 0 else "lower"
    value = kpi.values[base]
    share = f" ({percent(abs(change.estimate.value) / value.value)})" if value and value.value else ""
    verdict = f", which is {change.verdict}" if change.verdict != word else ""
    paired = "; compared by replication" if change.paired else ""
    return f"{title}: {labels[place]} is {shown} {word} than {labels[base]}{share}{verdict}{paired}."


def _untold(found: Comparison, kpi: Kpi, labels: Sequence[str], place: int) -> str:
    """Why two subjects have no difference: one has no such number, or both have extremes."""
    one, other = kpi.values[place], kpi.values[found.baseline]
    if one is None or other is None:
        lacks = place if one is None else found.baseline
        point = found.subjects[lacks].point
        why = ": its backlog grows without end" if point and point.summary.status == "unstable" else ""
        return f"{labels[lacks]} has no {lowered(kpi.metric.title)}{why}."
    own, theirs = estimate_text(one, other.value), estimate_text(other, one.value)
    values = f"{own} at {labels[place]}, {theirs} at {labels[found.baseline]}"
    apart = one.high < other.low or other.high < one.low
    ranges = (
        "no replication of one reaches one of the other" if apart else "their replications overlap, which tells nothing"
    )
    return f"{kpi.metric.title}: {values}; {ranges}."
