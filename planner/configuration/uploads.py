"""What somebody sends: files and archives become a set of files with names, as many and as large as can be read."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from planner.answers.values import platform_wanted
from simulations.declarations.problems import InvalidInput
from simulations.platforms import PLATFORMS
from simulations.platforms.files.archives import Budget, Member, clean_path, is_archive, members
from simulations.platforms.files.importing.drafts import CHOICE
from simulations.platforms.files.syntax.tree import MAX_BYTES, MAX_ELEMENTS, element_count, refuse
from simulations.platforms.shared.family import Platform, Understood

MAX_FILES = 20
"""Files that are given by themselves, archives included."""
MAX_INSIDE = 200
"""Files with configuration in archives and folders."""
MAX_NAME = 200
MAX_TOTAL_BYTES = 4 * MAX_BYTES
"""Bytes of all files of one import together."""


class FileSet(dict[str, bytes]):
    """Files by name, with what was passed over in archives, and the platform where that had to be known."""

    def __init__(self, files: Mapping[str, bytes], notes: Iterable[Understood] = (), platform: str = "") -> None:
        super().__init__(files)
        self.notes, self.platform = tuple(notes), platform


def files_named(uploads: Iterable[tuple[str, bytes]], platform: str = "", target: str = "") -> FileSet:
    """Return the files by name, of archives what is configuration of the platform; raises InvalidInput. It does so when
    there is none, or too many, large or broken ones, or ``platform`` is none."""
    budget, given = Budget(), list(uploads)
    if len(given) > MAX_FILES:
        raise InvalidInput.at(("files",), f"{len(given)} files were sent, at most {MAX_FILES} are read")
    size_check(sum(len(content) for _, content in given))
    return file_set(_opened(given, budget), platform, target)


def file_set(found: Iterable[Member], platform: str = "", target: str = "") -> FileSet:
    """Return the files by name, of those in archives and folders what is configuration of one platform. ``target``: the
    cluster or server that is meant, which becomes a file of the set. Raises as ``files_named`` does."""
    every, wanted = list(found), platform_wanted(platform) if platform else None
    given = [item for item in every if not item.inside]
    inside = [item for item in _once(item for item in every if item.inside) if _recognised(item, wanted)]
    _check(every, given, inside)
    family = wanted or _family_of(given, inside)
    kept = [item for item in inside if _recognised(item, family)]
    files = {**_by_name(given), **{_fitting(item.path): item.content for item in kept}}
    choice = {CHOICE: target.encode()} if target else {}
    return FileSet({**files, **choice}, _notes(every, kept), family.name if family and inside else "")


def storable(text: str) -> str:
    """Replace what not every database can store: null characters and halves of surrogate pairs."""
    return text.encode("utf-8", "replace").decode().replace("\0", "?")


def size_check(size: int) -> None:
    """Raise InvalidInput where all files together, ``size`` bytes, are more than may be read."""
    if size > MAX_TOTAL_BYTES:
        message = f"the files have {size:,} bytes together, at most {MAX_TOTAL_BYTES:,} are read"
        raise InvalidInput.at(("files",), message)


def _opened(uploads: Iterable[tuple[str, bytes]], budget: Budget) -> Iterator[Member]:
    for path, content in uploads:
        if is_archive(content):
            yield from members(PurePosixPath(_clean(path)).name, content, budget)
        else:
            yield Member(path, content, inside=False)


def _once(found: Iterable[Member]) -> list[Member]:
    """Leave out copies: the same content under the same name in another folder."""
    first: dict[tuple[str, bytes], Member] = {}
    for item in found:
        first.setdefault((PurePosixPath(item.path).name, item.content), item)
    return list(first.values())


def _recognised(item: Member, family: Platform | None) -> bool:
    families = PLATFORMS.values() if family is None else (family,)
    return any(each.recognises(item.path, item.content) for each in families)


def _family_of(given: Sequence[Member], inside: Sequence[Member]) -> Platform | None:
    """The family that understands something and recognises all that others understand, too; None where none does.
    Archives may hold descriptors for several products; files that are given by themselves have to be of one."""
    if not inside:
        return None
    own = {
        name: {item.path for item in (*given, *inside) if family.recognises(item.path, item.content)}
        for name, family in PLATFORMS.items()
    }
    content = {item.path: item.content for item in (*given, *inside)}
    able = {name for name, paths in own.items() if _understands(PLATFORMS[name], {p: content[p] for p in paths})}
    best = [name for name in able if all(own[name] > own[other] for other in able - {name})]
    return PLATFORMS[best[0]] if best else None


def _understands(family: Platform, files: Mapping[str, bytes]) -> bool:
    try:
        return bool(files) and any(line.status == "understood" for line in family.read(files).account)
    except InvalidInput:
        return True


def _by_name(given: Sequence[Member]) -> dict[str, bytes]:
    """Files by their last name; those of one name by as much of their paths as tells them apart, or by numbers."""
    found: dict[str, bytes] = {}
    paths = [_clean(item.path).split("/") for item in given]
    for item, path in zip(given, paths, strict=True):
        others = [other for other in paths if other is not path]
        depths = range(1, len(path) + 1)
        depth = next((n for n in depths if all(other[-n:] != path[-n:] for other in others)), len(path))
        name, number = _fitting("/".join(path[-depth:])), 2
        while name in found:
            name, number = _fitting(f"{number}/{path[-1]}"), number + 1
        found[name] = item.content
    return found


def _clean(path: str) -> str:
    return storable(clean_path(path.strip())) or "configuration"


def _fitting(path: str) -> str:
    return storable(path)[-MAX_NAME:].lstrip("/")


def _check(every: Sequence[Member], given: Sequence[Member], inside: Sequence[Member]) -> None:
    """Raise InvalidInput when there is nothing to read, or too much of it."""
    if not every:
        message = (
            "no file was sent; choose one or several of one platform (for the API parts named 'files'), or give text"
        )
        raise InvalidInput.at(("files",), message)
    if not given and not inside:
        raise refuse(_container(every[0]), 0, "none of the files in it is configuration that can be read")
    if len(inside) > MAX_INSIDE:
        message = f"{len(inside)} files in archives and folders are configuration, at most {MAX_INSIDE} are read"
        raise InvalidInput.at(("files",), message)
    size_check(sum(len(item.content) for item in (*given, *inside)))
    count = sum(element_count(item.content) for item in (*given, *inside))
    if count > MAX_ELEMENTS:
        message = f"the files have {count:,} elements or lines together, at most {MAX_ELEMENTS:,} are read"
        raise InvalidInput.at(("files",), f"{message}; import only those that configure messaging")


def _container(item: Member) -> str:
    return item.path.partition("/")[0]


def _notes(every: Sequence[Member], kept: Sequence[Member]) -> Iterator[Understood]:
    """A line for each archive and folder: how many of its files are not read."""
    names = dict.fromkeys(_container(item) for item in every if item.inside)
    read = {item.path for item in kept}
    for name in names:
        left = sum(item.inside and _container(item) == name and item.path not in read for item in every)
        if left:
            message = f"files in it that are not read: {left}; they configure nothing of messaging, or are copies"
            yield Understood("ignored", name, message, name)
