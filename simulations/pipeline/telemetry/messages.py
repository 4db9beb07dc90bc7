"""A log of messages: what Spark counts of it, the fits, and the checks against the messages held out."""

from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray
from pyspark.sql import DataFrame
from pyspark.sql.connect import functions as f

from simulations.analysis.replications.measures import Floats
from simulations.pipeline.spark.executors import ShouldStop
from simulations.pipeline.telemetry.fitting import questions
from simulations.pipeline.telemetry.fitting.families import percentile
from simulations.pipeline.telemetry.fitting.fit import QueueFit, queue_fit
from simulations.pipeline.telemetry.fitting.holdout import FEWEST, PARTS, SHARE, Check, Look, Observed, checks_of
from simulations.pipeline.telemetry.fitting.questions import Seen, Span, each_fitted
from simulations.scenario.spec import ScenarioSpec

P95 = "latency.p95"
BUSIER = 1.1
"""Load of the busiest stretch, relative to the log's mean, from which it says something about more load."""
STRETCH = 6
"""The busiest stretch is so many times shorter than the held-out part, or has the messages that a check needs."""


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
    """Return the busiest stretch of the held-out time, and its rate relative to the mean rate of the log.

    It has at most about ``most`` arrivals, counted in windows of ``width`` seconds.
    """
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
