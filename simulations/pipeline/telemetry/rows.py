"""From raw rows to checked ones: every row gets its values, or the reason why it is put aside.

The checked rows are kept once as Parquet, next to nothing else: the later questions read columns of it, not the log.
"""

from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql.connect import functions as f
from pyspark.sql.types import DataType, NumericType, StringType

from simulations.pipeline.telemetry.columns import OUTCOMES
from simulations.pipeline.telemetry.raw import CORRUPT, RawLog

LATEST = 1e11
"""Instants above this many seconds are no seconds: the log counts in another unit."""
LONGEST_NAME = 200
MOST_DELIVERIES = 10_000
SHOWN = 300
"""Letters of a row that is put aside."""
REPLACEMENT = "\ufffd"
"""What bytes that are not UTF-8 are read as."""
INSTANTS = ("arrival", "start", "end")
PLAIN = ("queue", "instance", *INSTANTS, "outcome", "deliveries")
"""What later steps read of a good row."""


def checked(log: RawLog) -> DataFrame:
    """Return the rows with typed columns, ``reason`` (null for good rows), ``key`` of the message and ``raw``.

    ``raw`` is the beginning of a row that is put aside.
    """
    typed = log.rows.select(
        _text(log, "queue").alias("queue"),
        f.coalesce(_text(log, "instance"), f.lit("")).alias("instance"),
        *(_instant(log, name).alias(name) for name in INSTANTS),
        f.coalesce(f.lower(_text(log, "outcome")), f.lit(OUTCOMES[0])).alias("outcome"),
        _deliveries(log).alias("deliveries"),
        _text(log, "message_id").alias("message_id"),
        f.struct(CORRUPT, *log.types).alias("row"),
    )
    reason = _first(
        {
            "encoding": _garbled(log),
            "unreadable": f.col(f"row.{CORRUPT}").isNotNull() | ~_readable(),
            "clock_backwards": f.col("start") < f.col("arrival"),
            "negative_duration": f.col("end") < f.col("start"),
            "unknown_outcome": ~f.col("outcome").isin(*OUTCOMES),
            "bad_deliveries": ~f.coalesce(_whole(f.col("deliveries")), f.expr("false")),
        }
    )
    key = f.when(f.col("message_id").isNotNull(), f.xxhash64("queue", "message_id"))
    judged = typed.select("*", reason.alias("reason"), key.alias("key"))
    whole = f.concat_ws(",", *(f.col(f"row.{name}").cast("string") for name in (CORRUPT, *log.types)))
    shown = f.when(f.col("reason").isNotNull(), f.substring(whole, 1, SHOWN)).alias("raw")
    return judged.select(*PLAIN, "reason", "key", shown)


def repeated(rows: DataFrame) -> DataFrame:
    """Return the keys that more than one good row has, with ``again``: how many rows are too many."""
    counted = rows.where(f.col("reason").isNull() & f.col("key").isNotNull()).groupBy("key").count()
    return counted.where(f.col("count") > 1).select("key", (f.col("count") - 1).alias("again"))


def without_repeats(rows: DataFrame, keys: DataFrame) -> DataFrame:
    """Return the good rows, of those with a key in ``keys`` only the first by arrival."""
    good = rows.where(f.col("reason").isNull())
    single = good.join(keys, "key", "left_anti")
    earliest = f.min(f.struct("arrival", "start", "end", *(name for name in PLAIN if name not in INSTANTS)))
    first = good.join(keys, "key", "left_semi").groupBy("key").agg(earliest.alias("row")).select("row.*")
    return single.select(*PLAIN).unionByName(first.select(*PLAIN))


def _text(log: RawLog, name: str) -> Column:
    """The column as trimmed text; null where the log lacks it or the field is empty."""
    if name not in log.types:
        return f.lit(None).cast("string")
    text = f.trim(f.col(name).cast("string"))
    return f.when(text != "", text)


def _garbled(log: RawLog) -> Column:
    """Whether a text of the row holds bytes that are no UTF-8."""
    texts = [CORRUPT, *(name for name, kind in log.types.items() if isinstance(kind, StringType))]
    return reduce(
        lambda one, other: one | other,
        (f.coalesce(f.contains(f"row.{name}", f.lit(REPLACEMENT)), f.expr("false")) for name in texts),
    )


def _deliveries(log: RawLog) -> Column:
    """The number of deliveries, 1 where nothing is said; null where it is no number."""
    if isinstance(log.types.get("deliveries"), NumericType):
        return f.coalesce(f.col("deliveries").cast("double"), f.lit(1.0))
    return f.coalesce(_text(log, "deliveries"), f.lit("1")).try_cast("double")


def _instant(log: RawLog, name: str) -> Column:
    """Seconds: numbers as they are, timestamps and ISO 8601 texts since 1970 in UTC; null where it is neither."""
    kind: DataType = log.types[name]
    column = f.col(name)
    if isinstance(kind, NumericType):
        return column.cast("double")
    if not isinstance(kind, StringType):
        return f.unix_micros(column.cast("timestamp")) / 1e6
    text = f.trim(column)
    stamp = f.unix_micros(text.try_cast("timestamp")) / 1e6
    return f.coalesce(text.try_cast("double"), stamp)


def _readable() -> Column:
    """Whether queue and instants are there and make sense; a number that is none compares as larger than all."""
    instants = [f.coalesce(f.abs(f.col(name)) < LATEST, f.expr("false")) for name in INSTANTS]
    named = f.coalesce(f.length("queue") <= LONGEST_NAME, f.expr("false")) & (f.length("instance") <= LONGEST_NAME)
    return reduce(lambda one, other: one & other, instants, named)


def _whole(number: Column) -> Column:
    return (number >= 1) & (number <= MOST_DELIVERIES) & (f.floor(number) == number)


def _first(tests: dict[str, Column]) -> Column:
    """The name of the first test that holds; null when none does."""
    return f.coalesce(*(f.when(test, f.lit(name)) for name, test in tests.items()))
