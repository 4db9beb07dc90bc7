"""Vendor configuration in and out."""

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field

from planner.api.schemas.common import In, OfVersion, Out, Stored, documented
from planner.api.schemas.scenarios import ScenarioOut
from planner.configuration.drift import DriftLine, DriftStatus
from planner.configuration.exporting import SettingChange
from planner.configuration.importing import account_counts
from simulations.platforms.shared.family import Script, Understood

Status = Literal["contradictory", "unresolved", "understood", "defaulted", "ignored"]


class ImportIn(In):
    """Parts of the multipart body besides ``files``, one or several files of one platform."""

    platform: Annotated[str, Field(max_length=40)] = ""
    """A family or its short spelling; left out: the files say it themselves."""
    name: Annotated[str, Field(max_length=200)] = ""
    """Name of the scenario; left out: that of the first file."""
    target: Annotated[str, Field(max_length=200)] = ""
    """Name of the cluster or server that is meant where the files have several; on GlassFish it has to be given."""


@documented
class AccountLine(Understood):
    """What became of one element of a file, or of one setting; no ``file`` and ``line`` 0 where no file mentions it."""

    status: Status


class ImportedFileOut(Out):
    """A file that was read."""

    name: str
    size: int
    sha256: str
    patchable: bool
    """The format ``xml`` of an export writes changes into this file."""


class ImportOut(Stored):
    """The scenario that was made, and the account of every element."""

    scenario: ScenarioOut
    counts: dict[Status, int]
    account: list[AccountLine]
    files: list[ImportedFileOut]

    @classmethod
    def of(cls, row: Any, **more: Any) -> Self:
        """Return the body of a stored one."""
        files = ImportedFileOut.all_of(row.files.all())
        return super().of(row, scenario=ScenarioOut.of(row.scenario), counts=account_counts(row.account), files=files)


class ExportIn(In):
    """Which settings to write, and how."""

    format: Annotated[str, Field(min_length=1, max_length=20)]
    """``wlst``, ``wdt``, ``wsadmin``, ``mqsc``, ``imqcmd``, ``asadmin``, ``properties``: scripts and files of the
    vendors' tools. ``xml`` patches the imported files, ``yaml`` is the scenario. A platform has some of them."""
    since: Annotated[int, Field(ge=0)] | None = None
    """Number of the version whose settings are installed now, the first if left out; 0: the vendor's defaults hold."""
    settings: Annotated[dict[str, Any], Field(default_factory=dict)]
    """Further wanted settings: scenario path -> value."""
    only: Annotated[tuple[str, ...], Field(max_length=10_000)] | None = None
    """Paths to write; left out: every setting that differs from the installed one."""


class RunExportIn(ExportIn):
    """The same for a run that succeeded."""

    point: Annotated[int, Field(ge=0)] | None = None
    """Index of the point whose swept values are wanted; left out: the scenario's own values."""


class VersionExportIn(ExportIn, OfVersion):
    """The same for a version of a scenario."""


@documented
class SettingChangeOut(SettingChange):
    """One setting that is written."""


@documented
class ScriptOut(Script):
    """A file that makes the chosen settings, and the one that takes them back."""


class ExportOut(Stored):
    """Scripts as they were handed out; they never change."""

    status: Literal["succeeded"]
    format: str
    scenario: str
    version: int
    run: str | None
    scenario_hash: str
    """Named in the header of every script."""
    changes: list[SettingChangeOut]
    scripts: list[ScriptOut]
    sources: ClassVar = {"scenario": "version.scenario_id", "version": "version.number", "run": "run_id"}

    @classmethod
    def of(cls, row: Any, **more: Any) -> Self:
        """Return the body of a stored one."""
        return super().of(row, status="succeeded")


class DriftIn(OfVersion):
    """Part of the multipart body besides ``files``, the files that are in use."""

    target: Annotated[str, Field(max_length=200)] = ""
    """Name of the cluster or server that is meant where the files have several; on GlassFish it has to be given."""


class DriftOut(Out):
    """A scenario compared with files. Nothing is stored."""

    scenario: str
    version: int
    files: list[str]
    counts: dict[DriftStatus, int]
    lines: list[DriftLine]
    """Those first that differ."""
    unclear: list[AccountLine]
    """Elements of the files that contradict each other or name what no file explains."""
