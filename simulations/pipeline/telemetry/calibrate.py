"""From a log to a checked scenario: read, put bad rows aside, fit, predict, compare."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from threading import Event, Thread

from pyspark.sql import DataFrame
from pyspark.sql.connect import functions as f
from pyspark.sql.connect.session import SparkSession

from simulations.pipeline.spark.executors import POLL_SECONDS, Cancelled, ShouldStop
from simulations.pipeline.spark.session import SparkInterrupted, SparkLink, SparkUnavailable
from simulations.pipeline.telemetry.fitting.fit import QueueFit
from simulations.pipeline.telemetry.fitting.holdout import Check, steepness
from simulations.pipeline.telemetry.fitting.intervals import between
from simulations.pipeline.telemetry.fitting.questions import Span
from simulations.pipeline.telemetry.fitting.sample_fit import SampledFit
from simulations.pipeline.telemetry.fitting.spec import scenario_of
from simulations.pipeline.telemetry.fitting.verdict import Verdict, verdict_of
from simulations.pipeline.telemetry.logs import MessageLog, SampleLog
from simulations.pipeline.telemetry.reading.judging import checked, without_repeats
from simulations.pipeline.telemetry.reading.raw import RawLog, Source, read_raw
from simulations.pipeline.telemetry.reading.report import Quarantine, on_one_clock, quarantine
from simulations.scenario.spec import ScenarioSpec

STEPS = ("reading", "counting", "fitting", "checking")
WRITTEN = ("judged", "good", "intervals")
"""Folders that a calibration leaves in its scratch folder."""
ROWS_HELD = 16 * 2**20
"""Bytes that Spark collects before it writes a group of rows; it would collect 128 MB in each task."""

Tell = Callable[[str], None]
"""Called with the name of the step that begins (``STEPS``)."""


@dataclass(frozen=True)
class Calibrated:
    """The outcome. ``layout``: key of the log's layout; ``skipped``: queues left out, and why. ``assumed``: what the
    scenario needs and the log does not say, a sentence each."""

    layout: str
    quarantine: Quarantine
    span: Span
    queues: tuple[QueueFit, ...] | tuple[SampledFit, ...]
    skipped: dict[str, str]
    assumed: tuple[str, ...]
    scenario: ScenarioSpec
    checks: tuple[Check, ...]
    validated: bool
    verdict: Verdict


@dataclass
class Calibration:
    """One calibration on the Spark server of ``link``. ``scratch``: a folder URL that Spark may write. ``base``: a
    scenario whose settings are kept and whose queues get the fitted work; None makes a plain one."""

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
        raw = read_raw(session, self.source)
        account, good = self._rows(session, raw)
        self._begin("counting")
        log: MessageLog | SampleLog
        if raw.layout.samples:
            log = SampleLog.counted(self._kept(session, between(good), "intervals"), raw)
        else:
            log = MessageLog.counted(good)
        self._begin("fitting")
        fits, skipped = log.fits(self.base)
        spec = scenario_of(fits, name=self.name, base=self.base)
        self._begin("checking")
        checks = log.checks(spec, should_stop=self.should_stop)
        assumed = tuple(dict.fromkeys(sentence for fit in fits for sentence in fit.assumed))
        verdict = verdict_of(checks, fits, lambda load, spread: steepness(spec, load, spread, self.should_stop))
        return Calibrated(
            raw.layout.key, account, log.span, fits, skipped, assumed, spec, checks, verdict.reach > 0, verdict
        )

    def _begin(self, step: str) -> None:
        if self.should_stop():
            raise Cancelled
        self.tell(step)

    def _rows(self, session: SparkSession, log: RawLog) -> tuple[Quarantine, DataFrame]:
        """The good rows; judged rows are written once, so that each question reads only the columns that it needs."""
        judged, corrected = on_one_clock(log, self._kept(session, checked(log), "judged"))
        account, keys = quarantine(log, judged)
        account = replace(account, sentence=account.sentence + corrected)
        if keys is None:
            return account, judged.where(f.col("reason").isNull())
        return account, self._kept(session, without_repeats(judged, keys), "good")

    def _kept(self, session: SparkSession, frame: DataFrame, name: str) -> DataFrame:
        frame.write.mode("overwrite").option("parquet.block.size", ROWS_HELD).parquet(f"{self.scratch}/{name}")
        return session.read.parquet(f"{self.scratch}/{name}")


@contextmanager
def _interrupted_when(asked: Calibration) -> Iterator[None]:
    """Interrupt what runs on Spark once the calibration is to stop, again and again until it has."""
    over = Event()

    def watch() -> None:
        while not over.wait(POLL_SECONDS):
            if asked.should_stop():
                with suppress(SparkUnavailable):
                    asked.link.interrupt(asked.tag)

    watcher = Thread(target=watch, name=asked.tag, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
