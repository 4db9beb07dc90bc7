"""The tables of the pipeline. Unit and meaning of each column travel in its metadata: a file is its own dictionary."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import pyarrow as pa

from simulations.analysis.estimates.metrics import BY_NAME, Metric
from simulations.analysis.estimates.summary import PointSummary
from simulations.analysis.replications.rows import ReplicationRow
from simulations.pipeline.archive.packing import SHAPES, from_plain, to_plain


def _column(name: str, kind: pa.DataType, unit: str, meaning: str) -> pa.Field:
    return pa.field(name, kind, nullable=False, metadata={"unit": unit, "meaning": meaning})


_POINT = _column("point", pa.int32(), "1", "index of the point in the plan")
_NUMBER = _column("replication", pa.int32(), "1", "number of the replication; equal numbers share their random numbers")
_PLACE = (
    _column("queue", pa.string(), "1", "queue; empty = the whole system or one server"),
    _column("server", pa.string(), "1", "server; empty = the whole system or one queue"),
    _column("metric", pa.string(), "1", "name of the metric; the file's dictionary explains each"),
)
_PLANES = "[Q] messages by latency [S, W]: zstd of N planes of bytes, all lowest bytes first, then all second ones"
_IDLE = "threads of the pool that idle while a gate or a window holds messages back"

PACKED = pa.schema(
    [_column("rows", pa.binary(), "1", "a task as JSON, or a batch of REPLICATION: Spark passes them on unread")]
)

REPLICATION = pa.schema(
    [
        _POINT,
        _NUMBER,
        _column("events", pa.int64(), "events", "arrivals, and timers that went off: completions, delays and timeouts"),
        _column("segments", pa.int32(), "1", "S: equal parts of the replication, for the warm-up cut"),
        _column("queues", pa.int32(), "1", "Q: queues, then background work, in the order of the scenario"),
        _column("pools", pa.int32(), "1", "P: servers, in the order of the scenario"),
        _column("counts", pa.list_(pa.int64()), "messages", "[S, Q, columns of Count] whole numbers of events"),
        _column("sums", pa.list_(pa.float64()), "s", "[S, Q, columns of Sum] seconds of messages, integrals over time"),
        _column("pool_sums", pa.list_(pa.float64()), "s", "[S, P, columns of PoolSum] thread-seconds and CPU-seconds"),
        _column("durations", pa.list_(pa.float64()), "s", "[S] simulated time of each segment"),
        _column("extremes", pa.list_(pa.float64()), "1", "[Q, columns of Extreme] extremes of the whole replication"),
        _column("per_instance", pa.list_(pa.int64()), "messages", "[Q, instances] completed by each instance"),
        _column("histogram_first", pa.list_(pa.int32()), "1", "[Q] first latency bin that is kept"),
        _column("histogram_width", pa.list_(pa.int32()), "1", "[Q] W: latency bins that are kept"),
        _column("histogram_bytes", pa.list_(pa.int8()), "1", "[Q] N: bytes of a count, as many as the largest needs"),
        _column("histogram_counts", pa.list_(pa.binary()), "messages", _PLANES),
        _column("series", pa.list_(pa.float64()), "s", "[Q, bins, 2] messages and summed latency, by completion"),
        _column("timeline_at", pa.list_(pa.float64()), "s", "[T] instants of the samples; replication 0 only"),
        _column("timeline", pa.list_(pa.float64()), "1", "[T, Q, columns of Timeline]; replication 0 only"),
        _column("check_names", pa.list_(pa.string()), "1", "self-checks of the replication"),
        _column("check_passed", pa.list_(pa.bool_()), "1", "whether each self-check passed"),
        _column("check_residuals", pa.list_(pa.float64()), "1", "relative violation of each identity; 0 = exact"),
        _column("overflow", pa.bool_(), "1", "ended early because too many messages were inside at once"),
        _column("stuck", pa.bool_(), "1", "ended early because the messages that were left never end"),
    ]
)

SUMMARY = pa.schema(
    [
        _POINT,
        _column("overrides", pa.string(), "1", "JSON: scenario path -> value that makes the point"),
        _column("status", pa.string(), "1", "ok, unstable or not_converged; an invalid point has no estimates"),
        _column("replications", pa.int32(), "1", "independent replications behind the estimate"),
        *_PLACE,
        _column("value", pa.float64(), "see unit", "the estimate"),
        _column("low", pa.float64(), "see unit", "lower end of the 95 % interval"),
        _column("high", pa.float64(), "see unit", "upper end of the 95 % interval"),
        _column("unit", pa.string(), "1", "unit of value, low and high"),
        _column("origin", pa.string(), "1", "formula, simulated, measured or assumed"),
    ]
)

VALUE = pa.schema(
    [
        _POINT,
        _NUMBER,
        *_PLACE,
        _column("value", pa.float64(), "see unit", "the metric in this replication, warm-up cut; nan = says nothing"),
        _column("unit", pa.string(), "1", "unit of value"),
    ]
)

HISTOGRAM = pa.schema(
    [
        _POINT,
        _column("queue", pa.string(), "1", "queue"),
        _column("from", pa.float64(), "s", "shortest latency of the bin"),
        _column("to", pa.float64(), "s", "end of the bin: latencies in it are shorter"),
        _column("messages", pa.int64(), "messages", "messages in the bin, all replications, warm-up cut; never 0"),
    ]
)

TIMELINE = pa.schema(
    [
        _POINT,
        _column("queue", pa.string(), "1", "queue"),
        _column("time", pa.float64(), "s", "instant of the sample in replication 0, warm-up included"),
        _column("backlog", pa.float64(), "messages", "messages on the destination"),
        _column("prepared", pa.float64(), "messages", "messages past the gate or window that wait for a thread"),
        _column("running", pa.float64(), "messages", "messages on threads"),
        _column("blocked", pa.float64(), "1", "instances whose gate is closed"),
        _column("idle_blocked", pa.float64(), "threads", _IDLE),
        _column("admitted", pa.float64(), "/s", "limit that flow control sets to the producers; -1 = none"),
        _column("latency", pa.float64(), "s", "mean latency of those done since the last sample; nan = none was"),
    ]
)

TABLES: Mapping[str, pa.Schema] = {
    "replications": REPLICATION,
    "summaries": SUMMARY,
    "values": VALUE,
    "histograms": HISTOGRAM,
    "timelines": TIMELINE,
}
"""The tables of a run's folder in the store."""

