"""The archive keeps each replication once, complete or not at all, and says what its columns mean."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from simulations.analysis.estimates.metrics import BY_NAME
from simulations.engine.network.results import Count, Timeline
from simulations.pipeline.archive import schemas
from simulations.pipeline.archive.packing import SHAPES
from simulations.pipeline.archive.schemas import TABLES, dictionary, replication_rows
from simulations.pipeline.archive.store import POINTS_AT_ONCE, Archive, run_folder
from simulations.pipeline.rounds import run_rounds
from simulations.pipeline.spark.executors import InlineExecutor
from simulations.pipeline.spark.server import PROJECT
from simulations.pipeline.work import WorkItem
from simulations.scenario.spec import parse
from tests.planner.conftest import summary_of
from tests.simulations.pipeline.doubles import (
    BODY,
    SESSIONS,
    SyntheticExecutor,
    points_of,
    scenario,
    synthetic_batch,
)


def batch(point: int, replication: int) -> pa.RecordBatch:
    return synthetic_batch(WorkItem.of(points_of(scenario())[point], first=replication, count=1, cost=1.0))


def keys(archive: Archive, points: list[int] | None = None) -> list[tuple[int, int]]:
    batches = list(archive.read(points))
    return [
        key for item in batches for key in zip(*(item[n].to_pylist() for n in ("point", "replication")), strict=True)
    ]


def rows_of(archive: Archive) -> dict[tuple[int, int], list[object]]:
    """Every number of every stored row."""
    return {
        (point, row.replication): [
            *(getattr(row, name).tobytes() for name in SHAPES),
            *((first, counts.shape, counts.tobytes()) for first, counts in row.histograms),
            row.checks,
        ]
        for item in archive.read()
        for point, row in replication_rows(item)
    }


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


def test_settled_rows_are_one_file_with_the_same_bits(tmp_path: Path) -> None:
    archive = Archive(tmp_path, "content")
    for replication in range(3):
        archive.append(batch(0, replication))
        archive.flush()
    before = rows_of(archive)
    taken = sum(path.stat().st_size for path in tmp_path.iterdir())
    archive._flushed_at = float("-inf")  # a machine so slow that packing takes longer than rows may wait for the disk
    archive.settle()
    (file,) = tmp_path.iterdir()
    assert file.stat().st_size < 0.6 * taken
    assert rows_of(Archive(tmp_path, "content")) == before


def test_who_reads_while_rows_settle_sees_each_once(tmp_path: Path) -> None:
    archive = Archive(tmp_path, "content")
    for replication in range(3):
        archive.append(batch(0, replication))
        archive.flush()
    reading = archive.read()
    seen = [*next(reading)["replication"].to_pylist()]
    archive.settle()
    seen += [number for item in reading for number in item["replication"].to_pylist()]
    assert sorted(seen) == [0, 1, 2]


def test_only_the_points_asked_for_are_read(tmp_path: Path) -> None:
    with Archive(tmp_path, "content") as archive:
        for point in range(3):
            archive.append(batch(point, 0))
    assert keys(archive, [1]) == [(1, 0)]


def test_rows_of_another_content_are_passed_over(tmp_path: Path) -> None:
    with Archive(tmp_path, "older engine") as archive:
        archive.append(batch(0, 0))
    assert keys(Archive(tmp_path, "content")) == []


def test_rows_of_an_engine_that_counted_otherwise_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older, Archive(tmp_path, "content") as archive:
        older.setitem(schemas.ARRAYS, "counts", ["backlog"])
        archive.append(batch(0, 0))
        archive.flush()
    assert len(list(tmp_path.glob("replications-*.parquet"))) == 1
    assert keys(Archive(tmp_path, "content")) == []


def test_a_file_that_was_not_finished_is_not_seen(tmp_path: Path) -> None:
    (tmp_path / ".replications-1.parquet.draft").write_bytes(b"PAR1 half a file")
    assert keys(Archive(tmp_path, "content")) == []


def answered(folder: Path, name: str = "run_a", **run: object) -> Path:
    """A run of four points whose tables are written; the store that holds it."""
    spec = scenario(**run)
    archive = Archive(run_folder(folder, name), "content")
    for step in run_rounds(points_of(spec), spec.run, SyntheticExecutor(), should_stop=lambda: False, archive=archive):
        archive.note(step.decided)
    archive.finish()
    archive.write_tables(points_of(spec))
    return folder


def test_every_file_is_its_own_dictionary(tmp_path: Path) -> None:
    store = answered(tmp_path)
    for path in (store / "run_a").glob("*.parquet"):
        metadata = pq.read_metadata(path).metadata
        table = metadata[b"sluice.table"].decode()
        about = json.loads(metadata[b"sluice.dictionary"])
        assert about["columns"] == dictionary(pq.read_schema(path)) == dictionary(TABLES[table])
        assert metadata[b"sluice.run"] == b"run_a"
    assert {path.name.partition("-")[0].removesuffix(".parquet") for path in (store / "run_a").iterdir()} == set(TABLES)


def test_the_dictionary_explains_metrics_and_arrays(tmp_path: Path) -> None:
    store = answered(tmp_path)
    values = json.loads(pq.read_metadata(store / "run_a" / "values.parquet").metadata[b"sluice.dictionary"])
    assert values["metrics"]["latency.p95"] == {
        "title": "p95 latency",
        "unit": "s",
        "meaning": BY_NAME["latency.p95"].meaning,
        "better": "lower",
    }
    raw = next((store / "run_a").glob("replications-*.parquet"))
    arrays = json.loads(pq.read_metadata(raw).metadata[b"sluice.dictionary"])["arrays"]
    assert arrays["counts"][:2] == ["arrived", "completed"]


def test_values_of_replications_are_those_behind_the_estimates(tmp_path: Path) -> None:
    store = answered(tmp_path)
    estimates = {
        (row["point"], row["metric"]): row
        for row in pq.read_table(store / "run_a" / "summaries.parquet").to_pylist()
        if not row["queue"] and not row["server"]
    }
    values = pq.read_table(
        store / "run_a" / "values.parquet", filters=[("metric", "==", "throughput"), ("point", "==", 2)]
    )
    system = [row for row in values.to_pylist() if not row["queue"]]
    estimate = estimates[2, "throughput"]
    assert [row["replication"] for row in system] == list(range(estimate["replications"]))
    assert {row["unit"] for row in system} == {estimate["unit"]} == {"/s"}
    assert min(row["value"] for row in system) <= estimate["value"] <= max(row["value"] for row in system)


def test_histograms_hold_every_message_that_the_mean_counts(tmp_path: Path) -> None:
    store = answered(tmp_path, warmup=0)
    table = pq.read_table(store / "run_a" / "histograms.parquet", filters=[("point", "==", 0)])
    raw = {
        row.replication: row
        for batch in Archive(store / "run_a", "content").read([0])
        for _, row in replication_rows(batch)
    }
    assert sum(table["messages"].to_pylist()) == sum(
        int(row.counts[:, 0, Count.COMPLETED].sum()) for row in raw.values()
    )
    assert all(low < high for low, high in zip(table["from"].to_pylist(), table["to"].to_pylist(), strict=True))


def test_timelines_are_those_of_replication_0(tmp_path: Path) -> None:
    store = answered(tmp_path)
    (_, row), *_ = (
        pair
        for batch in Archive(store / "run_a", "content").read([1])
        for pair in replication_rows(batch)
        if pair[1].replication == 0
    )
    table = pq.read_table(store / "run_a" / "timelines.parquet", filters=[("point", "==", 1)])
    assert table["time"].to_pylist() == row.timeline_at.tolist()
    np.testing.assert_equal(table["latency"].to_numpy(), row.timeline[:, 0, Timeline.LATENCY])


def test_a_reader_skips_the_parts_of_other_points(tmp_path: Path) -> None:
    values = list(range(36, 36 + 3 * POINTS_AT_ONCE))
    spec = parse({**BODY, "sweep": [{"path": SESSIONS, "values": values}]})
    archive = Archive(run_folder(tmp_path, "run_a"), "content")
    for index, point in enumerate(points_of(spec)):
        archive.append(synthetic_batch(WorkItem.of(point, first=0, count=2, cost=1.0)))
        archive.note([replace(summary_of(0), index=index)])
    archive.finish()
    archive.write_tables(points_of(spec))
    file = pq.ParquetFile(tmp_path / "run_a" / "values.parquet")
    spans = [file.metadata.row_group(number).column(0).statistics for number in range(file.metadata.num_row_groups)]
    assert [(span.min, span.max) for span in spans] == [(0, 15), (16, 31), (32, 47)]


def test_the_last_estimate_of_a_point_counts(tmp_path: Path) -> None:
    archive = Archive(run_folder(tmp_path, "run_a"), "content")
    archive.note([summary_of(0, 0.125)])
    archive.note([summary_of(0, 0.25)])
    archive.finish()
    rows = pq.read_table(tmp_path / "run_a" / "summaries.parquet").to_pylist()
    assert [(row["queue"], row["value"]) for row in rows if row["metric"] == "latency.p95"] == [
        ("", 0.25),
        ("orders", 0.25),
    ]


def test_the_run_of_the_worked_example_takes_half_a_megabyte(tmp_path: Path) -> None:
    spec = parse(yaml.safe_load((PROJECT / "planner" / "presets" / "surge-backlog.yaml").read_text()))
    archive, points = Archive(run_folder(tmp_path, "run_a"), "content"), points_of(spec)
    for step in run_rounds(points, spec.run, InlineExecutor(), should_stop=lambda: False, archive=archive):
        archive.note(step.decided)
    archive.finish()
    archive.settle()
    archive.write_tables(points)
    assert sum(path.stat().st_size for path in archive.folder.iterdir()) < 500_000


@pytest.mark.parametrize("name", ["", "..", "../other", "a/b"])
def test_an_id_that_is_a_path_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="cannot name a folder"):
        Archive(run_folder(tmp_path, name), "content")
