"""Two to six answers side by side: which settings differ, and the differences of every metric.

Replication r of two runs with the same seed has the same random numbers (common random numbers), so differences are
taken replication by replication; their intervals are then much narrower than those of the two answers.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.conf import settings

from planner.answers.choice import asked_metric
from planner.selectors.runs import Subject
from simulations.analysis.estimates.metric_estimates import differences
from simulations.analysis.estimates.metrics import BY_NAME, METRICS, Metric
from simulations.analysis.estimates.summary import Estimate, estimate_quantity
from simulations.analysis.replications.sample import Sample
from simulations.declarations.texts import keys_in, leaves
from simulations.experiment import Point
from simulations.pipeline.answers import Asked
from simulations.pipeline.archive.schemas import replication_rows
from simulations.pipeline.archive.store import Archive, run_folder

FEWEST, MOST = 2, 6
Verdict = Literal["better", "worse", "higher", "lower", "same", "not resolved"]
_APART = ("name", "sweep")
"""Parts of a scenario that are no settings."""


@dataclass(frozen=True)
class Setting:
    """A setting by its scenario path, with its value in each subject; None where a subject has no such setting."""

    path: str
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Change:
    """A subject minus the baseline. ``paired``: replication by replication; otherwise from the two intervals."""

    estimate: Estimate
    paired: bool
    verdict: Verdict


@dataclass(frozen=True)
class Kpi:
    """A metric in each subject, and its change against the baseline; None where there is none."""

    metric: Metric
    values: tuple[Estimate | None, ...]
    changes: tuple[Change | None, ...]


@dataclass(frozen=True)
class Comparison:
    """The whole comparison. ``notes`` say where the plans do not match; ``queue`` empty = the whole system. ``asked``:
    the metric that the baseline's question is about; it comes first where any subject has it."""

    subjects: tuple[Subject, ...]
    baseline: int
    queue: str
    asked: str
    differing: tuple[Setting, ...]
    equal: tuple[Setting, ...]
    kpis: tuple[Kpi, ...]
    notes: tuple[str, ...]


def compared(*, subjects: Sequence[Subject], baseline: int = 0, queue: str = "") -> Comparison:
    """Return the comparison with the subject at the place ``baseline``. Subjects without an answer have no numbers."""
    table = _settings(subjects)
    base = subjects[baseline]
    asked = asked_metric(base.spec)
    samples = [_sample(subject) for subject in subjects]
    changes = [
        {} if subject is base else _changes(subject, base, sample, samples[baseline], queue)
        for subject, sample in zip(subjects, samples, strict=True)
    ]
    values = [subject.point.summary.of(queue) if subject.point else {} for subject in subjects]
    kpis = tuple(
        Kpi(
            metric,
            tuple(metrics.get(metric.name) for metrics in values),
            tuple(metrics.get(metric.name) for metrics in changes),
        )
        for metric in sorted(METRICS, key=lambda item: item.name != asked)
        if any(metric.name in metrics for metrics in values)
    )
    notes = [
        note
        for subject, sample in zip(subjects, samples, strict=True)
        if subject is not base
        for note in _notes(subject, base, sample, samples[baseline])
    ]
    return Comparison(
        subjects=tuple(subjects),
        baseline=baseline,
        queue=queue,
        asked=asked,
        differing=tuple(item for item in table if not _same(item.values)),
        equal=tuple(item for item in table if _same(item.values)),
        kpis=kpis,
        notes=tuple(dict.fromkeys(notes)),
    )


def queue_names(subjects: Sequence[Subject]) -> tuple[str, ...]:
    """Return the names of all queues and background work that any subject has numbers of."""
    names = (name for subject in subjects if subject.point for name in subject.point.summary.queues)
    return tuple(dict.fromkeys(names))


def verdict_of(metric: Metric, change: Estimate) -> Verdict:
    """Return what the interval of a change says: a side only when it leaves out 0; the same where no digit differs."""
    if estimate_quantity(change)[:2] == ("0", ""):
        return "same"
    if not change.leaves_zero_out:
        return "not resolved"
    lower = change.value < 0
    if metric.better == "neither":
        return "lower" if lower else "higher"
    return "better" if lower == (metric.better == "lower") else "worse"


def _settings(subjects: Sequence[Subject]) -> list[Setting]:
    tables = [
        {path: value for path, value in leaves(subject.spec.body()) if keys_in(path)[0] not in _APART}
        for subject in subjects
    ]
    paths = dict.fromkeys(path for table in tables for path in table)
    return [Setting(path, tuple(table.get(path) for table in tables)) for path in paths]


def _same(values: Sequence[Any]) -> bool:
    return all(value == values[0] for value in values)


def _sample(subject: Subject) -> Sample | None:
    """The replications behind the answer; None when they are not stored any more, or never were."""
    if subject.run is None or subject.point is None:
        return None
    point = subject.point
    archive = Archive(run_folder(settings.ENVIRONMENT.store, subject.run.pk), subject.run.content_hash)
    rows = [row for batch in archive.read([point.index]) for _, row in replication_rows(batch)]
    used = [row for row in rows if row.replication < point.summary.replications]
    if len(used) < FEWEST:
        return None
    return Asked(Point(point.index, point.overrides, subject.spec)).sample(used)


def _changes(
    subject: Subject, base: Subject, sample: Sample | None, other: Sample | None, queue: str
) -> dict[str, Change]:
    if subject.point is None or base.point is None:
        return {}
    here, there = subject.point.summary.of(queue), base.point.summary.of(queue)
    paired = differences(sample, other, queue) if sample and other else {}
    changes = {}
    for name in (name for name in here if name in there and not BY_NAME[name].is_extreme):
        change = paired.get(name) or here[name] - there[name]
        if math.isfinite(change.value + change.low + change.high):
            changes[name] = Change(change, name in paired, verdict_of(BY_NAME[name], change))
    return changes


def _notes(subject: Subject, base: Subject, sample: Sample | None, other: Sample | None) -> Iterator[str]:
    """Where the plans of the two do not match, in sentences."""
    if subject.point is None or base.point is None:
        return
    if sample is None or other is None:
        yield "Replications of a run are not stored any more: its differences come from the intervals, unpaired."
        return
    here, there = subject.spec.run, base.spec.run
    if here.seed != there.seed:
        yield "The seeds differ: replications are paired without common random numbers, so intervals are wide."
    if here.horizon != there.horizon:
        yield "The length of a replication differs; differences compare courses of different length."
    if _work(subject) != _work(base):
        yield "Arrivals or service times differ: the messages are not the same ones, so intervals are wider."
    counts = (subject.point.summary.replications, base.point.summary.replications)
    if counts[0] != counts[1]:
        yield f"The numbers of replications differ ({counts[0]} and {counts[1]}): the first {min(counts)} are paired."
    if subject.run and base.run and subject.run.engine_version != base.run.engine_version:
        yield "The runs were computed by different versions of the engine."


def _work(subject: Subject) -> list[Any]:
    return [(queue.arrivals, queue.service, queue.producers) for queue in subject.spec.queues]
