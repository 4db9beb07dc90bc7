"""The archive of replications: Parquet files, one folder per run, read without Spark.

A row's key is (point, replication). Rows are written once, in files that appear complete or not at all, and a run that
is taken up again computes only what is missing. Every file says which content (scenario, engine, rules) it belongs to.
"""

import os
import shutil
import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self
from uuid import uuid4

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from simulations.analysis.summary import PointSummary
from simulations.pipeline.schemas import REPLICATION, SUMMARY, summary_table

FLUSH_BYTES = 16_000_000
FLUSH_SECONDS = 2.0
CONTENT = b"sluice.content"
SUMMARIES = "summaries.parquet"
Key = tuple[int, int]


@dataclass
class Archive:
    """The replications of one run. ``content``: hash of everything that decides the numbers."""

    folder: Path
    content: str
    _waiting: list[pa.RecordBatch] = field(default_factory=list)
    _estimates: dict[int, pa.Table] = field(default_factory=dict)
    _flushed_at: float = field(default_factory=time.monotonic)

    def read(self, points: Collection[int] | None = None) -> Iterator[pa.RecordBatch]:
        """Yield what is stored, each (point, replication) once; other contents are passed over."""
        seen: set[Key] = set()
        for path in self._files():
            chosen = None if points is None else ds.field("point").isin(list(points))
            for batch in ds.dataset(path, schema=REPLICATION).to_batches(filter=chosen):
                fresh = _fresh(batch, seen)
                if fresh.num_rows:
                    yield fresh

    def append(self, batch: pa.RecordBatch) -> None:
        """Keep the batch; it is on disk after ``flush``, which comes by itself every few seconds or megabytes."""
        self._waiting.append(batch)
        due = time.monotonic() - self._flushed_at > FLUSH_SECONDS
        if due or sum(item.nbytes for item in self._waiting) > FLUSH_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write what waits as one file."""
        if self._waiting:
            table = pa.Table.from_batches(self._waiting)
            _write(self._marked(table), self.folder / f"replications-{uuid4().hex}.parquet")
            self._waiting.clear()
        self._flushed_at = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.flush()

    def note(self, summaries: Iterable[PointSummary]) -> None:
        """Keep the estimates of decided points for the table that ``finish`` writes; the last of a point counts."""
        self._estimates |= {summary.index: summary_table([summary]) for summary in summaries}

    def finish(self) -> None:
        """Write what waits and the run's table of estimates."""
        self.flush()
        estimates = pa.concat_tables(
            [SUMMARY.empty_table(), *(self._estimates[index] for index in sorted(self._estimates))]
        )
        _write(self._marked(estimates), self.folder / SUMMARIES)

    def _files(self) -> list[Path]:
        found = sorted(self.folder.glob("replications-*.parquet"))
        return [path for path in found if (pq.read_schema(path).metadata or {}).get(CONTENT) == self.content.encode()]

    def _marked(self, table: pa.Table) -> pa.Table:
        return table.replace_schema_metadata({CONTENT: self.content.encode()})


def archive_of(store: Path, run: str, content: str) -> Archive:
    """Return the archive of the run with that id below the folder ``store``; raises ValueError for a path as id."""
    if run in ("", ".", "..") or Path(run).name != run:
        msg = f"{run!r} cannot name a folder"
        raise ValueError(msg)
    return Archive(store / run, content)


def summaries_of(store: Path, runs: Iterable[str], columns: Collection[str] | None = None) -> pa.Table:
    """Return the estimates of several runs, one column ``run`` more; runs without a table are left out."""
    tables = []
    for run in runs:
        path = store / run / SUMMARIES
        if path.exists():
            table = pq.read_table(path, columns=list(columns) if columns else None).replace_schema_metadata()
            tables.append(table.append_column("run", pa.array([run] * table.num_rows, pa.string())))
    return pa.concat_tables(tables) if tables else pa.table({"run": pa.array([], pa.string())})


def retain(store: Path, kept: Collection[str], *, older_than: float) -> list[str]:
    """Delete the folders of runs that are not ``kept`` and unchanged for ``older_than`` seconds; return their ids."""
    limit = time.time() - older_than
    folders = [path for path in store.iterdir() if path.is_dir()] if store.exists() else []
    gone = [path for path in folders if path.name not in kept and path.stat().st_mtime < limit]
    for path in gone:
        shutil.rmtree(path)
    return sorted(path.name for path in gone)


def _fresh(batch: pa.RecordBatch, seen: set[Key]) -> pa.RecordBatch:
    keys = list(zip(batch["point"].to_pylist(), batch["replication"].to_pylist(), strict=True))
    first = []
    for key in keys:
        first.append(key not in seen)
        seen.add(key)
    return batch.filter(pa.array(first, pa.bool_()))


def _write(table: pa.Table, path: Path) -> None:
    """Write under another name, make it durable, then rename: a reader sees all of the file or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        with draft.open("wb") as file:
            pq.write_table(table, file, compression="zstd")
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
