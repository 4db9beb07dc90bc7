"""A log of messages, or of metric samples: what Spark counts of it, fits, and checks against what is held out."""

from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray
from pyspark.sql import DataFrame
from pyspark.sql.connect import functions as f

from simulations.analysis.replications.measures import Floats
from simulations.declarations.texts import as_name
from simulations.pipeline.spark.executors import ShouldStop
from simulations.pipeline.telemetry.fitting import intervals as spark
from simulations.pipeline.telemetry.fitting import questions
from simulations.pipeline.telemetry.fitting.families import Choice, choices_of, percentile
from simulations.pipeline.telemetry.fitting.fit import QueueFit, queue_fit
from simulations.pipeline.telemetry.fitting.holdout import FEWEST, PARTS, SEED, SHARE, Check, Look, Observed, checks_of
from simulations.pipeline.telemetry.fitting.intervals import Instance
from simulations.pipeline.telemetry.fitting.questions import MOST_WINDOWS, Seen, Span, each_fitted
from simulations.pipeline.telemetry.fitting.sample_fit import SampledFit, Watched, sampled_fit
from simulations.pipeline.telemetry.reading.raw import RawLog
from simulations.scenario.spec import ScenarioSpec

Picked = NDArray[np.bool_]
UNEVEN = 10
"""Windows are this many intervals long where intervals differ: splitting one between two windows smooths less."""
FEWEST_WINDOWS = 100
TIMES = {"latency.mean": "present", "wait.mean": "waiting", "service.mean": "busy"}
"""What is compared, and the gauge that it takes."""
P95 = "latency.p95"
BUSIER = 1.1
"""Load of the busiest stretch, relative to the log's mean, from which it says something about more load."""
STRETCH = 6
"""The busiest stretch is so many times shorter than the held-out part, or has the messages that a check needs."""


@dataclass(frozen=True)
class SampleLog:
    """What was counted of each queue."""

    span: Span
    seen: dict[str, Watched]

    @classmethod
    def counted(cls, intervals: DataFrame, log: RawLog) -> "SampleLog":
        """Ask Spark the questions of intervals as ``spark.between`` made them; raises TelemetryRefused."""
        questions.instances_of(intervals)
        span = questions.span_of(intervals, "end", "end")
        found = spark.instances(intervals)
        names = {item.queue for item in found}
        width = width_of(found, span, max(1, len(names)))
        columns = spark.windows(intervals, log.layout, span, width)
        seen = {
            name: Watched(name, tuple(item for item in found if item.queue == name), columns[name], width)
            for name in sorted(names)
        }
        return cls(span, seen)

    def fits(self, base: ScenarioSpec | None) -> tuple[tuple[SampledFit, ...], dict[str, str]]:
        """Return the fits (queues of ``base`` keep its shape of times), and why other queues have none. Raises
        TelemetryRefused without any fit."""
        choices = choices_of(base) if base else {}
        return each_fitted(
            self.seen, lambda item: sampled_fit(item, self.span, choices.get(as_name(item.name), Choice()))
        )

    def checks(self, spec: ScenarioSpec, *, should_stop: ShouldStop) -> tuple[Check, ...]:
        """Return the checks of each queue of the scenario: mean times by Little's law, those that its gauges show."""
        random = np.random.default_rng(SEED)

        def look(item: Watched, most: int) -> Look:
            held = held_parts(item, self.span, most)
            part = _observed(item, held, ("latency.mean", "wait.mean", "service.mean"))
            whole = _observed(item, item.covered, ("latency.mean", "wait.mean"))
            return Look(instants(item, held, random), part, whole)

        return checks_of(spec, self.seen, look, should_stop=should_stop)


def width_of(instances: list[Instance], span: Span, queues: int) -> float:
    """Return the width in seconds of the windows: one interval of the slowest instance where they are even."""
    usual = max((item.usual for item in instances), default=1.0)
    least = questions.window_of(span, queues) if queues * (span.end - span.start) / usual > MOST_WINDOWS else usual
    times = max(1, round(least / usual))
    if not all(item.regular for item in instances) or len({round(item.usual, 3) for item in instances}) > 1:
        times = max(times, min(UNEVEN, int((span.end - span.start) / usual / FEWEST_WINDOWS)), 1)
    return usual * times


def held_parts(item: Watched, span: Span, most: int) -> Picked:
    """Return the watched windows after the split, evenly chosen stretches of them when there are too many messages."""
    after = (np.arange(len(item.covered)) + 0.5) * item.width >= span.split - span.start
    held: Picked = item.covered & after & np.isfinite(item.columns["arrived"])
    total = float(item.columns["arrived"][held].sum())
    if total <= most:
        return held
    at = np.flatnonzero(held)
    phase = np.arange(len(at)) / len(at) * PARTS % 1.0
    held[at[phase > most / total]] = False
    return held


def instants(item: Watched, held: Picked, random: np.random.Generator) -> NDArray[np.float64]:
    """Return an instant for each arrival: as many in each window as were counted, evenly spread by chance."""
    at = np.flatnonzero(held)
    exact = item.columns["arrived"][at].cumsum()
    counts = np.diff(np.floor(exact + 0.5), prepend=0.0).astype(np.int64)
    found: NDArray[np.float64] = np.sort((np.repeat(at, counts) + random.random(int(counts.sum()))) * item.width)
    return found


