"""How well a calibration foretells more load: systems whose truth is hidden, and a table in docs/validation.md.

Run it with `python -m benchmarks.validation.telemetry [--systems 100] [--messages 40000]`. Every system's log is
calibrated on Spark as an installation does it. Then the p95 of latency that the scenario predicts at 1.0, 1.3 and 1.6
times the load is compared with that of the truth, simulated by the generator of the tests, which knows neither the
engine nor the fit. A prediction is claimed where the verdict reaches that load.
"""

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from benchmarks.validation.__main__ import REPORT
from benchmarks.validation.report import TELEMETRY, section, with_section
from simulations import ENGINE_VERSION
from simulations.analysis.replications.rows import Histogram, compact, edges
from simulations.engine.replicate import replicate
from simulations.experiment.arrivals import with_arrivals
from simulations.pipeline.spark.session import SparkLink
from simulations.pipeline.telemetry.calibrate import Calibrated, Calibration
from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused
from simulations.pipeline.telemetry.reading.raw import allowed_source
from simulations.scenario.spec import ScenarioSpec, parse
from tests.services import local_server
from tests.synthetic.systems import System, hidden_system, logged, true_p95

LOADS = (1.0, 1.3, 1.6)
NEAR = 0.10
REPLICATIONS, SIZE = 20, 200_000
LOGS = 100
"""Logs of other chances from which the truth is known: the p95 of five varies by up to 20 % from chance to chance."""
COLUMNS = ("system", "load of threads", *(f"error at {load:g}" for load in LOADS), "verdict", "claimed wrongly")


@dataclass(frozen=True)
class Judged:
    """A system, what is wrong with the predictions at ``LOADS`` (None: refused or endless), and the verdict."""

    system: System
    errors: tuple[float | None, ...]
    reach: float
    verdict: str

    @property
    def near(self) -> bool:
        """Whether every prediction is near."""
        return all(error is not None and abs(error) <= NEAR for error in self.errors)

    @property
    def wrong(self) -> list[float]:
        """The loads that are claimed although the prediction is not near."""
        pairs = zip(LOADS, self.errors, strict=True)
        return [load for load, error in pairs if load <= self.reach and (error is None or abs(error) > NEAR)]

    @property
    def cells(self) -> list[str]:
        """The row of the table."""
        errors = ["–" if error is None else f"{100 * error:+.1f} %" for error in self.errors]
        wrong = ", ".join(f"at {load:g}" for load in self.wrong) or "no"
        busy = self.system.rate * self.system.mean / self.system.threads
        return [f"{self.system.seed} {self.system.title}", f"{busy:.2f}", *errors, self.verdict, wrong]


def main() -> None:
    """Judge the systems and write the section of the report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.validation.telemetry", description=__doc__)
    parser.add_argument("--systems", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first system")
    parser.add_argument("--only", type=int, nargs="*", help="numbers of the systems, instead")
    parser.add_argument("--messages", type=int, default=40_000, help="messages of each log")
    parser.add_argument("--output", type=Path, help="file to write instead of docs/validation.md; - writes none")
    options = parser.parse_args()
    numbers = options.only or range(options.first, options.first + options.systems)
    judged = []
    with (
        tempfile.TemporaryDirectory(prefix="sluice-campaign-") as name,
        local_server(cores=2) as plan,
        SparkLink(plan.remote, plan.token) as link,
    ):
        for number in numbers:
            judged.append(judge(link, Path(name), hidden_system(number, options.messages)))
            print(" | ".join(judged[-1].cells), flush=True)
    print(summary(judged))
    target = options.output or REPORT
    if str(target) != "-":
        before = target.read_text(encoding="utf-8") if target.exists() else ""
        target.write_text(with_section(before, TELEMETRY, table(judged, options.messages)), encoding="utf-8")


def judge(link: SparkLink, folder: Path, system: System) -> Judged:
    """Calibrate the system's log and compare its predictions with its truth."""
    try:
        outcome = calibrated(link, folder, system)
    except TelemetryRefused as error:
        return Judged(system, (None,) * len(LOADS), 0.0, f"refused: {str(error).split(',')[0]}")
    errors = []
    for load in LOADS:
        found = predicted(outcome.scenario, load)
        errors.append(None if found is None else found / true_p95(system, load, LOGS) - 1)
    return Judged(system, tuple(errors), outcome.verdict.reach, outcome.verdict.title)


def calibrated(link: SparkLink, folder: Path, system: System) -> Calibrated:
    """Return the outcome of a calibration of the system's log."""
    path = folder / f"system-{system.seed}.parquet"
    pq.write_table(logged(system), path)
    name = path.stem
    outcome = Calibration(link, allowed_source(str(path), [folder]), f"file://{folder}/{name}", name, name).run()
    path.unlink()
    return outcome


def predicted(scenario: ScenarioSpec, load: float) -> float | None:
    """Return the p95 of latency of the scenario in seconds at a load; None where a queue outgrows what is held."""
    spec = with_arrivals(scenario, load)
    if "messages" in spec.body()["run"]["horizon"]:
        spec = parse({**spec.body(), "run": {**spec.body()["run"], "horizon": {"messages": SIZE}}})
    found = np.zeros(len(edges()), np.int64)
    for number in range(REPLICATIONS):
        row = compact(replicate(spec.network(), seed=7, replication=number))
        if row.overflow:
            return None
        first, counts = row.histograms[0]
        found[first : first + counts.shape[1]] += counts.sum(axis=0)
    return float(Histogram.counted(0, found[None]).percentile(0.95)[0])


def summary(judged: Sequence[Judged]) -> str:
    """Return the counts in a sentence."""
    near, wrong = sum(item.near for item in judged), sum(bool(item.wrong) for item in judged)
    pairs = [zip(LOADS, item.errors, strict=True) for item in judged]
    close = [load for pair in pairs for load, error in pair if error is not None and abs(error) <= NEAR]
    each = [close.count(load) for load in LOADS]
    at_loads = ", ".join(f"{count} at {load:g}" for load, count in zip(LOADS, each, strict=True))
    known = sum(item.errors[0] is not None for item in judged)
    return (
        f"Of {len(judged)} systems {len(judged) - known} are refused. Within 10 %: {at_loads}, {near} at all of them. "
        f"{wrong} claim a load at which they are not."
    )


def table(judged: Sequence[Judged], messages: int) -> list[str]:
    """Return the lines of the section."""
    about = [
        f"Logs of about {messages:,} messages, written by `python -m benchmarks.validation.telemetry`, engine",
        f"{ENGINE_VERSION}. Error: the p95 that the calibrated scenario predicts at so many times the load of the log,",
        f"against that of the truth, {LOGS} logs of other chances.",
        summary(judged),
    ]
    return section(TELEMETRY, about, COLUMNS, [item.cells for item in judged])


if __name__ == "__main__":
    main()
