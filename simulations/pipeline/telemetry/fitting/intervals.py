"""From samples to the intervals between them, and what Spark sums of those: an answer by window of time, and small.

Counts become increments: a counter that fell started again, so its new value is the increment. Gauges become means: an
interval has that of its two ends. An interval much longer than the others of its instance is a gap, of which nothing
is known.
"""

from dataclasses import dataclass

import numpy as np
from pyspark.sql import Column, DataFrame
from pyspark.sql.connect import functions as f
from pyspark.sql.connect.window import Window
from pyspark.sql.window import WindowSpec

from simulations.analysis.replications.measures import Floats
from simulations.pipeline.telemetry.fitting.questions import Span, by_queue
from simulations.pipeline.telemetry.reading.judging import NOW, SEEN
from simulations.pipeline.telemetry.reading.layouts import COUNTS, Layout

GAP = 10
"""An interval this many times as long as the usual one is a gap."""
MEANS = tuple(name for name in SEEN if name != "threads")
COLUMNS = ("covered", *COUNTS, *MEANS)
"""What a window of time has: seconds that were watched, increments, and integrals of gauges over time."""
ACCURACY = 1_000


@dataclass(frozen=True)
class Instance:
    """What the rows of one instance of a queue say. ``usual``: seconds of an interval; ``regular``: all are the same.
    ``busy``: number in process -> samples that saw it; ``crowded``: of those, the ones with messages waiting."""

    queue: str
    name: str
    busy: dict[int, int]
    crowded: dict[int, int]
    samples: int
    seconds: float
    usual: float
    regular: bool
    restarts: int
    gaps: int
    completed: float
    threads: float | None
    known: frozenset[str]


def between(rows: DataFrame) -> DataFrame:
    """Return a row for each sample: increments and means since the one before, null in an instance's first.

    ``begin`` to ``end`` are its instants, ``fell`` says that a counter started again, ``gap`` that it is too long,
    ``at_end`` holds the gauges of the sample itself, ``counted`` says which counts are its own.
    """
    order = Window.partitionBy("queue", "instance").orderBy("time")
    everything = Window.partitionBy("queue", "instance")
    falls = [f.coalesce(f.col(name) < f.lag(name).over(order), f.expr("false")) for name in COUNTS]
    fell = f.greatest(*(fall.cast("int") for fall in falls)) == 1
    changes = rows.select(
        "queue",
        "instance",
        f.lag("time").over(order).alias("begin"),
        f.col("time").alias("end"),
        *(_increment(name, order).alias(name) for name in COUNTS),
        *(((f.col(name) + f.lag(name).over(order)) / 2).alias(name) for name in MEANS),
        fell.alias("fell"),
        f.struct(*SEEN).alias("at_end"),
        f.struct(*(f.coalesce(name, f"{name}{NOW}").isNotNull().alias(name) for name in COUNTS)).alias("counted"),
    )
    length = f.col("end") - f.col("begin")
    usual = f.percentile_approx("length", 0.5, ACCURACY).over(everything)
    timed = changes.withColumn("length", length).withColumn("usual", usual)
    return _completed(timed.withColumn("gap", f.coalesce(f.col("length") > GAP * f.col("usual"), f.expr("false"))))


def _increment(name: str, order: WindowSpec) -> Column:
    """What was counted since the row before; a count by intervals is that already."""
    value, before = f.col(name), f.lag(name).over(order)
    grown = f.when(value >= before, value - before).when(value < before, value)
    counted = f.when(f.lag("time").over(order).isNotNull(), f.col(f"{name}{NOW}"))
    return f.coalesce(counted, grown)


def _completed(frame: DataFrame) -> DataFrame:
    """Fill the counts of messages that the log lacks from those that it has; in the long run they are the same."""
    rolled_back = f.coalesce(f.col("rolled_back"), f.lit(0.0))
    good = f.col("deliveries") - rolled_back
    done = f.when(good >= 0, good).when(good < 0, 0.0)
    frame = frame.withColumn("completed", f.coalesce("completed", done, f.col("arrived")))
    frame = frame.withColumn("arrived", f.coalesce("arrived", "completed"))
    return frame.withColumn("deliveries", f.coalesce(f.col("deliveries"), f.col("completed") + rolled_back))


