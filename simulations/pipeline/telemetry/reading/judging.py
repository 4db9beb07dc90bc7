"""From raw rows to checked ones: every row gets its values, or the reason why it is put aside."""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_, or_

from pyspark.sql import Column, DataFrame
from pyspark.sql.connect import functions as f
from pyspark.sql.connect.window import Window
from pyspark.sql.types import NumericType, StringType

from simulations.pipeline.telemetry.reading.layouts import COUNTS, GAUGES, OUTCOMES
from simulations.pipeline.telemetry.reading.raw import CORRUPT, PLACE, RawLog

LATEST = 1e11
"""Instants above this are not seconds: the log counts in another unit."""
LONGEST_NAME = 200
MOST_DELIVERIES = 10_000
SHOWN = 300
"""Letters of a row that is put aside."""
KEYS_AT_ONCE = 500_000
"""About as many are counted together, which takes some 80 MB of a task's memory."""
REPLACEMENT = "\ufffd"
"""What bytes that are not UTF-8 are read as."""
JUDGED = ("reason", "key", "raw")
"""Columns that judging adds to the values of a row."""
INSTANTS = ("arrival", "start", "end")
MESSAGE = (*INSTANTS, "queue", "instance", "outcome", "deliveries")
"""What later steps read of a good message."""
NOW = "_now"
"""Ends the name of a count that starts again with every row."""
SEEN = tuple(name for name in GAUGES if name != "busy_share")
SAMPLE = ("time", "queue", "instance", *COUNTS, *(f"{name}{NOW}" for name in COUNTS), *SEEN)
"""What later steps read of a good sample; null where the log does not say it."""


def checked(log: RawLog) -> DataFrame:
    """Return the values of each row, its ``reason`` (null for good rows), its ``key`` and ``raw``.

    The values are those of ``SAMPLE`` or ``MESSAGE``. Good rows of the same key are repeats. ``raw`` is the beginning
    of a row that is put aside.
    """
    return _samples(log) if log.layout.samples else _messages(log)


