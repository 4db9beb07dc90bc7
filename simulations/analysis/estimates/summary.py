"""The values that leave the analysis, all plain data, and how their numbers are written: unit, digits, half-width."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

Origin = Literal["formula", "simulated", "measured", "assumed"]
Status = Literal["ok", "unstable", "not_converged", "invalid"]
_ROUNDING = 1e-9
"""Relative size of what adding floating point numbers up can change; no interval is that narrow."""


Trust = Literal["source", "assumed", "unverified"]


@dataclass(frozen=True)
class Source:
    """Where a rule or a default comes from. ``trust`` is ``unverified`` for facts that were found but not confirmed."""

    document: str
    place: str
    trust: Trust = "source"


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval; ``low == high == value`` and origin ``formula`` mean exact."""

    value: float
    low: float
    high: float
    unit: str
    origin: Origin = "simulated"
    note: str = ""
    """Why the interval deserves caution (few replications, few messages), or what it is when it is no 95 % interval."""

    @property
    def ci95(self) -> tuple[float, float]:
        """Both ends of the interval."""
        return self.low, self.high

    @property
    def half_width(self) -> float:
        """The longer side of the interval: the number after ± wherever one is; 0 where it is rounding alone."""
        half = max(self.high - self.value, self.value - self.low, 0.0)
        return half if half > _ROUNDING * abs(self.value) else 0.0

    @property
    def leaves_zero_out(self) -> bool:
        """Whether the whole interval lies on one side of zero."""
        return self.low > 0 or self.high < 0

    def __neg__(self) -> "Estimate":
        return replace(self, value=-self.value, low=-self.high, high=-self.low)

    def __mul__(self, factor: float) -> "Estimate":
        """The estimate times a positive number."""
        return replace(self, value=self.value * factor, low=self.low * factor, high=self.high * factor)

    def __sub__(self, other: "Estimate") -> "Estimate":
        """The difference of two independent estimates: the sides of their intervals add up as squares."""
        value = self.value - other.value
        below = math.hypot(self.value - self.low, other.high - other.value)
        above = math.hypot(self.high - self.value, other.value - other.low)
        return Estimate(value, value - below, value + above, self.unit)

    def __abs__(self) -> "Estimate":
        return self if self.value >= 0 else -self


@dataclass(frozen=True)
class Finding:
    """The verdict of one rule. ``message`` is the sentence shown; ``fix`` maps scenario paths to values that cure it.
    ``details`` holds the rule's own numbers (for example ``worst_case_s``)."""

    rule: str
    status: Literal["ok", "violated", "ignored", "not_applicable"]
    severity: Literal["info", "warning", "error"]
    message: str
    source: Source
    queue: str = ""
    fix: Mapping[str, Any] = field(default_factory=dict)
    details: Mapping[str, float] = field(default_factory=dict)
    cost: Mapping[str, Estimate] = field(default_factory=dict)


@dataclass(frozen=True)
class Derived:
    """One formula answer, for example worker threads. ``formula`` shows the computation with the numbers in it."""

    name: str
    title: str
    value: float
    unit: str
    formula: str
    source: Source
    entity: str = ""


