"""Work managers and shared constraints in uploaded files: those that are new, differ or are gone."""

from collections.abc import Iterator, Mapping, Sequence

from simulations.platforms.changes import Change
from simulations.platforms.formats.looks import root_of
from simulations.platforms.formats.patched_files import encoding_in
from simulations.platforms.formats.splices import Splice, spliced
from simulations.platforms.formats.tree import Element
from simulations.platforms.formats.xml_file import load
from simulations.platforms.weblogic.patched_managers import patched_constraints, patched_managers

WORK = ("constraints", "work_managers")
"""Settings that are lists of objects."""
INLINE = ("weblogic-ejb-jar",)


def patched_work(files: Mapping[str, bytes], changes: Sequence[Change]) -> tuple[dict[str, bytes], dict[str, str]]:
    """Return the files with work managers and constraints, and why the others are refused."""
    made, refused = dict(files), dict[str, str]()
    for change in changes:
        if change.setting not in WORK:
            continue
        found = False
        for file, content in made.items():
            if root_of(content)[0] not in INLINE:
                continue
            splices = list(_of_work(load(content, file), change, tuple(changes)))
            found = found or bool(splices)
            made[file] = spliced(content, splices, encoding_in(content, file))
        if not found:
            refused[change.path] = "no imported file declares these work managers"
    return made, refused


def _of_work(root: Element, change: Change, changes: tuple[Change, ...]) -> Iterator[Splice]:
    if change.setting == "work_managers":
        yield from patched_managers(root, change, changes)
    else:
        yield from patched_constraints(root, change)
