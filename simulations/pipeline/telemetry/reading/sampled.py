"""From raw rows of any layout of samples to checked rows of the common schema, or the reason why one is put aside."""

from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql.connect import functions as f
from pyspark.sql.connect.window import Window

from simulations.pipeline.telemetry.reading import judging
from simulations.pipeline.telemetry.reading.layouts import COUNTS, GAUGES
from simulations.pipeline.telemetry.reading.raw import PLACE, RawLog

NOW = "_now"
"""Ends the name of a count that begins anew with every row."""
SEEN = tuple(name for name in GAUGES if name != "busy_share")
SAMPLE = ("time", "queue", "instance", *COUNTS, *(f"{name}{NOW}" for name in COUNTS), *SEEN)
"""What later steps read of a good row; null where the log does not say it."""


def checked(log: RawLog) -> DataFrame:
    """Return the judged rows (``judging``) with the columns of ``SAMPLE``."""
    typed = log.rows.select(*_values(log), _wrong(log).alias("wrong"), judging.as_read(log), PLACE)
    tests = {
        "encoding": judging.garbled(log),
        "unreadable": judging.unreadable(("time",)),
        "bad_number": f.col("wrong"),
        "no_count": f.coalesce(*(f.col(name) for name in _message_counts())).isNull(),
    }
    sound = ~reduce(lambda one, other: one | other, tests.values())
    before = Window.partitionBy("queue", "instance").orderBy(PLACE).rowsBetween(Window.unboundedPreceding, -1)
    latest = f.max(f.when(f.col("sound"), f.col("time"))).over(before)
    ordered = typed.select("*", sound.alias("sound")).select("*", latest.alias("latest"))
    tests["clock_backwards"] = f.coalesce(f.col("time") < f.col("latest"), f.expr("false"))
    key = f.xxhash64("queue", "instance", "time")
    return judging.judged(log, ordered, tests=tests, key=key, values=SAMPLE)


def _message_counts() -> list[str]:
    counted = [name for name in COUNTS if name != "service_seconds"]
    return [*counted, *(f"{name}{NOW}" for name in counted)]


def _values(log: RawLog) -> list[Column]:
    time, queue = (log.layout.of_role(role)[0].name for role in ("time", "queue"))
    instances = [judging.text(log, column.name) for column in log.layout.of_role("instance")]
    share = _role(log, "busy_share") * _role(log, "threads")
    gauges = {name: _role(log, name) for name in SEEN}
    gauges["busy"] = f.coalesce(gauges["busy"], share)
    return [
        judging.instant(log, time).alias("time"),
        judging.text(log, queue).alias("queue"),
        f.coalesce(*instances, f.lit("")).alias("instance"),
        *(_role(log, name).alias(name) for name in COUNTS),
        *(_role(log, name, interval=True).alias(f"{name}{NOW}") for name in COUNTS),
        *(column.alias(name) for name, column in gauges.items()),
    ]


def _role(log: RawLog, role: str, *, interval: bool = False) -> Column:
    """The first column of a role that has a value, in the role's unit."""
    columns = [column for column in log.layout.of_role(role) if column.interval == interval]
    return f.coalesce(
        *(judging.number(log, column.name) * column.factor for column in columns), f.lit(None).cast("double")
    )


def _wrong(log: RawLog) -> Column:
    """Whether something stands in a count or gauge that is not a number of 0 or more."""
    wrong = f.expr("false")
    for column in log.layout.columns:
        if column.role in (*COUNTS, *GAUGES) and column.name in log.types:
            value = judging.number(log, column.name)
            sound = f.coalesce((value >= 0) & (value < judging.LATEST**2), f.expr("false"))
            wrong = wrong | (judging.text(log, column.name).isNotNull() & ~sound)
    return wrong
