"""Vendor configuration becomes a scenario with an account of every element: what services and commands share."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic_core import to_jsonable_python

from planner.configuration.uploads import FileSet, platform_wanted, storable
from simulations.declarations.problems import InvalidInput, problem
from simulations.platforms import PLATFORMS
from simulations.platforms.files.foreign_files import stranger
from simulations.platforms.files.importing.drafts import ASKED, without_choice
from simulations.platforms.files.syntax.tree import refuse
from simulations.platforms.shared.family import Platform, Understood
from simulations.scenario.spec import ScenarioSpec, parse

MOST_IGNORED = 2_000
"""Elements without a meaning that an account names one by one."""
STATUSES = ("contradictory", "unresolved", "understood", "defaulted", "ignored")
"""What may become of an element, those first that somebody has to look at."""


@dataclass(frozen=True)
class ScenarioReading:
    """The scenario that the files describe, and what became of each of their elements."""

    spec: ScenarioSpec
    account: tuple[Understood, ...]
    stated: Mapping[str, Any]
    """The scenario's body as the files give it: without the defaults of what they leave out."""

    @property
    def body(self) -> list[dict[str, Any]]:
        """The account as JSON values."""
        lines: list[dict[str, Any]] = to_jsonable_python(self.account)
        return lines


def configuration_read(files: Mapping[str, bytes], *, platform: str = "", name: str = "") -> ScenarioReading:
    """Return the scenario in the files. Without ``platform`` (a family or its short spelling) they say it themselves.

    Raises InvalidInput that names file and line for anything hostile, broken or unknown, and the clusters where several
    might be meant.
    """
    decided, notes = (files.platform, files.notes) if isinstance(files, FileSet) else ("", ())
    reading = platform_of(files, platform or decided).read(files)
    asked = [problem((ASKED,), line.message) for line in reading.account if line.path == ASKED]
    if asked:
        raise InvalidInput(asked)
    body = dict(reading.scenario)
    if name or body.get("name") in (None, "Imported"):  # a scenario file has a name; vendor files do not
        body["name"] = name or f"Imported from {next(iter(files))}"[:200]
    cleaned = (replace(line, path=storable(line.path), message=storable(line.message)) for line in reading.account)
    return ScenarioReading(parse(body), (*_shortened(cleaned), *notes), body)


def platform_of(files: Mapping[str, bytes], wanted: str = "") -> Platform:
    """Return the family that is wanted, else the only one that recognises all files; raises InvalidInput."""
    given = without_choice(files)
    owners = {file: [item for item in PLATFORMS.values() if item.recognises(file, given[file])] for file in given}
    families = [item for item in PLATFORMS.values() if all(item in found for found in owners.values())]
    chosen = platform_wanted(wanted) if wanted else None
    if len(families) == 1 and chosen is None:
        return families[0]
    strange = [(file, stranger(content)) for file, content in given.items() if chosen not in owners[file]]
    known = [problem for file, sentence in strange if sentence for problem in refuse(file, 0, sentence).problems]
    if known:
        raise InvalidInput(known)
    if chosen:
        return chosen
    seen = "; ".join(
        f"{file}: {', '.join(item.title for item in found) or 'unknown'}" for file, found in owners.items()
    )
    names = ", ".join([family.name for family in families] or PLATFORMS)
    message = f"it is not clear which platform the files belong to ({seen}); choose one of {names}"
    raise InvalidInput([problem(("platform",), message)])


def account_counts(account: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return how many lines of an account have each status."""
    found = [line["status"] for line in account]
    return {status: found.count(status) for status in STATUSES}


def _shortened(lines: Iterable[Understood]) -> Iterator[Understood]:
    """Name the first elements that mean nothing to a simulation, and count the others."""
    left = 0
    for line in lines:
        left += line.status == "ignored"
        if line.status != "ignored" or left <= MOST_IGNORED:
            yield line
    if left > MOST_IGNORED:
        yield Understood("ignored", "files", f"{left - MOST_IGNORED:,} further elements are not used")
