"""Imports: files of a vendor become a stored scenario, and the account of them is kept."""

import hashlib
import re
from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import transaction

from planner.configuration.importing import ScenarioReading
from planner.models import Import, ImportedFile, audit
from planner.services.scenarios import scenario_store
from simulations.scenario.spec import ScenarioSpec

SECRETS = re.compile(rb"password|credential|passphrase", re.IGNORECASE)


@transaction.atomic
def import_store(*, owner: User, files: Mapping[str, bytes], reading: ScenarioReading) -> Import:
    """Store the scenario that was read from the files, with the account."""
    scenario = scenario_store(owner=owner, spec=reading.spec, note=f"imported from {', '.join(files)}")
    made = Import.objects.create(owner=owner, scenario=scenario, account=reading.body)
    for file, content in files.items():
        ImportedFile.objects.create(
            origin=made,
            name=file,
            size=len(content),
            sha256=hashlib.sha256(content).hexdigest(),
            content=content if _is_kept(reading.spec, content) else None,
        )
    audit(actor=owner, action="import.create", target=made.pk, scenario=scenario.pk, files=list(files))
    return made


def _is_kept(spec: ScenarioSpec, content: bytes) -> bool:
    """Whether the file may be needed to write changes into it; a file that may hold a secret never is."""
    return spec.family.patch is not None and not SECRETS.search(content)
