"""Configuration files on disk, for the commands."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from planner.configuration.importing import files_named
from simulations.platforms.files.syntax.limits import MAX_BYTES, refuse


def read_files(paths: Iterable[Path]) -> dict[str, bytes]:
    """Return the files by name; raises InvalidInput for one that cannot be read, and as ``files_named`` does."""
    return files_named(_contents(paths))


def _contents(paths: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    for path in paths:
        try:
            with path.open("rb") as file:
                yield path.name, file.read(MAX_BYTES + 1)
        except OSError as error:
            raise refuse(str(path), 0, error.strerror or "cannot be read") from error
