"""The sentences of a comparison."""

import math
from collections.abc import Iterator, Sequence

from frontend.wording.numbers import lowered, size_text
from planner.selectors import Change, Comparison, Kpi
from simulations.analysis.estimates.quantities import estimate_text, percent

HEADLINES = ("latency.p95", "drain_time", "throughput")
"""What a question costs or gains: the first of these that there is, where the question is about none of them."""


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
    paired = "; compared message by message" if change.paired else ""
    return f"{title}: {labels[place]} is {shown} {word} than {labels[base]}{share}{verdict}{paired}."


def _untold(found: Comparison, kpi: Kpi, labels: Sequence[str], place: int) -> str:
    """Why two subjects have no difference: one has no such number, or both have extremes."""
    one, other = kpi.values[place], kpi.values[found.baseline]
    if one is None or other is None:
        lacks = place if one is None else found.baseline
        point = found.subjects[lacks].point
        why = ": its backlog grows without end" if point and point.summary.status == "unstable" else ""
        return f"{labels[lacks]} has no {lowered(kpi.metric.title)}{why}."
    values = f"{estimate_text(one)} at {labels[place]}, {estimate_text(other)} at {labels[found.baseline]}"
    apart = one.high < other.low or other.high < one.low
    ranges = (
        "no replication of one reaches one of the other" if apart else "their replications overlap, which tells nothing"
    )
    return f"{kpi.metric.title}: {values}; {ranges}."
