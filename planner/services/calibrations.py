"""Calibrations: start, and the scenario that is made of one."""

import shutil
from collections.abc import Iterable
from pathlib import PurePosixPath

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from planner.errors import Conflict
from planner.jobs.calibrate import calibration_folder, calibration_source, upload_name
from planner.jobs.dispatch import job_send
from planner.models import Calibration, Scenario, ScenarioVersion, audit
from planner.services.scenarios import scenario_store
from simulations.declarations.problems import InvalidInput
from simulations.declarations.texts import ONE_LINE, REMEDIES, is_one_line
from simulations.scenario.spec import parse


def calibration_draft(
    *,
    owner: User,
    location: str,
    content: Iterable[bytes] | None = None,
    name: str = "",
    base: ScenarioVersion | None = None,
    every_hours: int = 0,
) -> Calibration:
    """Return a calibration of the log at ``location``, or of an upload, whose file name that is then.

    The upload is written before any transaction begins; the row is not stored yet. It is repeated every so many hours.
    Raises InvalidInput, and keeps nothing, for a bad name, a location that is not allowed or an unknown format.
    """
    stem = PurePosixPath(location).stem
    made = Calibration(
        owner=owner,
        name=(name or f"Calibrated from {stem}")[:200],
        location=location[:1000],
        uploaded=content is not None,
        base=base,
        every_hours=every_hours,
    )
    if not is_one_line(made.name):
        raise InvalidInput.at(("name",), REMEDIES[ONE_LINE], value=made.name)
    if made.uploaded and every_hours:
        message = "an upload cannot be read again; leave it out, or name the log's location"
        raise InvalidInput.at(("every_hours",), message, value=every_hours)
    try:
        if content is not None:
            _kept(made, content)
        calibration_source(calibration=made)
    except InvalidInput:
        calibration_discard(draft=made)
        raise
    return made


@transaction.atomic
def calibration_store(*, draft: Calibration) -> Calibration:
    """Store a draft and send it to a worker."""
    draft.save(force_insert=True)
    audit(actor=draft.owner, action="calibration.start", row=draft, location=draft.location)
    job_send(draft)
    return draft


def calibration_discard(*, draft: Calibration) -> None:
    """Delete the upload of a draft, unless the draft has been stored."""
    if not Calibration.objects.filter(pk=draft.pk).exists():
        shutil.rmtree(calibration_folder(calibration=draft), ignore_errors=True)


@transaction.atomic
def calibration_scenario(*, calibration: Calibration, actor: User) -> Scenario:
    """Return the scenario made of the result; the first call makes it. Raises Conflict before there is a result."""
    row = Calibration.objects.select_for_update().get(pk=calibration.pk)
    if row.scenario is not None:
        return row.scenario
    if row.result is None:
        raise Conflict("the calibration has no result yet; wait for it")
    word = row.result.get("verdict", {}).get("title", "Not validated").lower()
    assumed = " ".join(("; assumed:", *row.result["assumed"])) if row.result.get("assumed") else ""
    note = f"calibrated from {row.location}, {word}{assumed}"[:500]
    row.scenario = scenario_store(owner=actor, spec=parse(row.result["scenario"]), tags=["calibrated"], note=note)
    row.save(update_fields=["scenario"])
    return row.scenario


def _kept(made: Calibration, content: Iterable[bytes]) -> None:
    """Write an upload to its folder; raises InvalidInput above the limit."""
    folder, most = calibration_folder(calibration=made), settings.ENVIRONMENT.max_upload_bytes
    folder.mkdir(parents=True)
    path, written = folder / upload_name(made.location), 0
    with path.open("wb") as file:
        for chunk in content:
            written += len(chunk)
            if written > most:
                message = f"the file has more than {most:,} bytes; name its location instead (TELEMETRY_ROOTS)"
                raise InvalidInput.at(("file",), message)
            file.write(chunk)
