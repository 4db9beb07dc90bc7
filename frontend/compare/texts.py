"""The words of a comparison: what its subjects are called, and its sentences."""

from collections.abc import Sequence
from dataclasses import replace

from frontend.wording.numbers import estimate_quantity, percent, setting_name, setting_text
from frontend.wording.setting_names import setting_titles
from planner.selectors import Change, Comparison, Kpi, Subject
from simulations.analysis.estimates.summary import Estimate

HEADLINES = ("latency.p95", "drain_time", "throughput")
"""The first of these that both sides have is told."""


def subject_labels(subjects: Sequence[Subject]) -> tuple[str, ...]:
    """Return short names that tell the subjects apart: the values of a sweep, else version, else name too."""
    names = {subject.version.scenario_id for subject in subjects}
    versions = {subject.version.pk for subject in subjects}
    labels = [_label(subject, name=len(names) > 1, version=len(versions) > 1) for subject in subjects]
    return tuple(
        label if labels.count(label) == 1 else f"{label} ({place})" for place, label in enumerate(labels, start=1)
    )


def _label(subject: Subject, *, name: bool, version: bool) -> str:
    swept = " · ".join(setting_text(value, "1") for value in subject.point.overrides.values()) if subject.point else ""
    paths = list(subject.point.overrides) if subject.point else []
    if len(paths) == 1:
        swept = f"{setting_titles(subject.spec).get(paths[0], setting_name(paths[0]))} {swept}"
    parts = [
        subject.spec.name if name else "",
        f"v{subject.version.number}" if version or not swept else "",
        swept if not version or ":" in subject.key else "",
    ]
    return " ".join(part for part in parts if part)


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
        return tuple(_told(kpis[name], labels, place, base, change) for place, change in ordered)[:3]
    return ()


def _told(kpi: Kpi, labels: Sequence[str], place: int, base: int, change: Change) -> str:
    title, size = kpi.metric.title, replace(change.estimate, value=abs(change.estimate.value))
    half = (change.estimate.high - change.estimate.low) / 2
    shown = estimate_quantity(Estimate(size.value, size.value - half, size.value + half, size.unit))
    if change.verdict in ("not resolved", "same"):
        return f"{title} of {labels[place]} cannot be told from that of {labels[base]}: the difference is {shown}."
    word = "higher" if change.estimate.value > 0 else "lower"
    value = kpi.values[base]
    share = f" ({percent(size.value / value.value)})" if value and value.value else ""
    paired = ", compared message by message" if change.paired else ""
    return f"{title} of {labels[place]} is {shown} {word} than that of {labels[base]}{share}: {change.verdict}{paired}."
