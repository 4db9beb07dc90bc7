"""Writing message logs, batch by batch, as the formats that can be read."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq

Write = Callable[[pa.RecordBatch], Any]
FORMATS = ("parquet", "csv", "jsonl")


def write_log(batches: Iterable[pa.RecordBatch], schema: pa.Schema, path: Path) -> int:
    """Write ``batches`` in the format of the path's suffix and return how many rows; never holds more than one."""
    rows = 0
    with _writer(schema, path) as write:
        for batch in batches:
            write(batch)
            rows += batch.num_rows
    return rows


@contextmanager
def _writer(schema: pa.Schema, path: Path) -> Iterator[Write]:
    if path.suffix == ".parquet":
        with pq.ParquetWriter(path, schema, compression="zstd") as parquet:
            yield parquet.write_batch
    elif path.suffix == ".csv":
        with pc.CSVWriter(path, schema, write_options=pc.WriteOptions(quoting_style="needed")) as table:
            yield table.write_batch
    else:
        with path.open("w", encoding="utf-8") as file:
            yield lambda batch: batch.to_pandas().to_json(file, orient="records", lines=True, double_precision=9)