def instances(intervals: DataFrame) -> list[Instance]:
    """Return what is known of each instance of each queue that has two samples or more."""
    usable = ~f.col("gap") & f.col("begin").isNotNull()
    quick = [f.percentile_approx("length", share, ACCURACY) for share in (0.02, 0.98)]
    counted = intervals.groupBy("queue", "instance").agg(
        f.count("*").alias("samples"),
        f.sum(f.when(usable, f.col("length"))).alias("seconds"),
        f.count_if(usable).alias("number"),
        f.max("usual").alias("usual"),
        f.array(*quick).alias("quick"),
        f.count_if("fell").alias("restarts"),
        f.count_if("gap").alias("gaps"),
        f.coalesce(f.sum("completed"), f.lit(0.0)).alias("completed"),
        f.max("at_end.threads").alias("threads"),
        *(f.count_if(f"counted.{name}").alias(f"known_{name}") for name in COUNTS),
        *(f.count(name).alias(f"known_{name}") for name in MEANS),
    )
    busy = _busy(intervals)
    found = []
    for row in counted.where(f.col("number") > 0).collect():
        key = (str(row["queue"]), str(row["instance"]))
        least, most = row["quick"]
        regular = most - least <= 0.02 * row["usual"]
        known = frozenset(name for name in (*COUNTS, *MEANS) if row[f"known_{name}"])
        plain = {name: row[name] for name in ("samples", "seconds", "restarts", "gaps", "completed", "threads")}
        usual = row["seconds"] / row["number"] if regular else row["usual"]
        found.append(Instance(*key, *busy.get(key, ({}, {})), usual=usual, regular=regular, known=known, **plain))
    return found


def _busy(intervals: DataFrame) -> dict[tuple[str, str], tuple[dict[int, int], dict[int, int]]]:
    seen = f.col("at_end")
    waits = f.coalesce(seen["waiting"], seen["present"] - seen["busy"]) > 0
    number = f.round(seen["busy"]).cast("int").alias("busy")
    rows = intervals.where(seen["busy"].isNotNull()).select("queue", "instance", number, waits.alias("waits"))
    grouped = rows.groupBy("queue", "instance", "busy").agg(f.count("*").alias("all"), f.count_if("waits").alias("of"))
    found: dict[tuple[str, str], tuple[dict[int, int], dict[int, int]]] = {}
    for row in grouped.collect():
        every, crowded = found.setdefault((str(row["queue"]), str(row["instance"])), ({}, {}))
        every[int(row["busy"])] = int(row["all"])
        if row["of"]:
            crowded[int(row["busy"])] = int(row["of"])
    return found


def windows(intervals: DataFrame, layout: Layout, span: Span, width: float) -> dict[str, dict[str, Floats]]:
    """Return by queue ``COLUMNS`` [windows] of ``width`` seconds from the start, nan where nothing is known.

    An interval counts to each window with the share that lies in it. Instances are added up; of what they share, and
    of the watched seconds, the largest counts.
    """
    usable = intervals.where(~f.col("gap") & f.col("begin").isNotNull())
    first, last = (f.floor((f.col(name) - span.start) / width).cast("int") for name in ("begin", "end"))
    pieces = usable.select("*", f.explode(f.sequence(first, last)).alias("window"))
    begin = f.lit(span.start) + f.col("window") * width
    covered = f.least("end", begin + width) - f.greatest("begin", begin)
    parts = pieces.withColumn("covered", covered).where(f.col("covered") > 0)
    share = f.col("covered") / f.col("length")
    sums = {"covered": f.col("covered"), **{name: f.col(name) * share for name in COUNTS}}
    sums |= {name: f.col(name) * f.col("covered") for name in MEANS}
    each = parts.groupBy("queue", "instance", "window").agg(*(f.sum(value).alias(name) for name, value in sums.items()))
    shared = {column.role for column in layout.columns if column.shared} | {"covered"}
    merged = ((f.max if name in shared else f.sum)(name).alias(name) for name in COLUMNS)
    size = int(np.ceil((span.end - span.start) / width - 1e-6))
    tables = by_queue(each.groupBy("queue", "window").agg(*merged), "window", size, absent=np.nan)
    return {queue: {**table, "covered": np.nan_to_num(table["covered"])} for queue, table in tables.items()}
