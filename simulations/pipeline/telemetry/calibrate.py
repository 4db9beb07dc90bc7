"""From a log to a checked scenario: read, put bad rows aside, fit, predict, compare."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyspark.sql import DataFrame
from pyspark.sql.connect import functions as f
from pyspark.sql.connect.session import SparkSession

from simulations.pipeline.executors import POLL_SECONDS, Cancelled, ShouldStop
from simulations.pipeline.session import SparkInterrupted, SparkLink, SparkUnavailable
from simulations.pipeline.telemetry import questions
from simulations.pipeline.telemetry.columns import TelemetryRefused
from simulations.pipeline.telemetry.fit import QueueFit, Seen, percentiles_of, queue_fit
from simulations.pipeline.telemetry.holdout import Check, generated, replayed, verdict
from simulations.pipeline.telemetry.questions import Span
from simulations.pipeline.telemetry.raw import read_raw
from simulations.pipeline.telemetry.report import Quarantine, quarantine
from simulations.pipeline.telemetry.rows import checked, without_repeats
from simulations.pipeline.telemetry.sources import Source
from simulations.pipeline.telemetry.spec import named, scenario_of
from simulations.scenario import ScenarioSpec

REPLAYED = 200_000
"""Most messages of a queue that are replayed one by one."""
PARTS = 4
"""Parts of a long held-out time from which they are taken."""
STEPS = ("reading", "counting", "fitting", "checking")

Tell = Callable[[str], None]
"""Called with the name of the step that begins (``STEPS``)."""


@dataclass(frozen=True)
class Calibrated:
    """The outcome. ``skipped``: queues left out, and why."""

    quarantine: Quarantine
    span: Span
    queues: tuple[QueueFit, ...]
    skipped: dict[str, str]
    scenario: ScenarioSpec
    checks: tuple[Check, ...]
    validated: bool


@dataclass
class Calibration:
    """One calibration on the Spark server of ``link``. ``scratch``: a folder URL that Spark may write.

    ``base``: a scenario whose settings are kept and whose queues get the fitted work; None makes a plain one.
    """

    link: SparkLink
    source: Source
    scratch: str
    name: str
    tag: str
    base: ScenarioSpec | None = None
    tell: Tell = field(default=lambda _: None)
    should_stop: ShouldStop = field(default=lambda: False)

    def run(self) -> Calibrated:
        """Return the outcome. Raises TelemetryRefused, SparkUnavailable, and Cancelled once nothing runs any more."""
        try:
            with self.link.operation(self.tag) as session, _interrupted_when(self):
                return self._steps(session)
        except SparkInterrupted:
            raise Cancelled from None

    def _steps(self, session: SparkSession) -> Calibrated:
        self._begin("reading")
        session.conf.set("spark.sql.session.timeZone", "UTC")
        account, rows = self._rows(session)
        self._begin("counting")
        span = questions.span_of(rows)
        seen, width = _seen(rows, span)
        self._begin("fitting")
        fits, skipped = _fits(seen, span, width)
        spec = scenario_of(fits, name=self.name, base=self.base)
        self._begin("checking")
        checks = self._checks(rows, span, width, seen, spec)
        return Calibrated(account, span, fits, skipped, spec, checks, verdict(checks))

    def _begin(self, step: str) -> None:
        if self.should_stop():
            raise Cancelled
        self.tell(step)

    def _rows(self, session: SparkSession) -> tuple[Quarantine, DataFrame]:
        """The good rows; judged rows are written once, so that each question reads only the columns that it needs."""
        log = read_raw(session, self.source)
        rows = _kept(session, checked(log), f"{self.scratch}/judged")
        account, keys = quarantine(log, rows)
        if keys is None:
            return account, rows.where(f.col("reason").isNull())
        return account, _kept(session, without_repeats(rows, keys), f"{self.scratch}/good")

    def _checks(
        self, rows: DataFrame, span: Span, width: float, seen: dict[str, Seen], spec: ScenarioSpec
    ) -> tuple[Check, ...]:
        by_name = {named(name): item for name, item in seen.items()}
        chosen = {queue.name: by_name[queue.name] for queue in spec.queues}
        most = REPLAYED // len(chosen)
        parts = {
            name: questions.messages_between(rows, item.counts.name, held_out(item.arrivals, span, width, most))
            for name, item in chosen.items()
        }
        whole = {
            name: (int(item.latency.sum()), percentiles_of(item.latency.sum(axis=0))["p95"])
            for name, item in chosen.items()
        }
        first = replayed(spec, parts, should_stop=self.should_stop)
        second = generated(spec, whole, should_stop=self.should_stop)
        if self.should_stop():
            raise Cancelled
        return (*first, *second)


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


def _kept(session: SparkSession, rows: DataFrame, place: str) -> Any:
    rows.write.mode("overwrite").parquet(place)
    return session.read.parquet(place)


def _seen(rows: DataFrame, span: Span) -> tuple[dict[str, Seen], float]:
    counts = questions.queue_counts(rows, span)
    width = questions.window_of(span, len(counts))
    times = questions.histograms(rows, span)
    arrivals = questions.arrivals_counted(rows, span, width)
    slices = questions.looked_at(rows, span, sum(item.messages for item in counts))
    most = {str(row[0]): int(row[1]) for row in rows.groupBy("queue").agg(f.max("deliveries")).collect()}
    none = np.zeros((questions.BLOCKS, 1), np.int64)
    found = {}
    for item in counts:
        mine = times.get(item.name, {"service": none, "latency": none})
        found[item.name] = Seen(
            counts=item,
            service=mine["service"],
            latency=mine["latency"],
            arrivals=arrivals[item.name],
            slices=slices.get(item.name, {}),
            most_deliveries=most[item.name],
        )
    return found, width


def _fits(seen: dict[str, Seen], span: Span, width: float) -> tuple[tuple[QueueFit, ...], dict[str, str]]:
    fits, skipped = [], {}
    for name, item in seen.items():
        try:
            fits.append(queue_fit(item, span, width))
        except TelemetryRefused as error:
            skipped[name] = str(error)
    if not fits:
        raise TelemetryRefused(next(iter(skipped.values())))
    return tuple(fits), skipped


@contextmanager
def _interrupted_when(asked: Calibration) -> Iterator[None]:
    """Interrupt what runs on Spark as soon as the calibration shall stop, again and again until it has."""
    over = Event()

    def watch() -> None:
        while not over.wait(POLL_SECONDS):
            if asked.should_stop():
                try:
                    asked.link.interrupt(asked.tag)
                except SparkUnavailable:
                    return

    watcher = Thread(target=watch, name=asked.tag, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
