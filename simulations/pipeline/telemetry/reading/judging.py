"""What the judging of rows shares, whatever a row means: texts, instants, numbers, the first reason, repeated rows."""

from collections.abc import Mapping, Sequence
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql.connect import functions as f
from pyspark.sql.types import DataType, NumericType, StringType

from simulations.pipeline.telemetry.reading.raw import CORRUPT, RawLog

LATEST = 1e11
"""Instants above this many seconds are no seconds: the log counts in another unit."""
LONGEST_NAME = 200
SHOWN = 300
"""Letters of a row that is put aside."""
REPLACEMENT = "\ufffd"
"""What bytes that are not UTF-8 are read as."""
JUDGED = ("reason", "key", "raw")
"""Columns of a judged row beside its values."""
FALSE = "false"


def judged(
    log: RawLog, typed: DataFrame, *, tests: Mapping[str, Column], key: Column, values: Sequence[str]
) -> DataFrame:
    """Return ``values`` with ``reason`` (null for good rows), ``key`` of the row and ``raw``.

    ``typed`` has ``row``, the row as it was read (``as_read``). ``raw`` is the beginning of a row that is put aside.
    """
    reason = f.coalesce(*(f.when(test, f.lit(name)) for name, test in tests.items()))
    marked = typed.select("*", reason.alias("reason"), key.alias("key"))
    whole = f.concat_ws(",", *(f.col(f"row.{name}").cast("string") for name in (CORRUPT, *log.types)))
    shown = f.when(f.col("reason").isNotNull(), f.substring(whole, 1, SHOWN)).alias("raw")
    return marked.select(*values, "reason", "key", shown)


def repeated(rows: DataFrame) -> DataFrame:
    """Return the keys that more than one good row has, with ``again``: how many rows are too many."""
    counted = rows.where(f.col("reason").isNull() & f.col("key").isNotNull()).groupBy("key").count()
    return counted.where(f.col("count") > 1).select("key", (f.col("count") - 1).alias("again"))


def without_repeats(rows: DataFrame, keys: DataFrame) -> DataFrame:
    """Return the good rows, of those with a key in ``keys`` only the first in the order of their values."""
    values = values_of(rows)
    good = rows.where(f.col("reason").isNull())
    single = good.join(keys, "key", "left_anti")
    earliest = f.min(f.struct(*values))
    first = good.join(keys, "key", "left_semi").groupBy("key").agg(earliest.alias("row")).select("row.*")
    return single.select(*values).unionByName(first.select(*values))


def values_of(rows: DataFrame) -> list[str]:
    """Return the columns of judged rows that later steps read."""
    return [name for name in rows.columns if name not in JUDGED]


def as_read(log: RawLog) -> Column:
    """The row as it stands in the log."""
    return f.struct(CORRUPT, *log.types).alias("row")


def text(log: RawLog, name: str) -> Column:
    """The column as trimmed text; null where the log lacks it or the field is empty."""
    if name not in log.types:
        return f.lit(None).cast("string")
    trimmed = f.trim(f.col(name).cast("string"))
    return f.when(trimmed != "", trimmed)


def number(log: RawLog, name: str) -> Column:
    """The column as a number; null where the log lacks it or the field is none."""
    if isinstance(log.types.get(name), NumericType):
        return f.col(name).cast("double")
    return text(log, name).try_cast("double")


def instant(log: RawLog, name: str) -> Column:
    """Seconds: numbers as they are, timestamps and ISO 8601 texts since 1970 in UTC; null where it is neither."""
    kind: DataType = log.types[name]
    column = f.col(name)
    if isinstance(kind, NumericType):
        return column.cast("double")
    if not isinstance(kind, StringType):
        return f.unix_micros(column.cast("timestamp")) / 1e6
    trimmed = f.trim(column)
    stamp = f.unix_micros(trimmed.try_cast("timestamp")) / 1e6
    return f.coalesce(trimmed.try_cast("double"), stamp)


def garbled(log: RawLog) -> Column:
    """Whether a text of the row holds bytes that are no UTF-8."""
    texts = [CORRUPT, *(name for name, kind in log.types.items() if isinstance(kind, StringType))]
    return reduce(
        lambda one, other: one | other,
        (f.coalesce(f.contains(f"row.{name}", f.lit(REPLACEMENT)), f.expr(FALSE)) for name in texts),
    )


def unreadable(instants: Sequence[str]) -> Column:
    """Whether the row has the wrong shape, or queue or instants are not there or make no sense.

    A number that is none compares as larger than all.
    """
    sound = [f.coalesce(f.abs(f.col(name)) < LATEST, f.expr(FALSE)) for name in instants]
    named = f.coalesce(f.length("queue") <= LONGEST_NAME, f.expr(FALSE)) & (f.length("instance") <= LONGEST_NAME)
    return f.col(f"row.{CORRUPT}").isNotNull() | ~reduce(lambda one, other: one & other, sound, named)
