"""From replications to the answer of a point: estimates with intervals, the verdict, the curves."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from simulations.analysis.estimates import curves, metric_estimates
from simulations.analysis.estimates.crosschecks import cross_checks
from simulations.analysis.estimates.intervals import Precision, relative_half_width, replications_needed
from simulations.analysis.estimates.metrics import BY_NAME, Metric
from simulations.analysis.estimates.stability import Growth, unstable_queues
from simulations.analysis.estimates.summary import ENDLESS, STOPPED, Estimate, Finding, PointSummary, Source, Status
from simulations.analysis.replications.measures import over_time
from simulations.analysis.replications.rows import ReplicationRow, Stack, stacked
from simulations.analysis.replications.sample import Sample, sample_of
from simulations.engine.network.model import NetworkSpec
from simulations.engine.network.results import Count

MARGIN = 1.1
"""More replications than the forecast says, because it is right only half the time."""
GROWTH = 4
"""A forecast from few replications is rough: at most so many times as many in the next round."""


@dataclass(frozen=True)
class KnownPoint:
    """What is known about a point apart from its replications. ``servers``: names of the network's pools, in order.
    ``carried``: queue name -> closed form of its largest throughput per second, where there is one."""

    index: int
    overrides: Mapping[str, Any]
    network: NetworkSpec
    servers: Sequence[str]
    carried: Mapping[str, float]
    derived: Mapping[str, float]
    findings: tuple[Finding, ...] = ()


def summarize(
    point: KnownPoint,
    rows: Sequence[ReplicationRow],
    *,
    precision: Precision | None = None,
    warmup: float | None = None,
    baseline: Sample | None = None,
    only: Collection[str] | None = None,
) -> PointSummary:
    """Return the answer of a point.

    Args:
        point: what is known apart from the replications.
        rows: its replications, in any order, each number once.
        precision: what must be reached for status ``ok``; None asks nothing.
        warmup: seconds to cut, or None to find them; transient runs are never cut.
        baseline: point 0 of the sweep (its ``Sample``), for the paired differences; None at point 0.
        only: the metrics wanted of one point of many, beside that of the precision, without servers, curves and rules;
            None wants everything.

    Raises ValueError when the rows do not fit (see ``sample.sample_of``) or the precision's metric can have none.
    """
    stack = stacked(rows)
    sample = sample_of(point.network, stack, warmup)
    growing = unstable_queues(sample, point.carried)
    lost = {growth.queue: growth for growth in growing}
    judged = only if only is None or precision is None else {*only, precision.metric}
    metrics = metric_estimates.of_system(sample, unstable=bool(growing), only=judged)
    # With background work that does not keep up the system is unstable, and its only queue need not be.
    shared = metrics if lost.keys() <= set(sample.foreground) else None
    stuck = _unfinished(stack.rows)
    compared = precision.metric if precision and only is not None and precision.metric in metrics else ""
    bare = PointSummary(
        index=point.index,
        overrides=point.overrides,
        status=_status(growing, stuck, precise=precision is None or is_precise(metrics, precision)),
        replications=len(stack),
        events=sum(row.events for row in stack.rows),
        metrics=metrics,
        queues={
            stream.name: _of_queue(sample, index, lost.get(index), only, shared)
            for index, stream in enumerate(point.network.streams)
        },
        derived=point.derived,
        findings=stuck,
        problems=() if growing else tuple(finding.message for finding in stuck),
        checks=_checks(point.network, stack),
        warmup={name: float(value) for name, value in asdict(sample.warmup).items()},
        growth=_growth(point, sample, growing),
        differences=metric_estimates.differences(sample, baseline, only=only) if baseline and not growing else {},
        samples={compared: samples(sample, BY_NAME[compared])} if compared else {},
    )
    return bare if only is not None else _with_curves(bare, point, stack, sample)


def _with_curves(bare: PointSummary, point: KnownPoint, stack: Stack, sample: Sample) -> PointSummary:
    """Add what only the whole answer has: servers, curves, instances and the verdicts of rules."""
    names = list(bare.queues)
    instances = {name: metric_estimates.of_instances(sample, index) for index, name in enumerate(names)}
    return replace(
        bare,
        servers={name: metric_estimates.of_pool(sample, index) for index, name in enumerate(point.servers)},
        findings=(*bare.findings, *point.findings),
        tail={name: curves.tail(columns) for name, columns in zip(names, sample.queues, strict=True)},
        timeline={name: _timeline(stack, index) for index, name in enumerate(names)},
        threads={name: curves.threads(stack, index) for index, name in enumerate(point.servers)},
        instances={name: completed for name, completed in instances.items() if completed},
    )


def _unfinished(rows: Sequence[ReplicationRow]) -> tuple[Finding, ...]:
    """Return the finding that replications ended with messages left that nothing ends, if any did. Their numbers hold
    for the time up to there; nothing has drained."""
    stuck = sum(row.stuck for row in rows)
    message = (
        f"{stuck} of {len(rows)} replications were ended early, with messages left: deliveries fail and are repeated "
        "without end, a listener has stopped, or the course has too many events to simulate. Limit the deliveries, "
        "let the work end in time, or shorten the course."
    )
    source = Source("Engine", "end of a replication", "assumed")
    details = {"replications": float(stuck)}
    return (Finding("engine.unfinished", "violated", "error", message, source, details=details),) if stuck else ()


def _of_queue(
    sample: Sample,
    index: int,
    growth: Growth | None,
    only: Collection[str] | None,
    system: Mapping[str, Estimate] | None,
) -> Mapping[str, Estimate]:
    """Return the estimates of a queue; where its listener stopped, or poison piles up, its growth says so."""
    estimates = metric_estimates.of_queue(sample, index, unstable=growth is not None, only=only, system=system)
    rate = estimates.get("backlog.growth")
    if growth is None or rate is None or not (growth.stopped or growth.endless):
        return estimates
    stop = f"{STOPPED} in {growth.stopped} of {len(sample.replications)} replications; all else is rough"
    why = stop if growth.stopped else ENDLESS
    return estimates | {"backlog.growth": replace(growth.rate, note="; ".join(filter(None, (growth.rate.note, why))))}


def is_precise(metrics: Mapping[str, Estimate], precision: Precision) -> bool:
    """Return whether the asked precision is reached; raises ValueError for a metric that can have none."""
    metric = BY_NAME.get(precision.metric)
    if metric is None or metric.is_extreme:
        raise ValueError(f"{precision.metric!r} is not a metric with a confidence interval")
    estimate = metrics.get(precision.metric)
    return estimate is not None and relative_half_width(estimate) <= precision.relative


def replications_for(summary: PointSummary, precision: Precision) -> int:
    """Return how many replications in all the point should have next; its own number when it needs no more. An unstable
    point needs no more: it is recognized, and its percentiles do not exist."""
    if summary.status != "not_converged":
        return summary.replications
    estimate = summary.metrics.get(precision.metric)
    if estimate is None:
        return 2 * summary.replications
    return replications_needed(estimate, summary.replications, precision.relative)


def forecast(summary: PointSummary, precision: Precision, *, planned: int, most: int) -> int:
    """Return how many replications, at least ``planned`` and at most ``most``, the point will probably have."""
    return max(planned, min(most, math.ceil(replications_for(summary, precision) * MARGIN)))


def next_round(summary: PointSummary, precision: Precision, *, planned: int, most: int) -> int:
    """Return how many replications in all the next round should bring the point to."""
    return min(forecast(summary, precision, planned=planned, most=most), planned * GROWTH)


def _status(growing: tuple[Growth, ...], stuck: tuple[Finding, ...], *, precise: bool) -> Status:
    if growing or stuck:
        return "unstable" if growing else "invalid"
    return "ok" if precise else "not_converged"


def _checks(network: NetworkSpec, stack: Stack) -> tuple[Mapping[str, Any], ...]:
    """Merge the checks of all replications, the engine's own and those between them, by name: all passed, the worst."""
    merged: dict[str, dict[str, Any]] = {}
    for check in (*(check for row in stack.rows for check in row.checks), *cross_checks(network, stack)):
        entry = merged.setdefault(check.name, {"name": check.name, "passed": True, "residual": 0.0})
        entry["passed"] = entry["passed"] and check.passed
        entry["residual"] = max(entry["residual"], check.residual)
    return tuple(merged.values())


