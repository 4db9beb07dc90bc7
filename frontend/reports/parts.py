"""The parts of a report that are gathered from several places: assumptions, checks, differences, risks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frontend.answers.point import Answer
from frontend.wording.numbers import metric_title
from frontend.wording.setting_names import place_text
from planner.answers.choice import asked_metric
from planner.answers.summaries import estimate_read
from planner.selectors import Experiment, StoredPoint
from simulations.analysis.estimates.quantities import change_text, estimate_text
from simulations.scenario.spec import ScenarioSpec

TOLD = (
    *("latency.mean", "latency.p95", "latency.p99", "drain_time", "throughput", "cpu.utilisation", "threads.busy"),
    *("threads.idle_blocked", "gate.blocked_fraction", "timeouts.share", "overtaken_fraction"),
)
"""Metrics whose differences are shown."""
RISKS = {
    "dead_letters": "error",
    "rejected": "error",
    "dropped": "error",
    "timeouts.share": "error",
    "redeliveries": "warning",
    "overtaken_fraction": "depends: harm only where the order matters",
}
"""Metric -> how bad it is when it is above 0."""
NOT_MODELLED = (
    ("Heap and garbage collection", "pauses or paging in the server's log"),
    ("Connection pools and locks of the database", "waits for a connection while threads are busy"),
    ("Self-tuning in detail", "the server changes its number of threads by itself"),
    ("Network losses and reconnects", "redeliveries after a broken connection"),
)
"""What the model leaves out, and what would show that it matters."""


@dataclass(frozen=True)
class CheckTold:
    """One self-check over all points: how many hold it, and where it fails."""

    name: str
    passed: int
    count: int
    worst: float
    failed: tuple[str, ...]


ChangeRow = tuple[str, tuple[tuple[str, str, bool], ...]]
"""One point against the present settings: its label, then cells of text, verdict and whether it is paired."""


@dataclass(frozen=True)
class Risk:
    """A risk; nothing is invented: what nobody stated says so."""

    title: str
    severity: str
    likelihood: str
    trigger: str


def checks_told(
    spec: ScenarioSpec, points: Sequence[StoredPoint], experiments: Sequence[Experiment]
) -> tuple[CheckTold, ...]:
    """Return the self-checks over all points of the run and of its experiments, the failed ones first."""
    every = [(place_text(spec, point.overrides) or "as set", point.summary.checks) for point in points]
    every += [
        (f"{item.run.pk} {place_text(item.spec, summary.overrides)}".strip(), summary.checks)
        for item in experiments
        for summary in item.answers.values()
    ]
    by_name: dict[str, list[tuple[str, bool, float]]] = {}
    for label, checks in every:
        for check in checks:
            by_name.setdefault(check["name"], []).append((label, bool(check["passed"]), abs(float(check["residual"]))))
    results = [_check(name, rows) for name, rows in by_name.items()]
    return tuple(sorted(results, key=lambda item: not item.failed))


def change_table(
    payload: Mapping[str, Any], spec: ScenarioSpec, points: Sequence[StoredPoint]
) -> tuple[tuple[str, ...], tuple[ChangeRow, ...]]:
    """Return headings and rows of the paired differences against the present settings (else the first point)."""
    changes = payload["changes"]["points"]
    asked = (asked_metric(spec), *(item.metric for item in spec.objectives))
    names = [name for name in dict.fromkeys((*asked, *TOLD)) if any(name in item for item in changes.values())]
    rows = tuple(
        (place_text(spec, point.overrides), tuple(_cell(changes[str(point.index)].get(name)) for name in names))
        for point in points
        if str(point.index) in changes
    )
    return tuple(metric_title(name) for name in names), rows


def risks_of(answer: Answer | None, chosen: StoredPoint | None, holds: str) -> tuple[Risk, ...]:
    """Return broken rules, measured harm, growth of the arrivals, and what the model leaves out."""
    certain, unknown = "certain: the rule compares these settings", "not known: a forecast of the arrivals would say"
    broken = [
        Risk(": ".join(filter(None, (card.queue, card.message))), card.look, certain, card.source)
        for card in (answer.broken if answer else ())
    ]
    metrics, here = chosen.summary.metrics if chosen else {}, "this work and these settings"
    harm = [
        Risk(metric_title(name), severity, f"seen in the simulation: {estimate_text(metrics[name])}", here)
        for name, severity in RISKS.items()
        if name in metrics and metrics[name].value > 0
    ]
    growth = [Risk("More arrives than these settings carry", "error", unknown, holds)]
    left = [Risk(f"Not modelled: {name}", "not known", "not known: measure it", sign) for name, sign in NOT_MODELLED]
    return (*broken, *harm, *(growth if holds else ()), *left)


def _check(name: str, rows: Iterable[tuple[str, bool, float]]) -> CheckTold:
    results = list(rows)
    failed = tuple(label for label, passed, _ in results if not passed)
    return CheckTold(name, len(results) - len(failed), len(results), max(size for *_, size in results), failed)


def _cell(item: Mapping[str, Any] | None) -> tuple[str, str, bool]:
    if item is None:
        return "–", "", True
    return change_text(estimate_read(item)), item["verdict"], item["paired"]
