"""Tables of plain values as Parquet, for downloads."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

_TYPES = {
    frozenset({"integer"}): pa.int64(),
    frozenset({"number"}): pa.float64(),
    frozenset({"integer", "number"}): pa.float64(),
    frozenset({"boolean"}): pa.bool_(),
}


def parquet_of(rows: Sequence[Sequence[Any]]) -> bytes:
    """Return a table, its first row the names of the columns, as one Parquet file.

    A column is of numbers, of booleans or of texts; one that mixes them is of texts.
    """
    head, *body = rows
    columns = list(zip(*body, strict=True)) if body else [()] * len(head)
    table = pa.table([_column(values) for values in columns], names=[str(name) for name in head])
    sink = BytesIO()
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue()


def _column(values: Sequence[Any]) -> pa.Array:
    kinds = frozenset(_kind(value) for value in values if value is not None)
    kind = _TYPES.get(kinds)
    if kind is None:
        return pa.array([None if value is None else str(value) for value in values], pa.string())
    return pa.array(values, kind)


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    return "number" if isinstance(value, float) else "text"
