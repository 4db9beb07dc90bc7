"""The results store: one folder per run, one Parquet file per table, written and read without Spark.

While a run computes, ``replications-*.parquet`` grow: rows are written once, in files that appear complete or not at
all, and a run that is taken up again computes only what is missing. When it ends, its answers follow as tables for
reading (``schemas.TABLES``), in the order of the points, so that a reader skips what it does not need. Every file
carries its data dictionary and says which content (scenario, engine, rules) it belongs to.
"""

import os
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from simulations.analysis.estimates.summary import PointSummary
from simulations.analysis.replications.rows import ReplicationRow
from simulations.experiment import Point
from simulations.pipeline.answers import Asked
from simulations.pipeline.archive import schemas
from simulations.pipeline.archive.tables import Owner, point_tables

FLUSH_BYTES = 16_000_000
FLUSH_SECONDS = 2.0
POINTS_AT_ONCE = 16
"""Points whose replications are in memory together while the tables are written; one row group holds them."""
SMALL: Mapping[str, Any] = {"compression": "zstd", "compression_level": 3, "use_dictionary": False}
"""Numbers that hardly repeat take more room with dictionaries than without."""
CONTENT = "sluice.content"
FOR_READING = ("values", "histograms", "timelines")
Key = tuple[int, int]


@dataclass(frozen=True)
class _Decided:
    """What is kept of a decided point: its estimates, from how many replications, and which metrics exist where."""

    estimates: pa.Table
    replications: int
    metrics: Mapping[Owner, tuple[str, ...]]


@dataclass
class Archive(AbstractContextManager["Archive"]):
    """The replications of one run. ``content``: hash of everything that decides the numbers."""

    folder: Path
    content: str
    _waiting: list[pa.RecordBatch] = field(default_factory=list)
    _waiting_bytes: int = 0
    _decided: dict[int, _Decided] = field(default_factory=dict)
    _flushed_at: float = field(default_factory=time.monotonic)

    def read(self, points: Collection[int] | None = None) -> Iterator[pa.RecordBatch]:
        """Yield the stored rows of this content and this engine, each (point, replication) once."""
        seen: set[Key] = set()
        chosen = None if points is None else ds.field("point").isin(list(points))
        while True:
            try:
                for path in self._files():
                    for batch in ds.dataset(path, schema=schemas.REPLICATION).to_batches(filter=chosen):
                        yield from _fresh(batch, seen)
            except FileNotFoundError:
                continue  # settled meanwhile: what it held is in another file
            return

    def append(self, batch: pa.RecordBatch, *, within: float = FLUSH_SECONDS) -> None:
        """Keep the batch; it is on disk after ``flush``, which comes by itself after that time or some megabytes."""
        self._waiting.append(batch)
        self._waiting_bytes += batch.nbytes
        if self._waiting_bytes > FLUSH_BYTES or time.monotonic() - self._flushed_at > within:
            self.flush()

    def flush(self) -> None:
        """Write what waits as one file."""
        if self._waiting:
            with self._draft("replications", f"replications-{uuid4().hex}") as file:
                file.write_table(pa.Table.from_batches(self._waiting))
            self._waiting.clear()
            self._waiting_bytes = 0
        self._flushed_at = time.monotonic()

    def __exit__(self, *reason: object) -> None:
        self.flush()

    def note(self, summaries: Iterable[PointSummary]) -> None:
        """Keep the estimates of decided points for the tables that ``finish`` writes; the last of a point counts."""
        for summary in summaries:
            exist = {(queue, server): tuple(metrics) for queue, server, metrics in summary.places()}
            self._decided[summary.index] = _Decided(schemas.summary_table(summary), summary.replications, exist)

    def finish(self) -> None:
        """Write what waits and the run's table of estimates."""
        self.flush()
        with self._draft("summaries", "summaries") as file:
            estimates = [self._decided[index].estimates for index in sorted(self._decided)]
            file.write_table(pa.concat_tables([schemas.SUMMARY.empty_table(), *estimates]))

    def settle(self) -> None:
        """Write all rows once more, in less space and few files, after the answer; the files before are gone then."""
        files = self._files()
        for batch in self.read():
            self.append(schemas.tightened(batch), within=float("inf"))  # on disk already: fewer files matter more
        self.flush()
        for path in files:
            path.unlink(missing_ok=True)

    def write_tables(self, points: Sequence[Point]) -> None:
        """Write values, histograms and timelines of the noted points after the answer: about 20 ms per point."""
        points = [point for point in points if point.index in self._decided]
        with ExitStack() as stack:
            out = {name: stack.enter_context(self._draft(name, name)) for name in FOR_READING}
            for first in range(0, len(points), POINTS_AT_ONCE):
                chosen = points[first : first + POINTS_AT_ONCE]
                rows = _by_point(self.read([point.index for point in chosen]))
                tables = [self._tables(point, rows[point.index]) for point in chosen]
                for name, file in out.items():
                    file.write_table(pa.concat_tables([table[name] for table in tables]))

    def _tables(self, point: Point, rows: Iterable[ReplicationRow]) -> dict[str, pa.Table]:
        decided = self._decided[point.index]
        used = [row for row in rows if row.replication < decided.replications]
        return point_tables(Asked(point), used, decided.metrics)

    def _files(self) -> list[Path]:
        return [path for path in sorted(self.folder.glob("replications-*.parquet")) if self._is_ours(path)]

    def _is_ours(self, path: Path) -> bool:
        file = pq.read_metadata(path)
        is_content = (file.metadata or {}).get(CONTENT.encode()) == self.content.encode()
        return is_content and schemas.holds_our_rows(file)

    @contextmanager
    def _draft(self, table: str, name: str) -> Iterator[pq.ParquetWriter]:
        """Write under another name, make it durable, then rename: a reader sees all of the file or nothing."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{name}.parquet"
        draft = self.folder / f".{name}.{uuid4().hex}"
        about = {**schemas.told_about(table), CONTENT: self.content, "sluice.run": self.folder.name}
        try:
            with draft.open("wb") as file:
                with pq.ParquetWriter(file, schemas.TABLES[table], **SMALL) as writer:
                    writer.add_key_value_metadata(about)
                    yield writer
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)


def borrowed(archive: Archive, places: Mapping[int, int]) -> Iterator[pa.RecordBatch]:
    """Yield rows of an archive under other indexes (index there -> index here); nothing where the archive is gone."""
    for batch in archive.read(list(places)):
        indexes = pa.array([places[index] for index in batch["point"].to_pylist()], pa.int32())
        at = batch.schema.get_field_index("point")
        yield batch.set_column(at, batch.schema.field(at), indexes)


def run_folder(store: Path, run: str) -> Path:
    """Return the folder of a run's tables; raises ValueError for a path as id."""
    if run in ("", ".", "..") or Path(run).name != run:
        raise ValueError(f"{run!r} cannot name a folder")
    return store / run


def _fresh(batch: pa.RecordBatch, seen: set[Key]) -> Iterator[pa.RecordBatch]:
    """The rows whose keys are not ``seen``, which they are then; nothing where there is none."""
    first = []
    for key in zip(batch["point"].to_pylist(), batch["replication"].to_pylist(), strict=True):
        first.append(key not in seen)
        seen.add(key)
    if any(first):
        yield batch.filter(pa.array(first, pa.bool_()))


def _by_point(batches: Iterable[pa.RecordBatch]) -> dict[int, list[ReplicationRow]]:
    rows: dict[int, list[ReplicationRow]] = {}
    for batch in batches:
        for point, row in schemas.replication_rows(batch):
            rows.setdefault(point, []).append(row)
    return rows
