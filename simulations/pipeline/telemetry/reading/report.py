"""What became of the rows of a log: read, put aside and why, with a few examples of each reason."""

from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql.connect import functions as f

from simulations.analysis.estimates.summary import quantity
from simulations.pipeline.telemetry.reading.judging import repeated, values_of
from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused
from simulations.pipeline.telemetry.reading.raw import LONGEST_LINE, RawLog

BACKWARDS = "clock_backwards"
EXAMPLES = 3
FEWEST_BACKWARDS, MOST_BACKWARDS = 10, 0.01
"""Rows, and share of rows, whose delivery begins before the message arrived that may be an accident."""
CLOCK_PARTS, QUICKEST, STEADY, ACCURACY = 10, (0.01, 0.05), 0.05, 10_000
"""Two clocks differ by a constant where in so many parts of the log these percentiles of the time from arrival to start
lie as near to each other as this share of the median time of a delivery."""
JITTER = 0.001
"""Seconds by which a delivery may then seem to begin too early: it begins at once."""


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
    keys = repeated(rows, total)
    again = int(keys.agg(f.coalesce(f.sum("again"), f.lit(0))).collect()[0][0])
    if again:
        some = rows.where(f.col("reason").isNull()).join(keys.limit(EXAMPLES), "key", "left_semi")
        examples = _shown(some.select(f.to_json(f.struct(*values_of(rows)))))
        aside.append(PutAside("duplicate", reasons["duplicate"], again, examples))
    if good == 0:
        worst = max(aside, key=lambda item: item.count, default=None)
        why = f": {worst.count:,} rows, {worst.meaning}; for example {worst.examples[0]}" if worst else ""
        raise TelemetryRefused(f"the log holds no row that can be used{why}")
    said = sentence_of(total, good - again, log.passed_over, log.longest)
    account = Quarantine(total, good - again, log.bytes, log.passed_over, tuple(aside), said)
    return account, keys if again else None


def sentence_of(rows: int, used: int, passed_over: int, longest: int = LONGEST_LINE) -> str:
    """Return the account in words."""
    long = f"; {quantity(passed_over, 'B')} lie in lines above {quantity(longest, 'B')}, which are not read"
    return f"{used:,} of {rows:,} rows are used{long if passed_over else ''}."


def on_one_clock(log: RawLog, rows: DataFrame) -> tuple[DataFrame, str]:
    """Return the rows with starts and ends on the clock of arrivals, and what was corrected in a sentence, if anything.

    Where many deliveries begin before their message arrived, the quickest begin as it arrives. Raises TelemetryRefused
    where these do not tell the difference, or it changes.
    """
    early, arrival = f.col("reason") == BACKWARDS, f.col("arrival")
    known = rows.where(f.col("reason").isNull() | early)
    if log.layout.samples:
        return rows, ""
    columns = (f.min(arrival), f.max(arrival), f.count("*"), f.count_if(early))
    first, last, total, backwards = known.agg(*columns).collect()[0]
    if backwards <= max(FEWEST_BACKWARDS, MOST_BACKWARDS * total):
        return rows, ""
    part = f.floor((arrival - first) / (last - first + 1e-6) * CLOCK_PARTS).alias("part")
    quick = (f.percentile_approx(f.col("start") - arrival, share, ACCURACY) for share in QUICKEST)
    time = f.percentile_approx(f.col("end") - f.col("start"), 0.5)
    answer = known.groupBy("instance", part).agg(*quick, time).toArrow().to_pandas()
    answer.columns = ["instance", "part", "least", "most", "time"]
    edges = answer.groupby("instance").agg({"least": "min", "most": "max", "time": "median"})
    apart = f"by up to {-1000 * edges['least'].min():.3g} ms"
    if ((edges["least"] < 0) & (edges["most"] - edges["least"] > STEADY * edges["time"])).any():
        raise TelemetryRefused(
            f"{backwards / total:.0%} of the deliveries begin before their message arrived, {apart}: the clocks behind "
            "arrival and start differ, and not by the same time always. Take both from one clock"
        )
    pairs = (-edges["least"]).clip(lower=0.0).items()
    late = f.create_map(*(f.lit(item) for pair in pairs for item in pair))[f.col("instance")]
    start = f.greatest(f.col("start") + late, f.when(f.col("start") + late > arrival - JITTER, arrival))
    end, reason = f.greatest(f.col("end") + late, start), f.when(~early | (start < arrival), f.col("reason"))
    told = f" Starts and ends were behind arrivals {apart} and are corrected: the quickest begin at once."
    return rows.withColumns({"start": start, "end": end, "reason": reason}), told


def _shown(rows: DataFrame) -> tuple[str, ...]:
    return tuple(str(row[0]) for row in rows.limit(EXAMPLES).collect())