@dataclass(frozen=True)
class Derivation:
    """All that can be said without simulating: formula answers and rule verdicts."""

    values: tuple[Derived, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class PointSummary:
    """The answer for one point: metrics over all queues, and of each queue, with intervals."""

    index: int
    overrides: Mapping[str, Any]
    status: Status
    replications: int = 0
    events: int = 0
    metrics: Mapping[str, Estimate] = field(default_factory=dict)
    queues: Mapping[str, Mapping[str, Estimate]] = field(default_factory=dict)
    derived: Mapping[str, float] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    checks: tuple[Mapping[str, Any], ...] = ()
    warmup: Mapping[str, float] = field(default_factory=dict)
    """``segments`` cut, ``fraction`` of the run and mean ``seconds``; ``at_limit`` 1 when the run is too short for its
    warm-up. Zeros for transient runs."""
    growth: Mapping[str, float] = field(default_factory=dict)
    """Unstable points: messages per second by which each queue grows; carried rate under ``carried``."""
    tail: Mapping[str, Mapping[str, list[float | None]]] = field(default_factory=dict)
    """By queue: ``latency`` (s) and ``survival`` with ``low`` and ``high``, thinned to at most 200 points."""
    timeline: Mapping[str, Mapping[str, list[float | None]]] = field(default_factory=dict)
    """By queue: ``time`` and a list per column of ``results.Timeline`` in lower case (first replication), and
    the bands ``p50``, ``p95``, ``p99`` of latency over ``band_time`` with ``p95_low`` and ``p95_high``; None = none."""
    servers: Mapping[str, Mapping[str, Estimate]] = field(default_factory=dict)
    """By server: threads by state and CPU utilization."""
    threads: Mapping[str, Mapping[str, list[float | None]]] = field(default_factory=dict)
    """By server: ``band_time`` (s) and the mean number of threads ``busy`` (with ``busy_low`` and ``busy_high``),
    ``idle_no_work``, ``idle_blocked`` and ``held`` in each part of the run, over all replications; None = none."""
    instances: Mapping[str, tuple[Estimate, ...]] = field(default_factory=dict)
    """By queue of a cluster: messages that each instance completed, mean per replication, warm-up included."""
    differences: Mapping[str, Estimate] = field(default_factory=dict)
    """Paired differences of the metrics against point 0 (common random numbers); empty for point 0. Where that is
    invalid, the first point that is not takes its place."""
    problems: tuple[str, ...] = ()
    """Why the point is invalid, one sentence each; it has nothing else then."""
    samples: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """What each replication says of the metric that an experiment compares, in the order of their numbers, so that any
    two points can be compared in pairs (jackknife pseudo-values; ADR 107). Empty outside experiments."""

    def of(self, queue: str | None) -> Mapping[str, Estimate]:
        """Return the metrics of the queue of that name, of the whole system without one."""
        return self.queues.get(queue, {}) if queue else self.metrics

    def places(self) -> Iterator[tuple[str, str, Mapping[str, Estimate]]]:
        """Yield queue, server and estimates of the whole system (both empty), of each queue and of each server."""
        yield "", "", self.metrics
        yield from ((queue, "", metrics) for queue, metrics in self.queues.items())
        yield from (("", server, metrics) for server, metrics in self.servers.items())


SCALES: dict[str, tuple[tuple[float, float, str], ...]] = {
    "s": ((3600.0, 1 / 3600.0, "h"), (180.0, 1 / 60.0, "min"), (1.0, 1.0, "s"), (1e-3, 1e3, "ms"), (0.0, 1e6, "µs")),
    "B": ((1e9, 1e-9, "GB"), (1e6, 1e-6, "MB"), (1e3, 1e-3, "kB"), (0.0, 1.0, "B")),
}
"""By unit: from this size on, this factor gives the unit that people use."""
WRITTEN = {"1": "", "weight": ""}
"""Units that are not written as they are called."""
ENDLESS = "poison messages are delivered without end"
"""In the same note, where they pile up; the growth is theirs, unless it is larger."""
STOPPED = "its listener stopped"
"""In the note of the growth of a queue that nothing takes from any more."""
TINY = 0.01
"""What is less than that in the unit of its neighbor keeps its own."""
HUGE = 10_000
"""What is that or more in the unit of the bound that it is compared with keeps its own."""
FINEST = 1e-4
"""Relative half-width below which nobody wants to read another digit."""
MOST_DECIMALS = 6
"""What has no digit among these, interval included, is 0."""


class Scale(NamedTuple):
    """How to write numbers of one unit and size: multiply by ``factor``, then append ``unit``."""

    factor: float
    unit: str


class Quantity(NamedTuple):
    """A number ready to be shown; ``half`` is empty for exact numbers."""

    value: str
    half: str
    unit: str

    def __str__(self) -> str:
        half = f" ± {self.half}" if self.half else ""
        gap = "" if not self.unit or self.unit.startswith("/") else " "
        return f"{self.value}{half}{gap}{self.unit}"


def scale_of(size: float, unit: str) -> Scale:
    """Return the scale for numbers about as large as ``size``; fractions stay as they are."""
    if size == 0 and unit == "s":
        return Scale(1e3, "ms")
    for least, factor, name in SCALES.get(unit, ()):
        if abs(size) >= least:
            return Scale(factor, name)
    return Scale(1.0, WRITTEN.get(unit, unit))


def exact_scale(size: float, unit: str, *numbers: float) -> Scale:
    """Return the largest scale up to that of ``size`` and the numbers which shows most of the numbers exactly."""
    first = scale_of(max(size, *map(abs, numbers)), unit)
    scales = [first, *(Scale(factor, name) for _, factor, name in SCALES.get(unit, ()) if factor > first.factor)]
    return max(scales, key=lambda scale: sum(_is_short(number * scale.factor) for number in numbers))


def _is_short(number: float) -> bool:
    return abs(number) < 1000 and math.isclose(number, float(f"{number:.4g}"), rel_tol=_ROUNDING)


def significant(value: float, half: float = 0.0) -> str:
    """Write ``value`` with four significant digits, and no more than two digits of ``half`` support."""
    if not math.isfinite(value):
        return "∞" if value > 0 else "-∞"
    text = _rounded(value, _decimals(value, half))
    return text.rstrip("0").rstrip(".") if "." in text and half <= 0 else text


def _decimals(value: float, half: float) -> int:
    """How many decimals to write; below zero the last digits before the point are rounded, for exact values never."""
    four = max(0, min(3 - _magnitude(value), MOST_DECIMALS)) if value else MOST_DECIMALS
    if half > 0 and math.isfinite(half):
        return min(1 - _magnitude(half), four)
    return four if value else 0


def _magnitude(value: float) -> int:
    return math.floor(math.log10(abs(value)))


def _rounded(value: float, decimals: int) -> str:
    return f"{round(value, decimals) + 0.0:,.{max(0, decimals)}f}"


def quantity(value: float, unit: str, half: float = 0.0, beside: float | Scale = 0.0) -> Quantity:
    """Return a number with its half-width in the unit that suits it, a fraction in percent.

    In the unit of the number ``beside`` it, unless that is so large that hardly a digit of this one would be left, and
    in a smaller unit where that alone shows the two as they are: 220 s, not 3.667 min. ``beside`` a bound, in its own.
    """
    size = max(abs(value), half)
    if isinstance(beside, Scale) and size * beside.factor >= HUGE:
        beside = 0.0
    scale = beside if isinstance(beside, Scale) else exact_scale(size, unit, beside, 0.0 if half > 0 else value)
    if unit == "1":
        scale = Scale(100.0, "%")
    if unit != "1" and 0 < size * scale.factor < TINY:
        scale = scale_of(size, unit)
    factor = scale.factor if size * scale.factor >= 10**-MOST_DECIMALS else 0.0
    shown, width = value * factor, half * factor
    text = significant(shown, width)
    unit = one_of(scale.unit) if text == "1" else scale.unit
    return Quantity(text, _half_text(shown, width) if width > 0 else "", unit)


def _half_text(value: float, half: float) -> str:
    """Write a half-width to the last digit of its value; rounded up where it has digits beyond that one."""
    if not math.isfinite(half):
        return "∞"
    decimals = _decimals(value, half)
    whole = decimals == 1 - _magnitude(half)
    return _rounded(half if whole else math.ceil(half * 10**decimals) / 10**decimals, decimals)


def one_of(unit: str) -> str:
    """Return a unit as it stands after 1: ``threads`` become ``thread``, symbols such as ``ms`` stay."""
    return unit[:-1] if len(unit) > 3 and unit.endswith("s") else unit


def estimate_quantity(estimate: Estimate, beside: float | Scale = 0.0) -> Quantity:
    """Return an estimate with the half-width of its 95 % interval; exact ones have none. ``beside`` as ``quantity``."""
    return quantity(estimate.value, estimate.unit, estimate.half_width, beside)


def estimate_text(estimate: Estimate | None, beside: float | Scale = 0.0) -> str:
    """Write an estimate with its half-width and unit, a dash for none."""
    return str(estimate_quantity(estimate, beside)) if estimate else "–"


def change_text(change: Estimate, beside: float = 0.0) -> str:
    """Write a difference: as an estimate, with its sign; of shares in points, as percent would be relative. Of one that
    is sure, though one side of its interval is longer than its value, the two ends."""
    size = abs(change)
    shown = estimate_quantity(size, beside)
    sign = "" if not shown.value.strip("0.") else "−" if change.value < 0 else "+"
    if change.leaves_zero_out and size.half_width >= size.value:
        near, far = (quantity(end, size.unit, end, size.high)._replace(half="") for end in size.ci95)
        return f"{sign}{near._replace(unit='')} to {sign}{far}".replace("%", "% points")
    return f"{sign}{shown}".replace("%", "% points")


def percent(fraction: float) -> str:
    """Write a fraction as a percentage with up to three digits."""
    return f"{significant(float(f'{100 * fraction:.3g}'))} %"


def precision_text(relative: float) -> str:
    """Write a half-width relative to its value, asked or reached."""
    return f"± {percent(relative)}" if relative >= FINEST or relative == 0 else f"± less than {percent(FINEST)}"