def repeated(rows: DataFrame, count: int) -> DataFrame:
    """Return the keys that more than one good row of ``count`` has, with ``again``: how many rows are too many."""
    known = rows.where(f.col("reason").isNull() & f.col("key").isNotNull()).select("key")
    counted = known.repartition(1 + count // KEYS_AT_ONCE, "key").groupBy("key").count()
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


def _messages(log: RawLog) -> DataFrame:
    given = f.when(_text(log, "deliveries").isNull(), 1.0).otherwise(_number(log, "deliveries"))
    typed = log.rows.select(
        *(_instant(log, name).alias(name) for name in INSTANTS),
        _text(log, "queue").alias("queue"),
        f.coalesce(_text(log, "instance"), f.lit("")).alias("instance"),
        f.coalesce(f.lower(_text(log, "outcome")), f.lit(OUTCOMES[0])).alias("outcome"),
        given.alias("deliveries"),
        _text(log, "message_id").alias("message_id"),
        _as_read(log),
    )
    deliveries = f.col("deliveries")
    whole = (deliveries >= 1) & (deliveries <= MOST_DELIVERIES) & (f.floor(deliveries) == deliveries)
    tests = {
        "encoding": _garbled(log),
        "unreadable": _unreadable(INSTANTS[1:]),
        "no_arrival": ~_surely(f.abs("arrival") < LATEST),
        "negative_duration": f.col("end") < f.col("start"),
        "unknown_outcome": ~f.col("outcome").isin(*OUTCOMES),
        "bad_deliveries": ~_surely(whole),
        "clock_backwards": f.col("start") < f.col("arrival"),
    }
    key = f.when(f.col("message_id").isNotNull(), f.xxhash64("queue", "message_id"))
    return _judged(log, typed, tests=tests, key=key, values=MESSAGE)


def _samples(log: RawLog) -> DataFrame:
    typed = log.rows.select(*_sample_values(log), _wrong(log).alias("wrong"), _as_read(log), PLACE)
    counts = [f"{name}{end}" for end in ("", NOW) for name in COUNTS if name != "service_seconds"]
    tests = {
        "encoding": _garbled(log),
        "unreadable": _unreadable(("time",)),
        "bad_number": f.col("wrong"),
        "no_count": f.coalesce(*counts).isNull(),
    }
    sound = ~reduce(or_, tests.values())
    before = Window.partitionBy("queue", "instance").orderBy(PLACE).rowsBetween(Window.unboundedPreceding, -1)
    latest = f.max(f.when(f.col("sound"), f.col("time"))).over(before)
    ordered = typed.select("*", sound.alias("sound")).select("*", latest.alias("latest"))
    tests["clock_backwards"] = _surely(f.col("time") < f.col("latest"))
    return _judged(log, ordered, tests=tests, key=f.xxhash64("queue", "instance", "time"), values=SAMPLE)


def _judged(
    log: RawLog, typed: DataFrame, *, tests: Mapping[str, Column], key: Column, values: Sequence[str]
) -> DataFrame:
    """The first reason that applies; ``typed`` has ``row``, the row as it was read."""
    reason = f.coalesce(*(f.when(test, f.lit(name)) for name, test in tests.items()))
    marked = typed.select("*", reason.alias("reason"), key.alias("key"))
    whole = f.concat_ws(",", *(f.col(f"row.{name}").cast("string") for name in (CORRUPT, *log.types)))
    shown = f.when(f.col("reason").isNotNull(), f.substring(whole, 1, SHOWN)).alias("raw")
    return marked.select(*values, "reason", "key", shown)


def _as_read(log: RawLog) -> Column:
    return f.struct(CORRUPT, *log.types).alias("row")


def _surely(test: Column) -> Column:
    """The test, false where it is null."""
    return f.coalesce(test, f.expr("false"))


def _text(log: RawLog, name: str) -> Column:
    """The column as trimmed text; null where the log lacks it or the field is empty."""
    if name not in log.types:
        return f.lit(None).cast("string")
    trimmed = f.trim(f.col(name).cast("string"))
    return f.when(trimmed != "", trimmed)


def _number(log: RawLog, name: str) -> Column:
    """The column as a number; null where the log lacks it or the field is none."""
    if isinstance(log.types.get(name), NumericType):
        return f.col(name).cast("double")
    return _text(log, name).try_cast("double")


def _instant(log: RawLog, name: str) -> Column:
    """Seconds: numbers as they are, timestamps and ISO 8601 texts since 1970 in UTC; null where it is neither."""
    kind, column = log.types[name], f.col(name)
    if isinstance(kind, NumericType):
        return column.cast("double")
    if not isinstance(kind, StringType):
        return f.unix_micros(column.cast("timestamp")) / 1e6
    trimmed = f.trim(column)
    stamp = f.unix_micros(trimmed.try_cast("timestamp")) / 1e6
    return f.coalesce(trimmed.try_cast("double"), stamp)


def _garbled(log: RawLog) -> Column:
    """Whether a text of the row holds bytes that are not UTF-8."""
    texts = [CORRUPT, *(name for name, kind in log.types.items() if isinstance(kind, StringType))]
    return reduce(or_, (_surely(f.contains(f"row.{name}", f.lit(REPLACEMENT))) for name in texts))


def _unreadable(instants: Sequence[str]) -> Column:
    """Whether the shape is wrong, or queue or instants make no sense (NaN compares as larger than all numbers)."""
    sound = [_surely(f.abs(f.col(name)) < LATEST) for name in instants]
    named = _surely(f.length("queue") <= LONGEST_NAME) & (f.length("instance") <= LONGEST_NAME)
    return f.col(f"row.{CORRUPT}").isNotNull() | ~reduce(and_, sound, named)


def _sample_values(log: RawLog) -> list[Column]:
    time, queue = (log.layout.of_role(role)[0].name for role in ("time", "queue"))
    instances = [_text(log, column.name) for column in log.layout.of_role("instance")]
    gauges = {name: _role(log, name) for name in SEEN}
    gauges["busy"] = f.coalesce(gauges["busy"], _role(log, "busy_share") * _role(log, "threads"))
    return [
        _instant(log, time).alias("time"),
        _text(log, queue).alias("queue"),
        f.coalesce(*instances, f.lit("")).alias("instance"),
        *(_role(log, name).alias(name) for name in COUNTS),
        *(_role(log, name, interval=True).alias(f"{name}{NOW}") for name in COUNTS),
        *(column.alias(name) for name, column in gauges.items()),
    ]


def _role(log: RawLog, role: str, *, interval: bool = False) -> Column:
    """The first column of a role that has a value, in the role's unit."""
    columns = [column for column in log.layout.of_role(role) if column.interval == interval]
    values = (_number(log, column.name) * column.factor for column in columns)
    return f.coalesce(*values, f.lit(None).cast("double"))


def _wrong(log: RawLog) -> Column:
    """Whether something in a count or gauge is not a number of 0 or more."""
    wrong = f.expr("false")
    for column in log.layout.columns:
        if column.role in (*COUNTS, *GAUGES) and column.name in log.types:
            value = _number(log, column.name)
            sound = _surely((value >= 0) & (value < LATEST**2))
            wrong = wrong | (_text(log, column.name).isNotNull() & ~sound)
    return wrong
