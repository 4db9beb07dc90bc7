"""A small log with every kind of bad row, and what a calibration on the real Spark makes of it."""

import heapq
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray

from simulations.pipeline.spark.session import SparkLink
from simulations.pipeline.telemetry.calibrate import Calibrated, Calibration
from simulations.pipeline.telemetry.fitting.arrivals import arrivals_fit
from simulations.pipeline.telemetry.fitting.families import Fit
from simulations.pipeline.telemetry.fitting.fit import Concurrency, QueueFit, Value
from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused
from simulations.pipeline.telemetry.reading.raw import LONGEST_LINE, allowed_source, read_raw
from simulations.pipeline.telemetry.reading.report import Quarantine
from tests.synthetic.messages import LOG, Truth, log_of, write_log

TRUTH = Truth(messages=24_000, rate=40, mean=0.2, cv=0.8, service="lognormal", threads=12, failure=0.01, seed=4)
BAD_ROWS = {
    "encoding": b'x1,"ord\xffers",orders-0,1,2,3,completed,1',
    "unreadable": b"x2,orders,orders-0,1,soon,3,completed,1",
    "no_arrival": b"x7,orders,orders-0,,2,3,completed,1",
    "clock_backwards": b"x3,orders,orders-0,5,2,3,completed,1",
    "negative_duration": b"x4,orders,orders-0,5,6,3,completed,1",
    "unknown_outcome": b"x5,orders,orders-0,5,6,7,lost,1",
    "bad_deliveries": b"x6,orders,orders-0,5,6,7,completed,1.5",
}
"""One line for each reason but ``duplicate``."""


def write_served(
    path: Path, instants: NDArray[np.float64], mean: float, threads: int, skew: float | NDArray[np.float64] = 0.0
) -> None:
    """Write the log of exponential times on ``threads``, in order; the clock of starts is ``skew`` late."""
    demands = np.random.default_rng(len(instants)).exponential(mean, len(instants))
    free = [0.0] * threads
    starts = np.empty(len(instants))
    for number, (arrival, demand) in enumerate(zip(instants.tolist(), demands.tolist(), strict=True)):
        starts[number] = max(arrival, heapq.heappop(free))
        heapq.heappush(free, starts[number] + demand)
    columns = {"arrival": instants, "start": starts - skew, "end": starts + demands - skew}
    pq.write_table(pa.table({**columns, "queue": ["orders"] * len(instants)}), path)


@dataclass(frozen=True)
class Story:
    """A log, the steps that its calibration told, and the outcome."""

    path: Path
    steps: tuple[str, ...]
    outcome: Calibrated


def write_bad_log(path: Path, truth: Truth = TRUTH) -> None:
    """Write a CSV log, each bad row once, one repeated row, and a line that is too long."""
    rows = pa.Table.from_batches(log_of(truth), LOG)
    write_log(rows.to_batches(), LOG, path)
    first = path.read_bytes().splitlines()[1]
    with path.open("ab") as file:
        for line in (*BAD_ROWS.values(), first, b"y" * (3 * LONGEST_LINE)):
            file.write(line + b"\r\n")


def calibrate(link: SparkLink, path: Path, **more: object) -> Calibrated:
    """Calibrate a log of a test."""
    asked = {"name": "From a test", "tag": f"test-{path.stem}", **more}
    source = allowed_source(str(path), [path.parent])
    return Calibration(link, source, f"file://{path.parent}/scratch-{path.stem}", **asked).run()  # type: ignore[arg-type]


@dataclass(frozen=True)
class Read:
    """What a calibration reads before it fits: the key of the layout, the bad rows, and a table of the good ones."""

    layout: str
    account: Quarantine
    rows: Any


def read(link: SparkLink, path: Path) -> Read:
    """Take the first step of the calibration of a log alone: the others see nothing but its good rows."""
    source = allowed_source(str(path), [path.parent])
    step = Calibration(link, source, f"file://{path.parent}/scratch-{path.stem}", name="Read", tag=f"read-{path.stem}")
    with link.operation(step.tag) as session:
        session.conf.set("spark.sql.session.timeZone", "UTC")
        raw = read_raw(session, source)
        account, good = step._rows(session, raw)
        return Read(raw.layout.key, account, good.toArrow().to_pandas())


def story_of(link: SparkLink, path: Path) -> Story:
    """Calibrate a log of a test and keep what was told."""
    steps: list[str] = []
    outcome = calibrate(link, path, tell=steps.append)
    return Story(path, tuple(steps), outcome)


def fit_of() -> QueueFit:
    """Return what a log of Poisson arrivals and exponential times says of a queue."""
    counts = np.random.default_rng(3).poisson(4.0, 20_000).astype(np.int64)
    service = Fit("exponential", {"kind": "exponential", "mean": 0.2}, 0.2, 1.0, 0.005, 80_000)
    none = Value(0.0, None, None, "1")
    return QueueFit(
        name="orders",
        messages=80_000,
        service=service,
        families=(service,),
        service_mean=Value(0.2, 0.199, 0.201, "s"),
        service_cv=Value(1.0, 0.99, 1.01, "1"),
        percentiles={},
        latency={},
        arrivals=arrivals_fit(counts, 0.1, 0.0, {}),
        concurrency=Concurrency(12, limited=True, share=1.0, starts=500),
        failure_rate=none,
        redelivered=none,
        expired=none,
        most_deliveries=1,
        instances={"": 80_000},
        curve={},
    )


def refusal(link: SparkLink, path: Path, content: bytes) -> str:
    """Write ``content`` as a log and return why its calibration is refused."""
    path.write_bytes(content)
    with pytest.raises(TelemetryRefused) as refused:
        calibrate(link, path)
    return str(refused.value)


@pytest.fixture(scope="session")
def calibrated(spark_link: SparkLink, tmp_path_factory: pytest.TempPathFactory) -> Story:
    """The bad log, calibrated once for all tests."""
    path = tmp_path_factory.mktemp("telemetry") / "orders.csv"
    write_bad_log(path)
    return story_of(spark_link, path)
