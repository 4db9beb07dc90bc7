"""Tables for downloads: those of a finished run as a stream that is never held whole, and small ones as Parquet."""

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pcsv
import pyarrow.parquet as pq

ROWS_AT_ONCE = 20_000
BYTES_AT_ONCE = 256_000
PLAIN = (pa.int64(), pa.float64(), pa.bool_())


def csv_rows(path: Path, overrides: Mapping[int, str]) -> Iterator[bytes]:
    """Yield a table as CSV: a header, then its rows with the ``overrides`` of their point; nan is an empty cell."""
    with pq.ParquetFile(path) as file:
        for number, batch in enumerate(file.iter_batches(ROWS_AT_ONCE)):
            sink = BytesIO()
            options = pcsv.WriteOptions(include_header=number == 0, quoting_style="needed")
            settings = pa.array([overrides.get(point, "") for point in batch["point"].to_pylist()], pa.string())
            known = {name: _without_nan(batch[name]) for name in batch.schema.names}
            table = pa.table({"point": known.pop("point"), "overrides": _defused(settings), **known})
            pcsv.write_csv(table, sink, options)
            yield sink.getvalue()


def file_parts(path: Path) -> Iterator[bytes]:
    """Yield a file piece by piece."""
    with path.open("rb") as file:
        while part := file.read(BYTES_AT_ONCE):
            yield part


def parquet_of(rows: Sequence[Sequence[Any]]) -> bytes:
    """Return a table, its first row the column names, as one Parquet file; columns of mixed kinds hold texts."""
    head, *body = rows
    columns = list(zip(*body, strict=True)) if body else [()] * len(head)
    sink = BytesIO()
    table = pa.table([_column(values) for values in columns], names=[str(name) for name in head])
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue()


def _column(values: Sequence[Any]) -> pa.Array:
    try:
        column = pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        column = pa.nulls(0)
    mixed = column.type != pa.bool_() and any(isinstance(value, bool) for value in values)
    if column.type in PLAIN and not mixed:
        return column
    return pa.array([None if value is None else str(value) for value in values], pa.string())


def _defused(column: pa.Array) -> pa.Array:
    """Texts that a spreadsheet would compute get an apostrophe in front."""
    return pc.replace_substring_regex(column, r"^([=+\-@\t\r])", r"'\1")


def _without_nan(column: pa.Array) -> pa.Array:
    if pa.types.is_string(column.type):
        return _defused(column)
    if not pa.types.is_floating(column.type):
        return column
    return pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
