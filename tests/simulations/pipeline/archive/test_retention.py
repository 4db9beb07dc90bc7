"""Only what is asked for is forgotten, and what it was is said."""

import os
import time
from pathlib import Path

from simulations.pipeline.archive.retention import orphans, remove, worn


def run(store: Path, name: str, *, age: float = 0.0) -> Path:
    """A run's folder with two files of 100 bytes that were written ``age`` seconds ago."""
    folder = store / name
    folder.mkdir()
    for file in ("replications-1.parquet", "summaries.parquet"):
        (folder / file).write_bytes(b"x" * 100)
        os.utime(folder / file, (time.time() - age, time.time() - age))
    os.utime(folder, (time.time() - age, time.time() - age))
    return folder


def test_only_old_folders_of_runs_that_are_gone_are_orphans(tmp_path: Path) -> None:
    for name, age in (("kept", 1000), ("gone", 1000), ("fresh", 0)):
        run(tmp_path, name, age=age)
    (found,) = orphans(tmp_path, {"kept"}, older_than=500)
    assert (found.run, found.size) == ("gone", 200)
    assert (tmp_path / "gone").exists()
    remove([found])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fresh", "kept"]


def test_old_replications_of_finished_runs_are_worn_and_their_tables_stay(tmp_path: Path) -> None:
    for name, age in (("done", 1000), ("running", 1000), ("fresh", 0)):
        run(tmp_path, name, age=age)
    (found,) = worn(tmp_path, {"done", "fresh"}, older_than=500)
    assert (found.run, found.size) == ("done", 100)
    remove([found])
    assert [path.name for path in (tmp_path / "done").iterdir()] == ["summaries.parquet"]
    assert worn(tmp_path, {"done"}, older_than=500) == []


def test_there_may_be_no_store_and_nothing_left_to_remove(tmp_path: Path) -> None:
    assert orphans(tmp_path / "missing", set(), older_than=0) == []
    run(tmp_path, "gone", age=10)
    removal = orphans(tmp_path, set(), older_than=1)
    remove(removal)
    remove(removal)
    assert list(tmp_path.iterdir()) == []
