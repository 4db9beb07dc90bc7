"""The table that ``imqcmd metrics dst -m ttl`` prints, as rows of samples.

Under a heading, repeated every twenty rows, each row has eleven numbers: Msgs In and Out, Msg Bytes In and Out,
Msg Count Current, Peak and Avg, Total Msg Bytes Current, Peak and Avg, Largest Msg. The tool prints no instants; a row
may begin with one that was put before it (``... | while read -r row; do echo "$(date -u +%FT%TZ) $row"; done``).
Source: Sun Java System Message Queue 4.3 Administration Guide, Physical Destination Metrics.
"""

from pyspark.sql import Column, DataFrame
from pyspark.sql.connect import functions as f
from pyspark.sql.connect.window import Window

from simulations.pipeline.telemetry.reading.layouts import TelemetryRefused

COLUMNS = ("time", "destination", "msgs_in", "msgs_out", "msg_count_current")
STEP = 5
"""Seconds between two rows unless ``-int`` says otherwise: the tool's default."""
NUMBERS = 11
ROW = rf"^\s*(?:(\S*\d\S*)\s+)?((?:-?\d+\s+){{{NUMBERS - 1}}}-?\d+)\s*$"
"""A row: perhaps an instant, then the numbers."""
LIKE_A_ROW = r"(?:^|\s)(?:-?\d+\s+){4}-?\d+(?:\s|$)"
"""Lines that are meant as rows; all others are headings, rules and words."""
OTHER_TABLE = r"^\s*(?:-?\d+\s+){5,9}-?\d+\s*$"
"""Rows of the tables of the broker, of services and of other types of metrics."""


def samples(lines: DataFrame, name: str) -> tuple[DataFrame, tuple[str, ...]]:
    """Return the rows with ``COLUMNS`` as texts, and what is assumed of them.

    ``lines`` has ``line``, ``file`` and ``_place``; ``line`` comes back null for rows that were read, else as it is.
    The destination is ``name``, or the name of each file where the log is a folder of several.
    Raises TelemetryRefused for a table that counts no messages of a destination.
    """
    numbers = f.split(f.trim(f.regexp_extract("line", ROW, 2)), r"\s+")
    stamp = f.regexp_extract("line", ROW, 1)
    is_row = f.col("line").rlike(ROW)
    kept = lines.where(f.col("line").rlike(LIKE_A_ROW))
    rows = kept.select("*", is_row.alias("is_row"), numbers.alias("numbers"), stamp.alias("stamp"))
    files, read, stamped, other = _looked(rows)
    if read == 0 and other:
        raise TelemetryRefused(
            "the table has no column Msg Count of a destination; the output of `imqcmd metrics dst -m ttl` is read"
        )
    destination = f.regexp_replace("file", r"\.[^.]*$", "") if files > 1 else f.lit(name)
    time = f.col("stamp") if stamped else _numbered()
    columns = {
        "time": time,
        "destination": destination,
        "msgs_in": _number(0),
        "msgs_out": _number(1),
        "msg_count_current": _number(4),
        "line": f.when(~f.col("is_row"), f.col("line")),
    }
    found = rows.select(*(column.alias(key) for key, column in columns.items()), "_place")
    assumed = () if stamped else (f"the rows bear no instants; {STEP} s between two rows are assumed.",)
    return found, assumed


def _looked(rows: DataFrame) -> tuple[int, int, int, int]:
    """Count the files, the rows of the table, those with an instant, and rows of another table."""
    other = f.col("line").rlike(OTHER_TABLE)
    tests = (f.col("is_row"), f.col("is_row") & (f.col("stamp") != ""), other)
    counted = rows.agg(f.count_distinct("file"), *(f.count_if(test) for test in tests)).collect()[0]
    return int(counted[0]), int(counted[1]), int(counted[2]), int(counted[3])


def _number(at: int) -> Column:
    return f.when(f.col("is_row"), f.get("numbers", f.lit(at)))


def _numbered() -> Column:
    number = f.row_number().over(Window.partitionBy("file", "is_row").orderBy("_place"))
    return (number * STEP).cast("string")
