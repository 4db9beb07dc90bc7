"""Configuration files, archives and folders on disk, for the commands."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from django.core.management.base import CommandParser

from planner.configuration.uploads import MAX_FILES, MAX_TOTAL_BYTES, FileSet, file_set
from simulations.declarations.problems import InvalidInput
from simulations.platforms.files import archives
from simulations.platforms.files.syntax.tree import MAX_BYTES, refuse


def read_files(paths: Iterable[Path], platform: str = "", target: str = "") -> FileSet:
    """Return the files by name, of archives and folders what is configuration of the platform.

    ``target``: the cluster or server that is meant where there are several.

    Raises InvalidInput for what cannot be read, and as ``files_named`` does.
    """
    given, budget = list(paths), archives.Budget()
    if len(given) > MAX_FILES:
        raise InvalidInput.at(("files",), f"{len(given)} files were named, at most {MAX_FILES} are read")
    return file_set((item for path in given for item in _members(path, budget)), platform, target)


def add_target(parser: CommandParser) -> None:
    """Add --target."""
    parser.add_argument("--target", default="", help="the cluster or server that is meant where the files have several")


def _members(path: Path, budget: archives.Budget) -> Iterator[archives.Member]:
    if path.is_dir():
        yield from _of_folder(path, budget)
        return
    content = _content(path, MAX_TOTAL_BYTES)
    if archives.is_archive(content):
        yield from archives.members(path.name, content, budget)
    else:
        yield archives.Member(str(path), content, inside=False)


def _of_folder(folder: Path, budget: archives.Budget) -> Iterator[archives.Member]:
    """The files below a folder that may be configuration, and those of archives there; links are not followed."""
    name = folder.resolve().name
    for path in _worth_reading(folder):
        inner = f"{name}/{path.relative_to(folder).as_posix()}"
        content = _content(path, archives.MAX_NESTED)
        if archives.is_archive(content):
            yield from archives.members(inner, content, budget, depth=1)
        elif len(content) <= MAX_BYTES:
            budget.spend(len(content), name)
            yield archives.Member(inner, content)


def _worth_reading(folder: Path) -> Iterator[Path]:
    count = 0
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(item for item in folders if item not in archives.PASSED_OVER)
        count += len(files)
        if count > archives.MAX_ENTRIES:
            message = f"the folder has more than {archives.MAX_ENTRIES:,} files; name one further inside"
            raise refuse(str(folder), 0, message)
        paths = [Path(place, item) for item in sorted(files) if archives.is_worth_reading(item)]
        yield from (path for path in paths if path.is_file())


def _content(path: Path, most: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(most + 1)
    except OSError as error:
        raise refuse(str(path), 0, error.strerror or "cannot be read") from error
