"""A log of metric samples: what Spark counts of it, the fits, and the checks against the samples held out."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pyspark.sql import DataFrame

from simulations.declarations.texts import as_name
from simulations.pipeline.spark.executors import ShouldStop
from simulations.pipeline.telemetry.fitting import intervals as spark
from simulations.pipeline.telemetry.fitting import questions
from simulations.pipeline.telemetry.fitting.holdout import PARTS, SEED, Check, Look, Observed, checks_of
from simulations.pipeline.telemetry.fitting.intervals import Instance
from simulations.pipeline.telemetry.fitting.questions import MOST_WINDOWS, Span, each_fitted
from simulations.pipeline.telemetry.fitting.sample_fit import SampledFit, Watched, sampled_fit
from simulations.pipeline.telemetry.fitting.shapes import Choice, choices_of
from simulations.pipeline.telemetry.reading.raw import RawLog
from simulations.scenario.spec import ScenarioSpec

Picked = NDArray[np.bool_]
UNEVEN = 10
"""Windows are this many intervals long where intervals differ: splitting one between two windows smooths less."""
FEWEST_WINDOWS = 100
TIMES = {"latency.mean": "present", "wait.mean": "waiting", "service.mean": "busy"}
"""What is compared, and the gauge that it takes."""


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
        """Return the fits (queues of ``base`` keep its shape of times), and why other queues have none.

        Raises TelemetryRefused without any fit.
        """
        choices = choices_of(base) if base else {}
        return each_fitted(
            self.seen, lambda item: sampled_fit(item, self.span, choices.get(as_name(item.name), Choice()))
        )

    def checks(self, spec: ScenarioSpec, *, should_stop: ShouldStop) -> tuple[Check, ...]:
        """Return the checks of each queue of the scenario: mean times by Little's law, those that its gauges show."""
        random = np.random.default_rng(SEED)

        def look(item: Watched, most: int) -> Look:
            held = held_out(item, self.span, most)
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


def held_out(item: Watched, span: Span, most: int) -> Picked:
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
