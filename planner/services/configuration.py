"""Vendor configuration: imported files become a stored scenario, settings become scripts; both are kept."""

from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from planner import selectors
from planner.configuration.exporting import Written, configuration_written, scripts_of
from planner.configuration.importing import ScenarioReading
from planner.errors import Conflict
from planner.models import Export, Import, ImportedFile, Run, RunStatus, ScenarioVersion, audit
from planner.models.report import file_digest
from planner.services.scenarios import scenario_store
from simulations.declarations.problems import InvalidInput, problem
from simulations.experiment import with_overrides
from simulations.scenario.spec import ScenarioSpec

SECRETS = (b"password", b"credential", b"passphrase")
"""Looked for in small letters one after the other: a pattern over megabytes would stop every other request."""


@transaction.atomic
def import_store(*, owner: User, files: Mapping[str, bytes], reading: ScenarioReading) -> Import:
    """Store the scenario that was read from the files, with the account."""
    scenario = scenario_store(owner=owner, spec=reading.spec, note=f"imported from {', '.join(files)}")
    made = Import.objects.create(owner=owner, scenario=scenario, account=reading.body)
    for file, content in files.items():
        # Kept is what may be needed to write changes into it, and never what may hold a secret.
        text, patched = content.lower(), reading.spec.family.patch is not None
        ImportedFile.objects.create(
            origin=made,
            name=file,
            size=len(content),
            sha256=file_digest(content),
            content=content if patched and not any(word in text for word in SECRETS) else None,
        )
    audit(actor=owner, action="import.create", row=made, scenario=scenario.pk, files=list(files))
    return made


@transaction.atomic
def export_store(
    *, owner: User, version: ScenarioVersion, wanted_format: str, run: Run | None, written: Written
) -> Export:
    """Keep the scripts of one format of what was written."""
    scripts = scripts_of(written, wanted_format)
    made = Export.objects.create(
        owner=owner,
        version=version,
        run=run,
        format=wanted_format,
        scenario_hash=(run or version).content_hash,
        changes=[asdict(change) for change in written.changes],
        scripts=[asdict(script) for script in scripts],
    )
    audit(actor=owner, action="export.create", row=made, version=version.pk, format=wanted_format)
    return made


def export_written(
    *,
    version: ScenarioVersion,
    run: Run | None = None,
    point: int | None = None,
    since: int | None = None,
    settings: Mapping[str, Any] | None = None,
    only: Collection[str] | None = None,
) -> Written:
    """Write, without storing, what leads from the installed settings to the wanted ones, in all formats.

    Wanted: those of the run (of its ``point``, when given), else of the version, with ``settings`` (path -> value) on
    top. Installed: those of version ``since``, the scenario's first one when None; 0: the vendor's defaults. Raises
    Conflict for a run that has not succeeded, NotFound for a point or version that does not exist, and InvalidInput.
    """
    if run is not None and run.status != RunStatus.SUCCEEDED:
        raise Conflict(f"only settings of runs that succeeded are exported; this one is {run.status_word}")
    wanted = _wanted(version, run, point, settings or {})
    since = 1 if since is None else since
    installed = selectors.version_get(scenario=version.scenario, number=since).parsed if since else None
    originals = selectors.patchable_files(scenario=version.scenario) if since == 1 else {}
    content = (run or version).content_hash
    return configuration_written(
        installed=installed, wanted=wanted, scenario_hash=content, originals=originals, only=only
    )


def _wanted(version: ScenarioVersion, run: Run | None, point: int | None, settings: Mapping[str, Any]) -> ScenarioSpec:
    spec = version.parsed if run is None else run.parsed
    overrides = {} if run is None or point is None else selectors.run_point(run=run, index=point).overrides
    try:
        return with_overrides(spec, {**overrides, **settings}) if overrides or settings else spec
    except InvalidInput as error:
        raise InvalidInput(
            problem(("settings", item.path), item.message, code=item.code) for item in error.problems
        ) from error
