"""Message logs of systems whose truth is known, made without the engine so that its predictions can be compared."""

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
from numba import njit
from numpy.typing import NDArray

from simulations.analysis.replications.measures import Floats

EPOCH = 1_767_571_200.0
"""Monday 5 January 2026, 00:00 UTC."""
CHUNK = 500_000
MOST_DELIVERIES = 5
GRID = 20_000

LOG = pa.schema(
    [
        *((name, pa.string()) for name in ("message_id", "queue", "instance")),
        *((name, pa.float64()) for name in ("arrival", "start", "end")),
        *(("outcome", pa.string()), ("deliveries", pa.int32())),
    ]
)
FORMATS = ("parquet", "csv", "jsonl")
"""What ``write_log`` writes, by the path's suffix."""


@dataclass(frozen=True)
class Truth:
    """A system: everything that decides its log."""

    messages: int
    rate: float
    """Mean arrivals per second."""
    mean: float
    """Mean time of one delivery, in seconds."""
    cv: float = 1.0
    """Coefficient of variation of that time; unused for ``exponential``."""
    service: Literal["exponential", "lognormal", "gamma"] = "exponential"
    instances: int = 1
    threads: int = 10
    """Messages that one instance processes at a time."""
    swing: float = 0.0
    """The rate follows a sine between ``rate * (1 - swing)`` and ``rate * (1 + swing)``; below 1."""
    period: float = 86_400.0
    """Length of that sine, in seconds."""
    failure: float = 0.0
    """Share of deliveries that are rolled back; after five the message has failed."""
    queue: str = "orders"
    seed: int = 1

    @property
    def utilisation(self) -> float:
        """Work offered to each thread; 1 and above is unstable."""
        return self.rate * self.mean * self.deliveries_mean / (self.instances * self.threads)

    @property
    def deliveries_mean(self) -> float:
        """Mean deliveries of a message."""
        return sum(self.failure**number for number in range(MOST_DELIVERIES))


def log_of(truth: Truth) -> Iterator[pa.RecordBatch]:
    """Yield the system's log in the order of arrival, in batches of bounded size."""
    random = np.random.default_rng(truth.seed)
    free = np.zeros(truth.instances * truth.threads)
    counted, units = 0, 0.0
    while counted < truth.messages:
        size = min(CHUNK, truth.messages - counted)
        operational = units + random.standard_exponential(size).cumsum()
        units = float(operational[-1])
        arrivals = _instants(truth, operational)
        deliveries, failed = _deliveries(truth, random, size)
        demands = _demands(truth, random, deliveries)
        starts, threads = np.empty(size), np.empty(size, np.int64)
        _serve(arrivals, demands, free, starts, threads)
        yield _batch(truth, counted, arrivals, starts, starts + demands, threads, deliveries, failed)
        counted += size


def write_log(batches: Iterable[pa.RecordBatch], schema: pa.Schema, path: Path) -> int:
    """Write ``batches`` in the format of the path's suffix and return how many rows; never holds more than one."""
    rows = 0
    with _writer(schema, path) as write:
        for batch in batches:
            write(batch)
            rows += batch.num_rows
    return rows


def _instants(truth: Truth, units: Floats) -> Floats:
    """Turn a Poisson process of rate 1 into one of the system's rate: the inverse of the integrated rate."""
    plain = units / truth.rate
    if truth.swing == 0:
        return plain
    reach = truth.swing * truth.period / math.pi
    grid = np.linspace(max(0.0, plain[0] - reach), plain[-1] + reach, GRID)
    bend = truth.period / math.tau
    integrated = grid + truth.swing * bend * (1 - np.cos(grid / bend))
    return np.asarray(np.interp(plain, integrated, grid), np.float64)


def _deliveries(truth: Truth, random: np.random.Generator, size: int) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    if truth.failure == 0:
        return np.ones(size, np.int32), np.zeros(size, np.bool_)
    needed = random.geometric(1 - truth.failure, size)
    return np.minimum(needed, MOST_DELIVERIES).astype(np.int32), needed > MOST_DELIVERIES


def _demands(truth: Truth, random: np.random.Generator, deliveries: NDArray[np.int32]) -> Floats:
    total = np.zeros(len(deliveries))
    for number in range(int(deliveries.max())):
        repeated = deliveries > number
        total[repeated] += _draws(truth, random, int(repeated.sum()))
    return total


def _draws(truth: Truth, random: np.random.Generator, size: int) -> Floats:
    if truth.service == "exponential":
        return random.exponential(truth.mean, size)
    if truth.service == "gamma":
        return random.gamma(truth.cv**-2, truth.mean * truth.cv**2, size)
    spread = math.log1p(truth.cv**2)
    return random.lognormal(math.log(truth.mean) - spread / 2, math.sqrt(spread), size)


@njit(cache=True)
def _serve(arrivals, demands, free, starts, threads):  # type: ignore[no-untyped-def]
    for number in range(len(arrivals)):
        thread = free.argmin()
        begin = max(arrivals[number], free[thread])
        free[thread] = begin + demands[number]
        starts[number] = begin
        threads[number] = thread


def _batch(
    truth: Truth,
    first: int,
    arrivals: Floats,
    starts: Floats,
    ends: Floats,
    threads: NDArray[np.int64],
    deliveries: NDArray[np.int32],
    failed: NDArray[np.bool_],
) -> pa.RecordBatch:
    names = pa.array([f"{truth.queue}-{number}" for number in range(truth.instances)])
    return pa.RecordBatch.from_arrays(
        [
            pa.array(np.arange(first, first + len(arrivals))).cast(pa.string()),
            pa.array([truth.queue]).take(pa.array(np.zeros(len(arrivals), np.int32))),
            names.take(pa.array(threads % truth.instances)),
            pa.array(EPOCH + arrivals),
            pa.array(EPOCH + starts),
            pa.array(EPOCH + ends),
            pa.array(["completed", "failed"]).take(pa.array(failed.astype(np.int8))),
            pa.array(deliveries),
        ],
        schema=LOG,
    )


@contextmanager
def _writer(schema: pa.Schema, path: Path) -> Iterator[Callable[[pa.RecordBatch], Any]]:
    if path.suffix == ".parquet":
        with pq.ParquetWriter(path, schema, compression="zstd") as parquet:
            yield parquet.write_batch
    elif path.suffix == ".csv":
        with pc.CSVWriter(path, schema, write_options=pc.WriteOptions(quoting_style="needed")) as table:
            yield table.write_batch
    else:
        with path.open("w", encoding="utf-8") as file:
            yield lambda batch: batch.to_pandas().to_json(file, orient="records", lines=True, double_precision=9)
