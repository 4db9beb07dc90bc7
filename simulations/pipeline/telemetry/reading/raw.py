"""Where a log may be read from, and from a file to rows with the declared columns. Nothing is judged here.

No place is allowed unless a root says so. Text is read line by line with a limit on the length of a line: Hadoop's
reader passes over a longer one without keeping it, so memory stays bounded whatever the file holds. How many bytes were
passed over follows from the sizes.
"""

import csv
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame
from pyspark.sql.connect import functions as f
from pyspark.sql.connect.session import SparkSession
from pyspark.sql.types import DataType, NumericType, StringType, TimestampNTZType, TimestampType

from simulations.declarations.tables import table_beside
from simulations.pipeline.telemetry.reading.layouts import MESSAGES, Layout, TelemetryRefused, layout_of
from simulations.pipeline.telemetry.reading.prometheus import ANSWER, samples_of

FORMATS = {".csv": "csv", ".json": "jsonl", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
"""Suffix of a log's name -> format."""
PATTERNS = re.compile(r"[*?\[\]{}\\]")
"""Hadoop reads these as patterns, and a pattern can reach out of a root."""


@dataclass(frozen=True)
class Source:
    """A log that may be read: absolute path or Hadoop URL, format, and options of Spark's reader of files."""

    location: str
    format: str
    options: Mapping[str, str] = field(default_factory=dict)


def allowed_source(location: str, roots: Iterable[str | Path]) -> Source:
    """Return the source; raises TelemetryRefused when no root holds it or its format is unknown. A root is an absolute
    folder or a URL such as ``s3a://bucket/logs``. Links out of a local root are refused."""
    if PATTERNS.search(location) or any(not letter.isprintable() for letter in location):
        raise TelemetryRefused("the location holds a letter that is a pattern or cannot be printed; name one log")
    suffix = PurePosixPath(location.rstrip("/")).suffix.lower()
    if suffix not in FORMATS:
        raise TelemetryRefused(f"the name must end with {', '.join(FORMATS)}; compressed text is not read")
    within = _url(location, roots) if "://" in location else _path(location, roots)
    if within is None:
        raise TelemetryRefused("no folder that this installation allows holds that location; ask for TELEMETRY_ROOTS")
    return Source(within, FORMATS[suffix])


def _url(location: str, roots: Iterable[str | Path]) -> str | None:
    asked = urlsplit(location)
    parts = PurePosixPath(asked.path).parts
    if ".." in parts or asked.query or asked.fragment or asked.username or "%" in location:
        return None
    for root in (urlsplit(str(item)) for item in roots if "://" in str(item)):
        same = (root.scheme, root.netloc) == (asked.scheme, asked.netloc)
        if same and parts[: len(PurePosixPath(root.path).parts)] == PurePosixPath(root.path).parts:
            return location
    return None


def _path(location: str, roots: Iterable[str | Path]) -> str | None:
    asked = Path(location)
    if not asked.is_absolute():
        return None
    real = asked.resolve()
    locals_ = (Path(item).resolve() for item in roots if "://" not in str(item))
    return f"file://{real}" if any(real.is_relative_to(root) for root in locals_) else None


_QUESTIONS = table_beside(__file__, "spans.yaml")
OTLP = _QUESTIONS["schema"]
"""What is read of a document, in words of Spark."""


def messages_of(documents: DataFrame) -> DataFrame:
    """Return a row for each message of OpenTelemetry spans, by the semantic conventions for messaging.

    It has the columns of a message log; the arrival is null without a producer. A delivery is a span of a consumer; the
    producer's span is linked to it, is its parent, or has the same message id. ``documents``: OTLP as JSON, as the
    Collector writes files, parsed as ``OTLP``; the questions to Spark lie in ``spans.yaml``.

    Raises TelemetryRefused where no span is one of a delivery.
    """
    session = documents.sparkSession
    spans = session.sql(_QUESTIONS["spans"], documents=documents)
    deliveries = spans.where(_QUESTIONS["deliveries"])
    if not deliveries.head(1):
        raise TelemetryRefused(_nothing_delivered(spans))
    return session.sql(_QUESTIONS["messages"], spans=spans, deliveries=deliveries)


def _nothing_delivered(spans: DataFrame) -> str:
    kinds = spans.groupBy("kind", "operation").count().sort("count", ascending=False).head(5)
    found = ", ".join(f"{count:,} of kind {kind}, operation {operation or 'none'}" for kind, operation, count in kinds)
    return (
        "no span is a delivery: record consumers that process, of kind 5 (CONSUMER) with "
        f"messaging.operation.type = process and messaging.destination.name; spans found: {found or 'none'}"
    )


LONGEST_LINE = 65_536
"""Bytes; a longer line is passed over, but for a piece of less than that at its end, which is one unreadable row."""
LONGEST_DOCUMENT = 33_554_432
"""Bytes of a line that is a document of its own, or of a document of several lines, which is held as a whole."""
LIMIT = "mapreduce.input.linerecordreader.line.maxlength"
LINE_LIMIT = {LIMIT: str(LONGEST_LINE)}
CHANGED = "modifiedAfter"
"""Option of Spark: files that have not changed since that second of UTC, ``2026-11-24T06:00:00``, are left out."""
BYTE_ORDER_MARK = 3
HEAD = 300
"""Letters of a line in which a document says what it is."""
CORRUPT = "_corrupt"
"""Column: the row as it stands in the log when it has the wrong shape, else null."""
PLACE = "_place"
"""Column of samples: where in the log the row stands; later rows of a file compare as larger."""
KNOWN_TYPES = (StringType, NumericType, TimestampType, TimestampNTZType)


@dataclass(frozen=True)
class RawLog:
    """What a log holds: the columns of its layout that it has, ``CORRUPT`` and of samples ``PLACE``.

    ``types`` are those of the layout's columns. ``bytes`` is the size of the log, ``passed_over`` how many of them
    belong to lines with more than ``longest`` bytes.
    """

    rows: DataFrame
    layout: Layout
    types: dict[str, DataType]
    bytes: int
    passed_over: int = 0
    longest: int = LONGEST_LINE


def read_raw(session: SparkSession, source: Source) -> RawLog:
    """Open the log; raises TelemetryRefused when it cannot be opened, is empty or lacks columns."""
    try:
        files = session.read.format("binaryFile").options(**source.options).option("recursiveFileLookup", "false")
        size = int(files.load(source.location).agg(f.coalesce(f.sum("length"), f.lit(0))).collect()[0][0])
        if size == 0:
            since = source.options.get(CHANGED)
            raise TelemetryRefused(f"nothing has been written since {since} UTC" if since else "the log is empty")
        return READERS[source.format](session, source, size)
    except PySparkException as error:
        raise _refusal(error) from error


def _text(session: SparkSession, source: Source, size: int) -> RawLog:
    lines = _lines(session, source)
    heads = lines.where(f.trim("line") != "").select(f.make_valid_utf8("line"), f.json_object_keys("line")).head(1)
    head = str(heads[0][0]).rstrip("\r") if heads else ""
    if not head:
        raise TelemetryRefused(f"the log has no line of at most {LONGEST_LINE} bytes")
    names = heads[0][1] if source.format == "jsonl" else _csv_names(head)
    if names is None:
        raise TelemetryRefused("the first line is not a JSON object; JSON lines are one object per line")
    layout = layout_of(names)
    there = {name: StringType() for name in layout.names if name in names}
    options: dict[str, Any] = {"mode": "PERMISSIVE", "columnNameOfCorruptRecord": CORRUPT, **LINE_LIMIT}
    options |= source.options
    if source.format == "jsonl":
        rows = session.read.options(**options).json(source.location, schema=_schema([*there, CORRUPT]))
    else:
        options |= {"header": "true", "sep": _separator(head), "enforceSchema": "true"}
        rows = session.read.options(**options).csv(source.location, schema=_schema([*names, CORRUPT]))
    chosen = rows.select(*there, CORRUPT, *_place(layout))
    return RawLog(chosen, layout, dict(there), size, _passed_over(lines, size))


def _json(session: SparkSession, source: Source, size: int) -> RawLog:
    """Spans, the answer of a range query, or JSON lines: the first letters say which."""
    lines = _lines(session, source, LONGEST_DOCUMENT)
    heads = [str(row[0]) for row in lines.select(f.substring("line", 1, HEAD)).head(5)]
    head = "".join("".join(heads).split())
    known = [kind for kind in DOCUMENTS if kind in head]
    if not known:
        return _text(session, source, size)
    whole = not lines.select(f.rtrim("line").endswith("}")).head(1)[0][0]
    if whole and size > LONGEST_DOCUMENT:
        message = f"a document of several lines may have {LONGEST_DOCUMENT:,} bytes; write it on one line (jq -c .)"
        raise TelemetryRefused(message)
    documents = _lines(session, source, LONGEST_DOCUMENT, whole=whole)
    schema, read = DOCUMENTS[known[0]]
    document = f.from_json("line", f"{schema}, {CORRUPT} string", {"columnNameOfCorruptRecord": CORRUPT})
    parsed = documents.select(document.alias("read")).select("read.*")
    found, layout = read(parsed)
    bad = parsed.where(f.col(CORRUPT).isNotNull()).select(CORRUPT)
    rows = found.unionByName(bad, allowMissingColumns=True)
    types = {field.name: field.dataType for field in found.schema if field.name in layout.names}
    place = [f.col(layout.of_role("time")[0].name).alias(PLACE)] if layout.samples else []
    passed = _passed_over(documents, size)
    return RawLog(rows.select(*types, CORRUPT, *place), layout, types, size, passed, LONGEST_DOCUMENT)


def _lines(session: SparkSession, source: Source, longest: int = LONGEST_LINE, *, whole: bool = False) -> DataFrame:
    kept = {} if whole else {"lineSep": "\n", LIMIT: str(longest)}
    lines = session.read.options(**kept, **source.options).text(source.location, wholetext=whole)
    return lines.withColumnRenamed("value", "line")


def _place(layout: Layout) -> list[Column]:
    """Spark numbers the rows of a part of a file in their order, but reads the parts in any."""
    number = f.monotonically_increasing_id().alias("number")
    place = f.struct("_metadata.file_path", "_metadata.file_block_start", number)
    return [place.alias(PLACE)] if layout.samples else []


def _passed_over(lines: DataFrame, size: int) -> int:
    """Each line has its bytes and one for its end, which the last may lack; a mark at the beginning is not counted."""
    counted = lines.agg(f.count("*"), f.coalesce(f.sum(f.octet_length("line")), f.lit(0))).collect()[0]
    missing = size - int(counted[0]) - int(counted[1])
    return missing if missing > BYTE_ORDER_MARK else 0


def _schema(names: list[str]) -> str:
    return ", ".join(f"`{name.replace('`', '``')}` STRING" for name in names)


def _parquet(session: SparkSession, source: Source, size: int) -> RawLog:
    table = session.read.options(**source.options).parquet(source.location)
    layout = layout_of(table.columns)
    types = {name: table.schema[name].dataType for name in layout.names if name in table.columns}
    for name, kind in types.items():
        if not isinstance(kind, KNOWN_TYPES):
            raise TelemetryRefused(f"the column {name} is of type {kind.simpleString()}; text or numbers are read")
    rows = table.select(*types, f.lit(None).cast("string").alias(CORRUPT), *_place(layout))
    return RawLog(rows, layout, types, size)


def _separator(head: str) -> str:
    return max(",;\t|", key=head.count)


def _csv_names(head: str) -> list[str]:
    names = [name.strip() for name in next(csv.reader([head], delimiter=_separator(head)))]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise TelemetryRefused(f"the log has two columns {twice[0][:40]!r}")
    return names


def _refusal(error: PySparkException) -> Exception:
    text = str(error)
    if "PATH_NOT_FOUND" in text or "FileNotFound" in text:
        return TelemetryRefused("there is no log at that location")
    if any(sign in text for sign in ("is not a Parquet file", "CANNOT_READ_FILE", "UNABLE_TO_INFER_SCHEMA", "footer")):
        return TelemetryRefused("the file is not Parquet, or it is damaged")
    if any(sign in text for sign in ("No FileSystem for scheme", "UnsupportedFileSystem", "ClassNotFound")):
        return TelemetryRefused("the Spark server has no driver for that kind of address")
    return error


READERS: dict[str, Callable[[SparkSession, Source, int], RawLog]] = {"csv": _text, "jsonl": _json, "parquet": _parquet}
"""Format of a source -> its reader."""
DOCUMENTS: dict[str, tuple[str, Callable[[DataFrame], tuple[DataFrame, Layout]]]] = {
    '"resourceSpans"': (OTLP, lambda documents: (messages_of(documents), MESSAGES)),
    '"resultType"': (ANSWER, samples_of),
    '{"status":"error","errorType"': (ANSWER, samples_of),
}
"""What a document says without its blanks, by which it is told -> what is read of it, and how."""
