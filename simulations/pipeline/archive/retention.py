"""What the results store may forget: folders of runs that are gone, and raw material that is older than asked for."""

import shutil
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

RAW = ("replications-*.parquet", "upload.*")
"""Names of files that results were made of: replications of runs, uploaded logs of calibrations."""


@dataclass(frozen=True)
class Removal:
    """Something to delete."""

    run: str
    why: str
    paths: tuple[Path, ...]
    size: int
    """Bytes that it occupies."""


def orphans(store: Path, runs: Collection[str], *, older_than: float) -> list[Removal]:
    """Return the folders of runs that are not among ``runs`` and unchanged for ``older_than`` seconds."""
    return [
        _removal(folder, "its run no longer exists", (folder,))
        for folder in _folders(store)
        if folder.name not in runs and _age(folder) > older_than
    ]


def worn(store: Path, over: Collection[str], *, older_than: float) -> list[Removal]:
    """Return the raw files of the finished jobs ``over`` that are unchanged for ``older_than`` seconds. Results and the
    tables for reading stay; only another statistic over the same rows would need the raw files."""
    found = []
    for folder in _folders(store):
        files = tuple(sorted(file for name in RAW for file in folder.glob(name)))
        if folder.name in over and files and min(map(_age, files)) > older_than:
            found.append(_removal(folder, f"unchanged for {older_than / 86_400:g} days", files))
    return found


def remove(removals: Collection[Removal]) -> None:
    """Delete the files and folders; those that are gone already are no error."""
    for removal in removals:
        for path in removal.paths:
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def _folders(store: Path) -> Iterator[Path]:
    return (path for path in sorted(store.iterdir()) if path.is_dir()) if store.exists() else iter(())


def _removal(folder: Path, why: str, paths: tuple[Path, ...]) -> Removal:
    files = [file for path in paths for file in (path.rglob("*") if path.is_dir() else (path,))]
    return Removal(folder.name, why, paths, sum(file.stat().st_size for file in files if file.is_file()))


def _age(path: Path) -> float:
    return time.time() - path.stat().st_mtime
