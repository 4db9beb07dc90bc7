"""What is asked of the checked rows: each question is one Spark job whose answer is small, whatever the log's size.

Time is cut into ``BLOCKS`` equal blocks; the first ``FITTED`` of them are fitted, the others are held out.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from pyspark.sql import Column, DataFrame
from pyspark.sql.connect import functions as f

from simulations.analysis.replications.measures import Floats
from simulations.pipeline.telemetry.fitting.slices import ANSWER, BIN, SHORTEST, in_slice
from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused

BLOCKS = 40
FITTED = 28
MOST_QUEUES = 50
MOST_INSTANCES = 256
MOST_WINDOWS = 100_000
"""Windows of time in which arrivals are counted, all queues together."""
SLICES = 120
"""Short spans of time, evenly spread, that are looked at message by message."""
SLICE_MESSAGES = 4_000
Item = TypeVar("Item")
Fitted = TypeVar("Fitted")
WIDTHS = (0.01, 0.1, 1.0, 10.0, 60.0, 600.0, 3600.0, 86_400.0)


@dataclass(frozen=True)
class Span:
    """The time that the log covers: first arrival to last end, in seconds."""

    start: float
    end: float

    @property
    def block(self) -> float:
        """Seconds of one block."""
        return (self.end - self.start) / BLOCKS

    @property
    def split(self) -> float:
        """Where the held-out part begins."""
        return self.start + FITTED * self.block


@dataclass(frozen=True)
class Seen:
    """What the questions answered about one queue of a message log.

    ``instances``: rows by instance. ``blocks``: of each block messages, completed, expired, deliveries, failures;
    alone: completed at the first delivery; time and squares: sums of the seconds of those. ``service`` and ``latency``:
    counts [BLOCKS, bins] (``histograms``). ``arrivals``: counts by window. ``slices``: see ``looked_at``.
    """

    name: str
    instances: dict[str, int]
    blocks: dict[str, NDArray[np.float64]]
    service: NDArray[np.int64]
    latency: NDArray[np.int64]
    arrivals: NDArray[np.int64]
    slices: dict[str, dict[int, int]]
    most_deliveries: int

    @property
    def messages(self) -> int:
        """Rows of the queue."""
        return sum(self.instances.values())


def span_of(rows: DataFrame, first: str, last: str) -> Span:
    """Return the time between the earliest ``first`` and the latest ``last``; raises TelemetryRefused without any."""
    start, end = rows.agg(f.min(first), f.max(last)).collect()[0]
    if start is None or end <= start:
        raise TelemetryRefused("all rows are of the same instant")
    return Span(float(start), float(end))


def instances_of(rows: DataFrame) -> dict[str, dict[str, int]]:
    """Return by queue the rows of each instance; raises TelemetryRefused when there are too many of either."""
    names = [str(row[0]) for row in rows.groupBy("queue").count().limit(MOST_QUEUES + 1).collect()]
    if len(names) > MOST_QUEUES:
        raise TelemetryRefused(f"more than {MOST_QUEUES} different values of queue: is it an id?")
    grouped = rows.groupBy("queue", "instance").count().limit(MOST_QUEUES * MOST_INSTANCES + 1).collect()
    found = {name: {str(row[1]): int(row[2]) for row in grouped if row[0] == name} for name in names}
    many = [name for name, instances in found.items() if len(instances) > MOST_INSTANCES]
    if many:
        raise TelemetryRefused(f"queue {many[0]!r} has more than {MOST_INSTANCES} instances: is it an id?")
    return found


def each_fitted(seen: Mapping[str, Item], fit: Callable[[Item], Fitted]) -> tuple[tuple[Fitted, ...], dict[str, str]]:
    """Return the fits of the queues, and why others have none; raises TelemetryRefused when there is no fit at all."""
    fits, skipped = [], {}
    for name, item in seen.items():
        try:
            fits.append(fit(item))
        except TelemetryRefused as error:
            skipped[name] = str(error)
    if not fits:
        raise TelemetryRefused(next(iter(skipped.values())))
    return tuple(fits), skipped


def blocks_of(rows: DataFrame, span: Span) -> dict[str, dict[str, NDArray[np.float64]]]:
    """Return by queue the sums of each block, by name (``Seen.blocks``)."""
    time = f.col("end") - f.col("start")
    alone = (f.col("outcome") == "completed") & (f.col("deliveries") == 1)
    failed = f.col("deliveries") - f.when(f.col("outcome") == "completed", 1).otherwise(0)
    sums = {
        "messages": f.lit(1.0),
        "completed": (f.col("outcome") == "completed").cast("double"),
        "expired": (f.col("outcome") == "expired").cast("double"),
        "deliveries": f.col("deliveries"),
        "failures": f.when(f.col("outcome") == "expired", 0).otherwise(failed),
        "alone": alone.cast("double"),
        "time": f.when(alone, time).otherwise(0.0),
        "squares": f.when(alone, time * time).otherwise(0.0),
    }
    grouped = rows.groupBy("queue", _block(span).alias("block")).agg(*(f.sum(v).alias(k) for k, v in sums.items()))
    return by_queue(grouped, "block", BLOCKS, absent=0.0)


def histograms(rows: DataFrame, span: Span) -> dict[str, dict[str, NDArray[np.int64]]]:
    """Return by queue ``service`` (completed at first delivery) and ``latency`` (completed): counts [BLOCKS, bins]."""
    done = rows.where(f.col("outcome") == "completed")
    times = (f.greatest(f.col("end") - f.col(since), f.lit(SHORTEST)) for since in ("arrival", "start"))
    latency, service = (f.floor(f.log(time / SHORTEST) / math.log1p(BIN)).cast("int") for time in times)
    kinds = {"latency": (done, latency), "service": (done.where(f.col("deliveries") == 1), service)}
    parts = [
        frame.select("queue", f.lit(kind).alias("kind"), _block(span).alias("block"), place.alias("bin"))
        for kind, (frame, place) in kinds.items()
    ]
    counted = parts[0].unionByName(parts[1]).groupBy("queue", "kind", "block", "bin").count().toArrow().to_pandas()
    size = 1 if counted.empty else int(counted["bin"].max()) + 1
    found: dict[str, dict[str, NDArray[np.int64]]] = {
        str(queue): {kind: np.zeros((BLOCKS, size), np.int64) for kind in kinds} for queue in counted["queue"].unique()
    }
    for (queue, kind), part in counted.groupby(["queue", "kind"]):
        found[queue][kind][part["block"], part["bin"]] = part["count"]
    return found


def window_of(span: Span, queues: int) -> float:
    """Return the width in seconds of the windows in which arrivals are counted."""
    least = (span.end - span.start) * queues / MOST_WINDOWS
    return next((width for width in WIDTHS if width >= least), least)


def arrivals_counted(rows: DataFrame, span: Span, width: float) -> dict[str, NDArray[np.int64]]:
    """Return by queue the arrivals in each window of ``width`` seconds from the start."""
    size = math.ceil((span.end - span.start) / width) + 1
    window = f.floor((f.col("arrival") - span.start) / width).cast("int").alias("window")
    tables = by_queue(rows.groupBy("queue", window).count(), "window", size, absent=0)
    return {queue: table["count"].astype(np.int64) for queue, table in tables.items()}


def looked_at(rows: DataFrame, span: Span, messages: int) -> dict[str, dict[str, dict[int, int]]]:
    """Return by queue what slices of the fitted part show: kind (see ``slices``) -> value -> count."""
    step = (span.split - span.start) / SLICES
    length = min(step, step * SLICES * SLICE_MESSAGES / max(1, messages))
    first = f.greatest(f.lit(0), f.ceil((f.col("arrival") - span.start - length) / step))
    last = f.least(f.lit(SLICES - 1), f.floor((f.col("end") - span.start) / step))
    touching = rows.where(first <= last).select(
        "queue", "arrival", "start", "end", f.explode(f.sequence(first.cast("int"), last.cast("int"))).alias("slice")
    )
    begin = (f.lit(span.start) + f.col("slice") * step).alias("begin")
    ready = touching.select("queue", "slice", "arrival", "start", "end", begin, (begin + length).alias("until"))
    answers = ready.groupBy("queue", "slice").applyInArrow(in_slice, ANSWER)
    counted = answers.groupBy("queue", "kind", "value").agg(f.sum("count").alias("count")).collect()
    found: dict[str, dict[str, dict[int, int]]] = {}
    for row in counted:
        found.setdefault(str(row["queue"]), {}).setdefault(str(row["kind"]), {})[int(row["value"])] = int(row["count"])
    return found


def messages_between(rows: DataFrame, queue: str, spans: list[tuple[float, float]]) -> tuple[Any, Any]:
    """Return arrivals, in order, and latencies of the queue's completed messages that arrived in one of ``spans``."""
    inside = f.expr("false")
    for start, end in spans:
        inside = inside | ((f.col("arrival") >= start) & (f.col("arrival") < end))
    chosen = rows.where((f.col("queue") == queue) & inside)
    table = chosen.select("arrival", (f.col("end") - f.col("arrival")).alias("latency"), "outcome").toArrow()
    arrivals, latencies = table["arrival"].to_numpy(), table["latency"].to_numpy()
    completed = table["outcome"].to_numpy() == "completed"
    return np.sort(arrivals), latencies[completed]


def bin_time(bins: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the geometric middle of bins, in seconds."""
    middles: NDArray[np.float64] = SHORTEST * np.exp((bins + 0.5) * math.log1p(BIN))
    return middles


def by_queue(answer: DataFrame, place: str, size: int, *, absent: float) -> dict[str, dict[str, Floats]]:
    """Return by queue the columns of ``answer`` at the places 0 to ``size`` - 1, ``absent`` where it has no row."""
    found = {}
    for queue, part in answer.toArrow().to_pandas().groupby("queue"):
        table = part.set_index(place).drop(columns="queue").reindex(range(size), fill_value=absent)
        found[str(queue)] = {name: table[name].to_numpy(np.float64) for name in table}
    return found


def _block(span: Span) -> Column:
    """The block of a row, by its arrival."""
    return f.least(f.floor((f.col("arrival") - span.start) / span.block), f.lit(BLOCKS - 1)).cast("int")
