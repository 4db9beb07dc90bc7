"""The words of a comparison: what its subjects are called, and its sentences."""

from collections.abc import Sequence

from planner.selectors import Change, Comparison, Kpi
from simulations.analysis.estimates.quantities import estimate_text, percent

HEADLINES = ("latency.p95", "drain_time", "throughput")
"""The sentences are about the first of these that both sides have."""


def comparison_sentences(found: Comparison, labels: Sequence[str]) -> tuple[str, ...]:
    """Return at most three sentences: the headline metric of each subject against the baseline, best first."""
    kpis = {kpi.metric.name: kpi for kpi in found.kpis}
    base = found.baseline
    for name in HEADLINES:
        changed = [(place, change) for place, change in enumerate(kpis[name].changes) if change] if name in kpis else []
        if not changed or kpis[name].values[base] is None:
            continue
        sign = 1 if kpis[name].metric.better == "lower" else -1
        ordered = sorted(changed, key=lambda item: sign * item[1].estimate.value)
        return tuple(_sentence(kpis[name], labels, place, base, change) for place, change in ordered)[:3]
    return ()


def _sentence(kpi: Kpi, labels: Sequence[str], place: int, base: int, change: Change) -> str:
    title, size = kpi.metric.title, abs(change.estimate)
    shown = estimate_text(size)
    if change.verdict in ("not resolved", "same"):
        return f"{title} of {labels[place]} cannot be told from that of {labels[base]}: the difference is {shown}."
    word = "higher" if change.estimate.value > 0 else "lower"
    value = kpi.values[base]
    share = f" ({percent(size.value / value.value)})" if value and value.value else ""
    paired = ", compared message by message" if change.paired else ""
    return f"{title} of {labels[place]} is {shown} {word} than that of {labels[base]}{share}: {change.verdict}{paired}."
