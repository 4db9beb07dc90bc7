"""Samples of a small system as WebLogic counts them, with every kind of bad row, and what a calibration finds."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pyarrow as pa
import pytest

from simulations.pipeline.spark.session import SparkLink
from simulations.pipeline.telemetry.fitting.sample_fit import SampledFit
from tests.synthetic.messages import EPOCH, Truth, log_of, write_log
from tests.synthetic.samples import samples_of
from tests.telemetry import Story, story_of

SYSTEM = Truth(messages=60_000, rate=40, mean=0.2, service="exponential", instances=2, threads=6, failure=0.02, seed=3)
"""With this seed all the intervals of 95 % that the tests look at hold the truth, as most do; how often each one does
is measured in ``test_samplefit``."""
EVERY = 2.0
LATE = EPOCH + 10_000
BAD_SAMPLES = {
    "encoding": b'%d,"ord\xffers",orders-0,1,2,3,4,5,6',
    "unreadable": b"soon,orders,orders-0,1,2,3,4,5,6",
    "bad_number": b"%d,orders,orders-0,1,-2,3,4,5,6",
    "no_count": b"%d,orders,orders-0,,2,3,4,,",
    "clock_backwards": b"5,orders,orders-0,1,2,3,4,5,6",
}
"""One line for each reason but ``duplicate``; %d is an instant after all others."""


@cache
def samples(flavour: str, truth: Truth = SYSTEM, every: float = EVERY) -> pa.Table:
    """Return the samples of a system."""
    return samples_of(truth, log_of(truth), every, flavour)


def write_samples(path: Path, table: pa.Table) -> Path:
    """Write samples in the format of the path's suffix."""
    write_log(table.to_batches(), table.schema, path)
    return path


def write_bad_samples(path: Path) -> None:
    """Write the samples of WebLogic as CSV with each bad row once and one row twice."""
    write_samples(path, samples("wldf"))
    last = path.read_bytes().splitlines()[-1]
    with path.open("ab") as file:
        for line in (last, *BAD_SAMPLES.values()):
            file.write(line.replace(b"%d", b"%d" % LATE) + b"\r\n")


def fit_of(story: Story) -> SampledFit:
    """Return the only fit of samples."""
    (fit,) = story.outcome.queues
    assert isinstance(fit, SampledFit)
    return fit


def followed(first: pa.Table, second: pa.Table, time: str, counters: tuple[str, ...]) -> pa.Table:
    """Return the first samples and then the second, whose counters and instants go on where those ended."""
    step = first[time].to_numpy().max() - second[time].to_numpy().min() + EVERY
    moved = {time: second[time].to_numpy() + step}
    for name in counters:
        moved[name] = second[name].to_numpy() + first[name].to_numpy()[-1]
    columns = {name: moved.get(name, second[name]) for name in second.column_names}
    return pa.concat_tables([first, pa.table(columns)])


def slower(truth: Truth, factor: float, messages: int) -> Truth:
    """Return the system with longer service times."""
    return replace(truth, mean=truth.mean * factor, messages=messages, seed=truth.seed + 1)


@pytest.fixture(scope="session")
def sampled(spark_link: SparkLink, tmp_path_factory: pytest.TempPathFactory) -> Story:
    """The bad samples, calibrated once for all tests."""
    path = tmp_path_factory.mktemp("samples") / "orders.csv"
    write_bad_samples(path)
    return story_of(spark_link, path)