def _growth(point: KnownPoint, sample: Sample, growing: tuple[Growth, ...]) -> dict[str, float]:
    if not growing:
        return {}
    rates = {point.network.streams[growth.queue].name: growth.rate.value for growth in growing}
    return rates | {"carried": float(over_time(Count.COMPLETED)(sample.system.merged())[0])}


def _timeline(stack: Stack, queue: int) -> curves.Curve:
    first = stack.rows[0]
    curve = curves.timeline(first, queue) if len(first.timeline_at) else {}
    return curve | curves.bands(stack, queue) if len(stack) > 1 else curve


def samples(sample: Sample, metric: Metric) -> tuple[float, ...]:
    """Return what each replication says of the metric, in the order of their numbers; empty where it has no number.

    Their mean is the metric without the bias of its percentile, and points with the same random numbers have them in
    pairs. Of a pooled metric these are the jackknife's pseudo-values.
    """
    place, count = sample.everywhere, len(sample.replications)
    if metric.observed is not None:
        values = metric.observed(place.observed)
    elif metric.pooled is not None:
        whole, *left_out = place.columns.measured(metric.pooled)
        values = count * whole - (count - 1) * np.array(left_out)
    if len(values) != count or not np.isfinite(values).all():
        return ()
    return tuple(values[np.argsort(sample.replications)].tolist())