ARRAYS = {name: shape[-1] for name, shape in SHAPES.items() if isinstance(shape[-1], type)}
"""Flattened array column -> what its last dimension holds, in order."""
DICTIONARY = "sluice.dictionary"


def described(table: str, **more: str) -> pa.Schema:
    """Return the schema of a table with what a reader needs to know in its metadata, and ``more`` entries.

    ``DICTIONARY`` is JSON: ``columns`` and, where the table has them, ``metrics`` and ``arrays``.
    """
    schema = TABLES[table]
    about: dict[str, Any] = {"columns": dictionary(schema)}
    if "metric" in schema.names:
        about["metrics"] = {name: _metric(metric) for name, metric in BY_NAME.items()}
    if schema is REPLICATION:
        about["arrays"] = _arrays()
    return schema.with_metadata({"sluice.table": table, DICTIONARY: json.dumps(about), **more})


def holds_our_rows(schema: pa.Schema) -> bool:
    """Whether a file with this schema holds replications as this engine writes them; an older one counted otherwise."""
    about = json.loads((schema.metadata or {}).get(DICTIONARY.encode(), b"{}"))
    return bool(schema.names == REPLICATION.names and about.get("arrays") == _arrays())


def _arrays() -> dict[str, list[str]]:
    return {name: [member.name.lower() for member in members] for name, members in ARRAYS.items()}


def _metric(metric: Metric) -> dict[str, str]:
    return {"title": metric.title, "unit": metric.unit, "meaning": metric.meaning, "better": metric.better}


def dictionary(schema: pa.Schema) -> dict[str, dict[str, str]]:
    """Return unit and meaning of every column, as they were declared or as a file carries them."""
    return {
        field.name: {key: (field.metadata or {}).get(key.encode(), b"").decode() for key in ("unit", "meaning")}
        for field in schema
    }


def replication_batch(point: int, rows: Iterable[ReplicationRow]) -> pa.RecordBatch:
    """Return replications of one point as a batch of ``REPLICATION``."""
    return pa.RecordBatch.from_pylist([{"point": point, **to_plain(row)} for row in rows], schema=REPLICATION)


def packed(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch of ``REPLICATION`` as one row of ``PACKED``."""
    return pa.RecordBatch.from_arrays([pa.array([batch.serialize().to_pybytes()], pa.binary())], schema=PACKED)


def unpacked(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Yield the batches of ``REPLICATION`` that rows of ``PACKED`` hold, without copying their numbers."""
    for rows in batch.column("rows"):
        yield pa.ipc.read_record_batch(rows.as_buffer(), REPLICATION)


def replication_rows(batch: pa.RecordBatch) -> Iterator[tuple[int, ReplicationRow]]:
    """Yield point and replication of each row; numbers stay in Arrow's memory where that is possible."""
    columns = [_values(column) for column in batch.columns]
    for values in zip(*columns, strict=True):
        plain = dict(zip(batch.schema.names, values, strict=True))
        yield plain["point"], from_plain(plain)


def summary_table(summaries: Iterable[PointSummary]) -> pa.Table:
    """Return summaries as a tidy ``SUMMARY`` table: one row per point, queue and metric."""
    return pa.Table.from_pylist([row for summary in summaries for row in _summary_rows(summary)], schema=SUMMARY)


def _summary_rows(summary: PointSummary) -> Iterator[Mapping[str, Any]]:
    about = {
        "point": summary.index,
        "overrides": json.dumps(dict(summary.overrides), sort_keys=True),
        "status": summary.status,
        "replications": summary.replications,
    }
    parts = ("value", "low", "high", "unit", "origin")
    for queue, server, metrics in summary.places():
        for name, estimate in metrics.items():
            place = {"queue": queue, "server": server, "metric": name}
            yield {**about, **place, **{part: getattr(estimate, part) for part in parts}}


def _values(column: pa.Array) -> Sequence[Any]:
    """The rows of a column: lists of numbers as arrays, all else as Python has it."""
    kind = column.type
    if not (pa.types.is_list(kind) and (pa.types.is_floating(kind.value_type) or pa.types.is_integer(kind.value_type))):
        plain: list[Any] = column.to_pylist()
        return plain
    ends, numbers = column.offsets.to_pylist(), column.values.to_numpy(zero_copy_only=False)
    return [numbers[start:end] for start, end in pairwise(ends)]
