"""The tables of the pipeline. Unit and meaning of each column travel in its metadata: a file is its own dictionary."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import PointSummary
from simulations.analysis.replications.rows import ReplicationRow
from simulations.declarations.tables import table_beside
from simulations.pipeline.archive.packing import SHAPES, compress, decompress, from_plain, to_plain


def _schema(columns: Mapping[str, Sequence[str]]) -> pa.Schema:
    return pa.schema(
        pa.field(name, _type(kind), nullable=False, metadata={"unit": unit, "meaning": meaning})
        for name, (kind, unit, meaning) in columns.items()
    )


def _type(name: str) -> pa.DataType:
    alias = pa.type_for_alias(name.removesuffix("*"))
    return pa.list_(alias) if name.endswith("*") else alias


_DECLARED = table_beside(__file__, "schemas.yaml")
PACKED = _schema(_DECLARED.pop("packed"))
TABLES: Mapping[str, pa.Schema] = {name: _schema(columns) for name, columns in _DECLARED.items()}
"""The tables of a run's folder in the store."""
REPLICATION, SUMMARY, VALUE = TABLES["replications"], TABLES["summaries"], TABLES["values"]
HISTOGRAM, TIMELINE = TABLES["histograms"], TABLES["timelines"]

ARRAYS = {
    name: [member.name.lower() for member in shape[-1]] for name, shape in SHAPES.items() if isinstance(shape[-1], type)
}
"""Flattened array column -> what its last dimension holds, in order."""
DICTIONARY = "sluice.dictionary"


def told_about(table: str) -> dict[str, str]:
    """Return the metadata of a table's file: its name, and what a reader needs to know. ``DICTIONARY`` is JSON:
    ``columns`` and, where the table has them, ``metrics`` and ``arrays``."""
    schema = TABLES[table]
    about: dict[str, Any] = {"columns": dictionary(schema)}
    if "metric" in schema.names:
        told = ("title", "unit", "meaning", "better")
        about["metrics"] = {name: {key: getattr(metric, key) for key in told} for name, metric in BY_NAME.items()}
    if schema is REPLICATION:
        about["arrays"] = ARRAYS
    return {"sluice.table": table, DICTIONARY: json.dumps(about)}


def holds_our_rows(file: pq.FileMetaData) -> bool:
    """Whether a file holds replications as this engine writes them; an older one counted otherwise."""
    about = json.loads((file.metadata or {}).get(DICTIONARY.encode(), b"{}"))
    return bool(file.schema.to_arrow_schema().names == REPLICATION.names and about.get("arrays") == ARRAYS)


def dictionary(schema: pa.Schema) -> dict[str, dict[str, str]]:
    """Return unit and meaning of every column, as they were declared or as a file carries them."""
    return {
        field.name: {key: (field.metadata or {}).get(key.encode(), b"").decode() for key in ("unit", "meaning")}
        for field in schema
    }


def replication_batch(point: int, rows: Iterable[ReplicationRow]) -> pa.RecordBatch:
    """Return replications of one point as a batch of ``REPLICATION``."""
    return pa.RecordBatch.from_pylist([{"point": point, **to_plain(row)} for row in rows], schema=REPLICATION)


def tightened(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch of ``REPLICATION`` with its histograms in less space."""
    names = ("segments", "histogram_bytes", "histogram_width", "histogram_counts")
    counts = [
        [
            compress(decompress(size, data, segments, width), tight=True)[1]
            for size, width, data in zip(*row, strict=True)
        ]
        for segments, *row in zip(*(batch[name].to_pylist() for name in names), strict=True)
    ]
    at = batch.schema.get_field_index(names[-1])
    return batch.set_column(at, batch.schema.field(at), pa.array(counts, batch.schema.types[at]))


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


def summary_table(summary: PointSummary) -> pa.Table:
    """Return a summary as a tidy ``SUMMARY`` table: one row per queue and metric."""
    about = {
        "point": summary.index,
        "overrides": json.dumps(dict(summary.overrides), sort_keys=True),
        "status": summary.status,
        "replications": summary.replications,
    }
    parts = ("value", "low", "high", "unit", "origin")
    rows = [
        {**about, "queue": queue, "server": server, "metric": name, **{part: getattr(estimate, part) for part in parts}}
        for queue, server, metrics in summary.places()
        for name, estimate in metrics.items()
    ]
    return pa.Table.from_pylist(rows, schema=SUMMARY)


def _values(column: pa.Array) -> Sequence[Any]:
    """The rows of a column: lists of numbers as arrays, all else as Python has it."""
    kind = column.type
    if not (pa.types.is_list(kind) and (pa.types.is_floating(kind.value_type) or pa.types.is_integer(kind.value_type))):
        return list(column.to_pylist())
    ends, numbers = column.offsets.to_pylist(), column.values.to_numpy(zero_copy_only=False)
    return [numbers[start:end] for start, end in pairwise(ends)]
