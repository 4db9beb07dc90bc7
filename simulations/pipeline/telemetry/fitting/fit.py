"""What a log says about one queue: the numbers that a scenario needs, with intervals and what they rest on."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulations.analysis.estimates.intervals import jackknife
from simulations.analysis.replications.measures import Floats
from simulations.pipeline.telemetry.fitting.arrivals import Arrivals, arrivals_fit
from simulations.pipeline.telemetry.fitting.families import Fit, chosen, curve, fits, percentile
from simulations.pipeline.telemetry.fitting.limits import Limit, limit_fit
from simulations.pipeline.telemetry.fitting.questions import FITTED, Seen, Span
from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused

FEWEST_DELIVERIES = 1_000
"""It takes so many to see that their time depends on how many are in process."""
SURE = 3.3
"""Standard errors that the slope must be away from zero: a chance of one in a thousand."""
FEW_AND_MANY = (0.1, 0.9)
"""Shares of the deliveries that begin with few or less, and with many or less in process."""


@dataclass(frozen=True)
class Dependence:
    """Deliveries take ``growth`` ± ``half`` (95 %) times as long with many in process as with few.

    Independent service times do not depend on how many are in process when they begin. Where these do, CPUs are shared,
    or a limit lies behind the threads.
    """

    growth: float
    half: float
    sentence: str


def dependence_fit(started: Mapping[int, int], micros: Mapping[int, int], cv: float) -> Dependence | None:
    """Return how the time of a delivery depends on the number in process; None where it shows no dependence.

    ``started``: deliveries by the number in process just after they began, themselves included; ``micros``: their time
    in all, in microseconds; ``cv``: coefficient of variation of a single time.
    """
    if sum(started.values()) < FEWEST_DELIVERIES:
        return None
    numbers = np.array(sorted(started))
    counts, total = (np.array([found[number] for number in numbers.tolist()]) for found in (started, micros))
    few, many = (int(numbers[np.searchsorted(counts.cumsum(), share * counts.sum())]) for share in FEW_AND_MANY)
    if many == few or not total.sum():
        return None
    weights = counts**0.5 / (cv * total.sum() / counts.sum())
    (slope, base), variances = np.polyfit(numbers, total / counts, 1, w=weights, cov="unscaled")
    error, least = variances[0, 0] ** 0.5, base + slope * few
    if least <= 0 or abs(slope) < SURE * error:
        return None
    growth, half = 1 + slope * (many - few) / least, 1.96 * error * (many - few) / least
    why = "CPUs are shared, or something behind the threads is waited for" if slope > 0 else "the work differs"
    size = f"{growth:.3g} ± {half:.2g} times as long with {many} in process as with {few}"
    return Dependence(float(growth), float(half), f"deliveries take {size}: {why}")


FEWEST_CROWDED = 30
"""Starts with others waiting that it takes to know the number of threads."""
FEWEST_TIMES = 100
STAGES = (0.5, 0.95, 0.99)


@dataclass(frozen=True)
class Value:
    """A number with its 95 % interval over blocks of time; ``low`` and ``high`` None where there are too few."""

    value: float
    low: float | None
    high: float | None
    unit: str


@dataclass(frozen=True)
class Concurrency:
    """How many messages are processed at a time.

    ``limited``: messages were seen waiting, so ``threads`` is the limit; otherwise it is only the most that were seen.
    ``share``: of the starts with others waiting, those with exactly that many in process; ``starts``: how many.
    """

    threads: int
    limited: bool
    share: float
    starts: int


@dataclass(frozen=True)
class QueueFit:
    """Everything that was learnt about a queue. ``families``: all that were tried, the likeliest first."""

    name: str
    messages: int
    service: Fit
    families: tuple[Fit, ...]
    service_mean: Value
    service_cv: Value
    percentiles: dict[str, float]
    latency: dict[str, float]
    arrivals: Arrivals
    concurrency: Concurrency
    failure_rate: Value
    redelivered: Value
    expired: Value
    most_deliveries: int
    instances: dict[str, int]
    curve: dict[str, list[float]]
    """Of the service times: ``time`` and the shares above it, ``measured`` and ``fitted``."""
    dependence: Dependence | None = None
    """Of the time of a delivery on how many are in process, where no limit explains it."""
    limit: Limit | None = None
    """Behind the threads, where the log of a single instance shows it; ``service`` is then the time alone."""
    provenance: str = "fitted"
    """Of the distribution of service times."""
    assumed: tuple[str, ...] = ()


def queue_fit(seen: Seen, span: Span, width: float) -> QueueFit:
    """Return everything that was learnt about a queue; raises TelemetryRefused when there is too little of it."""
    service, families, mean, cv = service_fit(seen)
    failure, again, expired = rates_fit(seen)
    fitted = seen.service[:FITTED].sum(axis=0)
    dependence = dependence_fit(seen.slices.get("started", {}), seen.slices.get("micros", {}), cv.value)
    drawn, limit = curve(service, fitted), None
    if dependence and dependence.growth > 1 and len(seen.instances) == 1:
        limit = limit_fit(seen.slices["left"], seen.slices["held"])
    if limit:
        service = service.scaled(limit.mean)
        service.body["cpu"] = float(limit.cpus)
    return QueueFit(
        name=seen.name,
        messages=seen.messages,
        service=service,
        families=families,
        service_mean=mean,
        service_cv=cv,
        percentiles=percentiles_of(fitted),
        latency=percentiles_of(seen.latency.sum(axis=0)),
        arrivals=arrivals_fit(seen.arrivals, width, span.start, seen.slices.get("interval", {})),
        concurrency=concurrency_fit(seen.slices),
        failure_rate=failure,
        redelivered=again,
        expired=expired,
        most_deliveries=seen.most_deliveries,
        instances=seen.instances,
        curve=drawn,
        dependence=None if limit else dependence,
        limit=limit,
        assumed=(f"{seen.name}: {limit.words}: deliveries take longer together.",) if limit else (),
    )


def service_fit(seen: Seen) -> tuple[Fit, tuple[Fit, ...], Value, Value]:
    """Return the chosen fit, all families, and mean and variation of the fitted part. Raises TelemetryRefused."""
    columns = {name: values[:FITTED] for name, values in seen.blocks.items()}
    merged = seen.service[:FITTED].sum(axis=0)
    if merged.sum() < FEWEST_TIMES:
        raise TelemetryRefused(
            f"queue {seen.name!r}: {int(merged.sum())} messages were completed at their first delivery in the first "
            f"70 % of the time; at least {FEWEST_TIMES} are needed"
        )

    def moments(sums: Floats) -> Floats:
        size, time, squares = sums
        mean = time / np.maximum(size, 1)
        deviation = np.sqrt(np.maximum(squares / np.maximum(size, 1) - mean**2, 0))
        return np.array([mean, deviation / np.maximum(mean, 1e-12)])

    mean, cv = estimates(np.array([columns[name] for name in ("alone", "time", "squares")]), moments, ("s", "1"))
    if mean.value <= 0:
        raise TelemetryRefused(f"queue {seen.name!r}: every message was processed in no time")
    return chosen(merged, mean.value, cv.value), fits(merged, mean.value, cv.value), mean, cv


def rates_fit(seen: Seen) -> tuple[Value, Value, Value]:
    """Return the share of deliveries that failed, of messages delivered again, and of messages that expired."""
    names = ("deliveries", "failures", "messages", "expired")

    def shares(sums: Floats) -> Floats:
        deliveries, failures, messages, expired = np.maximum(sums, 0)
        again = (deliveries - messages) / np.maximum(messages, 1)
        return np.array([failures / np.maximum(deliveries, 1), again, expired / np.maximum(messages, 1)])

    found = estimates(np.array([seen.blocks[name] for name in names]), shares, ("1", "1", "1"))
    return found[0], found[1], found[2]


def concurrency_fit(seen: dict[str, dict[int, int]]) -> Concurrency:
    """Return the number of threads: what most starts with others waiting show, or the most in process at any time."""
    crowded = seen.get("busy", {})
    starts = sum(crowded.values())
    if starts < FEWEST_CROWDED:
        return Concurrency(max(1, *seen.get("started", {1: 1})), limited=False, share=0.0, starts=starts)
    threads = max(crowded, key=lambda number: (crowded[number], number))
    return Concurrency(max(1, threads), limited=True, share=crowded[threads] / starts, starts=starts)


def percentiles_of(counts: NDArray[np.int64]) -> dict[str, float]:
    """Return p50, p95 and p99 of counted times, in seconds."""
    return {f"p{round(100 * share)}": percentile(counts, share) for share in STAGES}


def estimates(columns: Floats, ratio: Any, units: tuple[str, ...]) -> list[Value]:
    """Return ratios of sums [columns, blocks] with jackknife intervals over blocks whose first column is above 0."""
    used = columns[:, columns[0] > 0]
    total = used.sum(axis=1)
    whole = ratio(total)
    if used.shape[1] < 5:
        return [Value(float(value), None, None, unit) for value, unit in zip(whole, units, strict=True)]
    left_out = np.array([ratio(total - used[:, block]) for block in range(used.shape[1])])
    below, above = jackknife(whole, left_out)
    spread = zip(whole, below, above, units, strict=True)
    return [Value(float(v), max(0.0, float(v - b)), float(v + a), unit) for v, b, a, unit in spread if math.isfinite(v)]
