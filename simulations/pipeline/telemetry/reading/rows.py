"""From raw rows of a message log to checked ones: every row gets its values, or the reason why it is put aside.

The checked rows are kept once as Parquet, next to nothing else: the later questions read columns of it, not the log.
"""

from pyspark.sql import Column, DataFrame
from pyspark.sql.connect import functions as f
from pyspark.sql.types import NumericType

from simulations.pipeline.telemetry.reading import judging
from simulations.pipeline.telemetry.reading.columns import OUTCOMES
from simulations.pipeline.telemetry.reading.raw import RawLog

MOST_DELIVERIES = 10_000
INSTANTS = ("arrival", "start", "end")
PLAIN = (*INSTANTS, "queue", "instance", "outcome", "deliveries")
"""What later steps read of a good row."""


def checked(log: RawLog) -> DataFrame:
    """Return the judged rows (``judging``) with the columns of ``PLAIN``."""
    typed = log.rows.select(
        *(judging.instant(log, name).alias(name) for name in INSTANTS),
        judging.text(log, "queue").alias("queue"),
        f.coalesce(judging.text(log, "instance"), f.lit("")).alias("instance"),
        f.coalesce(f.lower(judging.text(log, "outcome")), f.lit(OUTCOMES[0])).alias("outcome"),
        _deliveries(log).alias("deliveries"),
        judging.text(log, "message_id").alias("message_id"),
        judging.as_read(log),
    )
    tests = {
        "encoding": judging.garbled(log),
        "unreadable": judging.unreadable(INSTANTS),
        "clock_backwards": f.col("start") < f.col("arrival"),
        "negative_duration": f.col("end") < f.col("start"),
        "unknown_outcome": ~f.col("outcome").isin(*OUTCOMES),
        "bad_deliveries": ~f.coalesce(_whole(f.col("deliveries")), f.expr("false")),
    }
    key = f.when(f.col("message_id").isNotNull(), f.xxhash64("queue", "message_id"))
    return judging.judged(log, typed, tests=tests, key=key, values=PLAIN)


def _deliveries(log: RawLog) -> Column:
    """The number of deliveries, 1 where nothing is said; null where it is no number."""
    if isinstance(log.types.get("deliveries"), NumericType):
        return f.coalesce(f.col("deliveries").cast("double"), f.lit(1.0))
    return f.coalesce(judging.text(log, "deliveries"), f.lit("1")).try_cast("double")


def _whole(number: Column) -> Column:
    return (number >= 1) & (number <= MOST_DELIVERIES) & (f.floor(number) == number)