def _observed(item: Watched, windows: Picked, metrics: tuple[str, ...]) -> Observed:
    """Mean times in seconds; the mean in the system says more than the wait alone, which is small where it is known."""
    gauges, completed = item.gauges, item.columns["completed"]
    times = {}
    for metric in metrics:
        column = gauges[TIMES[metric]]
        known = windows & np.isfinite(column) & np.isfinite(completed)
        if known.any() and completed[known].sum() > 0:
            times[metric] = float(column[known].sum() / completed[known].sum())
    if "latency.mean" in times:
        times.pop("wait.mean", None)
    return Observed(round(float(np.nansum(completed[windows]))), times)


@dataclass(frozen=True)
class MessageLog:
    """The good rows and what was counted of each queue; ``width``: seconds of an arrival window."""

    rows: DataFrame
    span: Span
    width: float
    seen: dict[str, Seen]

    @classmethod
    def counted(cls, rows: DataFrame) -> "MessageLog":
        """Ask Spark the questions; raises TelemetryRefused for logs that have no answer."""
        span, instances = questions.span_of(rows, "arrival", "end"), questions.instances_of(rows)
        width = questions.window_of(span, len(instances))
        blocks, times = questions.blocks_of(rows, span), questions.histograms(rows, span)
        arrivals = questions.arrivals_counted(rows, span, width)
        slices = questions.looked_at(rows, span, sum(sum(counts.values()) for counts in instances.values()))
        most = {str(row[0]): int(row[1]) for row in rows.groupBy("queue").agg(f.max("deliveries")).collect()}
        none = np.zeros((questions.BLOCKS, 1), np.int64)
        found = {
            name: Seen(
                name,
                instances[name],
                blocks[name],
                **times.get(name, {"service": none, "latency": none}),
                arrivals=arrivals[name],
                slices=slices.get(name, {}),
                most_deliveries=most[name],
            )
            for name in sorted(instances)
        }
        return cls(rows, span, width, found)

    def fits(self, _: ScenarioSpec | None) -> tuple[tuple[QueueFit, ...], dict[str, str]]:
        """Return the fits, and the queues that have none with the reason; raises TelemetryRefused without any."""
        return each_fitted(self.seen, lambda item: queue_fit(item, self.span, self.width))

    def checks(self, spec: ScenarioSpec, *, should_stop: ShouldStop) -> tuple[Check, ...]:
        """Return two checks of each queue of the scenario."""
        return checks_of(spec, self.seen, self._look, should_stop=should_stop)

    def _look(self, item: Seen, most: int) -> Look:
        latency = item.latency.sum(axis=0)
        whole = Observed(int(latency.sum()), {P95: percentile(latency, SHARE)})
        arrivals, part = self._part(item, held_out(item.arrivals, self.span, self.width, most))
        stretch, load = busiest(item.arrivals, self.span, self.width, most)
        return Look(arrivals, part, whole, self._part(item, [stretch]) if load >= BUSIER else None, load)

    def _part(self, item: Seen, spans: list[tuple[float, float]]) -> tuple[Floats, Observed]:
        arrivals, latencies = questions.messages_between(self.rows, item.name, spans)
        p95 = float(np.quantile(latencies, SHARE)) if len(latencies) else nan
        return arrivals, Observed(len(latencies), {P95: p95})


def busiest(counts: NDArray[np.int64], span: Span, width: float, most: int) -> tuple[tuple[float, float], float]:
    """Return the busiest stretch of the held-out time, and its rate relative to the mean rate of the log. It has at
    most about ``most`` arrivals, counted in windows of ``width`` seconds."""
    first = int(np.ceil((span.split - span.start) / width))
    total = np.concatenate([[0], counts[first:].cumsum()])
    mean = max(counts.mean(), 1e-9)
    length = max(len(total) // STRETCH, int(2 * FEWEST / mean), 1)
    length = min(length, len(total) - 1, max(1, int(most / mean)))
    if length < 1:
        return (span.split, span.end), 1.0
    inside = total[length:] - total[:-length]
    begin = int(inside.argmax())
    start = span.start + (first + begin) * width
    return (start, start + length * width), float(inside[begin] / length / mean)


def held_out(counts: NDArray[np.int64], span: Span, width: float, most: int) -> list[tuple[float, float]]:
    """Return spans of the held-out time with at most about ``most`` arrivals, counted in windows of ``width``."""
    first = int(np.ceil((span.split - span.start) / width))
    total = counts[first:].cumsum()
    if len(total) == 0 or total[-1] <= most:
        return [(span.start + first * width, span.end + 1.0)]
    spans = []
    for part in range(PARTS):
        begin = int(np.searchsorted(total, total[-1] * part / PARTS))
        end = int(np.searchsorted(total, total[-1] * part / PARTS + most / PARTS))
        spans.append((span.start + (first + begin) * width, span.start + (first + max(end, begin + 1)) * width))
    return spans
