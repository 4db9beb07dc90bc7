"""What became of the rows of a log: read, put aside and why, with a few examples of each reason."""

from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql.connect import functions as f

from simulations.pipeline.telemetry.reading.judging import repeated, values_of
from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused
from simulations.pipeline.telemetry.reading.raw import LONGEST_LINE, RawLog

BACKWARDS = "clock_backwards"
EXAMPLES = 3
FEWEST_BACKWARDS, MOST_BACKWARDS = 10, 0.01
"""Rows, and share of rows, whose delivery begins before the message arrived that may be an accident."""


@dataclass(frozen=True)
class PutAside:
    """Rows that are not used for one reason; ``examples`` are the beginnings of up to three of them."""

    reason: str
    meaning: str
    count: int
    examples: tuple[str, ...]


@dataclass(frozen=True)
class Quarantine:
    """``rows`` were read and ``used`` are used, in words too. ``passed_over``: bytes of lines too long to be read."""

    rows: int
    used: int
    bytes: int
    passed_over: int
    aside: tuple[PutAside, ...]
    sentence: str


def quarantine(log: RawLog, rows: DataFrame) -> tuple[Quarantine, DataFrame | None]:
    """Return the account, and the keys of repeated rows if any; raises TelemetryRefused when no row is left."""
    counted = {row[0]: int(row[1]) for row in rows.groupBy("reason").count().collect()}
    total, good = sum(counted.values()), counted.pop(None, 0)
    reasons = log.layout.reasons
    aside = [
        PutAside(reason, meaning, counted[reason], _shown(rows.where(f.col("reason") == reason).select("raw")))
        for reason, meaning in reasons.items()
        if reason in counted
    ]
    keys = repeated(rows)
    again = int(keys.agg(f.coalesce(f.sum("again"), f.lit(0))).collect()[0][0])
    if again:
        some = rows.where(f.col("reason").isNull()).join(keys.limit(EXAMPLES), "key", "left_semi")
        examples = _shown(some.select(f.to_json(f.struct(*values_of(rows)))))
        aside.append(PutAside("duplicate", reasons["duplicate"], again, examples))
    if good == 0:
        worst = max(aside, key=lambda item: item.count, default=None)
        why = f": {worst.count:,} rows, {worst.meaning}; for example {worst.examples[0]}" if worst else ""
        raise TelemetryRefused(f"the log holds no row that can be used{why}")
    backwards = counted.get(BACKWARDS, 0)
    if not log.layout.samples and backwards > max(FEWEST_BACKWARDS, MOST_BACKWARDS * total):
        raise TelemetryRefused(_skew(rows.where(f.col("reason") == BACKWARDS), backwards / total))
    said = sentence_of(total, good - again, log.passed_over, log.longest)
    account = Quarantine(total, good - again, log.bytes, log.passed_over, tuple(aside), said)
    return account, keys if again else None


def sentence_of(rows: int, used: int, passed_over: int, longest: int = LONGEST_LINE) -> str:
    """Return the account in words."""
    long = f"; {passed_over:,} bytes lie in lines above {longest:,} bytes, which are not read"
    return f"{used:,} of {rows:,} rows are used{long if passed_over else ''}."


def _skew(rows: DataFrame, share: float) -> str:
    """What the rows say about the clocks, those of the instance that is furthest off."""
    gap = f.percentile_approx(f.col("arrival") - f.col("start"), 0.99).alias("gap")
    instance, seconds = rows.groupBy("instance").agg(gap).orderBy(f.desc("gap")).collect()[0]
    where = f" on instance {instance!r}" if instance else ""
    return (
        f"{share:.0%} of the deliveries begin before their message arrived, by up to {1000 * seconds:.3g} ms{where}: "
        "the clocks behind arrival and start differ. Take both from one clock, or correct one by the difference"
    )


def _shown(rows: DataFrame) -> tuple[str, ...]:
    return tuple(str(row[0]) for row in rows.limit(EXAMPLES).collect())
