"""The archive keeps each replication once, complete or not at all, and says what its columns mean."""

import os
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from simulations.pipeline.schemas import REPLICATION, dictionary, replication_rows
from simulations.pipeline.store import Archive, archive_of, retain, summaries_of
from simulations.pipeline.work import WorkItem
from tests.planner.conftest import summary_of
from tests.simulations.pipeline.doubles import points_of, scenario, synthetic_batch


def batch(point: int, replication: int) -> pa.RecordBatch:
    return synthetic_batch(WorkItem.of(points_of(scenario())[point], first=replication, count=1, cost=1.0))


def keys(archive: Archive, points: list[int] | None = None) -> list[tuple[int, int]]:
    batches = list(archive.read(points))
    return [
        key for item in batches for key in zip(*(item[n].to_pylist() for n in ("point", "replication")), strict=True)
    ]


def test_what_is_written_is_read_back_bit_for_bit(tmp_path: Path) -> None:
    archive = Archive(tmp_path, "content")
    written = batch(2, 0)
    archive.append(written)
    archive.flush()
    (read,) = archive.read()
    assert read.equals(written)
    ((_, before),), ((point, after),) = list(replication_rows(written)), list(replication_rows(read))
    assert point == 2
    assert (before.sums == after.sums).all()
    assert (before.histograms[0][1] == after.histograms[0][1]).all()


def test_nothing_is_kept_twice(tmp_path: Path) -> None:
    first, second = Archive(tmp_path, "content"), Archive(tmp_path, "content")
    first.append(batch(0, 0))
    first.flush()
    second.append(batch(0, 0))
    second.append(batch(0, 1))
    second.flush()
    assert sorted(keys(first)) == [(0, 0), (0, 1)]


def test_only_the_points_asked_for_are_read(tmp_path: Path) -> None:
    with Archive(tmp_path, "content") as archive:
        for point in range(3):
            archive.append(batch(point, 0))
    assert keys(archive, [1]) == [(1, 0)]


def test_rows_of_another_content_are_passed_over(tmp_path: Path) -> None:
    with Archive(tmp_path, "older engine") as archive:
        archive.append(batch(0, 0))
    assert keys(Archive(tmp_path, "content")) == []


def test_a_file_that_was_not_finished_is_not_seen(tmp_path: Path) -> None:
    (tmp_path / ".replications-1.parquet.draft").write_bytes(b"PAR1 half a file")
    assert keys(Archive(tmp_path, "content")) == []


def test_every_file_carries_its_dictionary(tmp_path: Path) -> None:
    with Archive(tmp_path, "content") as archive:
        archive.append(batch(0, 0))
    (path,) = tmp_path.glob("*.parquet")
    assert dictionary(pq.read_schema(path)) == dictionary(REPLICATION)
    assert dictionary(REPLICATION)["durations"] == {"unit": "s", "meaning": "[S] simulated time of each segment"}


def test_the_estimates_of_several_runs_are_read_together(tmp_path: Path) -> None:
    for name, value in (("run_a", 0.25), ("run_b", 0.5)):
        archive = archive_of(tmp_path, name, "content")
        archive.note([summary_of(0, value / 2)])
        archive.note([summary_of(0, value)])
        archive.finish()
    table = summaries_of(tmp_path, ["run_a", "run_b", "run_without"])
    rows = [row for row in table.to_pylist() if row["queue"] == ""]
    assert [(row["run"], row["metric"], row["value"]) for row in rows] == [
        ("run_a", "latency.p95", 0.25),
        ("run_b", "latency.p95", 0.5),
    ]
    assert summaries_of(tmp_path, ["run_a"], ["metric"]).column_names == ["metric", "run"]


@pytest.mark.parametrize("name", ["", "..", "../other", "a/b"])
def test_an_id_that_is_a_path_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="cannot name a folder"):
        archive_of(tmp_path, name, "content")


def test_only_old_archives_that_nobody_keeps_are_deleted(tmp_path: Path) -> None:
    old = time.time() - 1000
    for name in ("kept", "old", "fresh"):
        (tmp_path / name).mkdir()
    for name in ("kept", "old"):
        os.utime(tmp_path / name, (old, old))
    assert retain(tmp_path, {"kept"}, older_than=500) == ["old"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fresh", "kept"]
    assert retain(tmp_path / "missing", set(), older_than=0) == []
