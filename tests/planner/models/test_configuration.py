"""Imports and exports as they are stored."""

import pytest
from django.db import IntegrityError, transaction

from planner.models import Export, Import, ImportedFile, Scenario
from planner.models.bases import ImmutableError


def test_files_of_an_import_have_different_names(scenario: Scenario) -> None:
    made = Import.objects.create(owner=scenario.owner, scenario=scenario, account=[])
    ImportedFile.objects.create(origin=made, name="a.xml", size=1, sha256="h")
    assert str(made) == f"import of {scenario.pk}"
    with pytest.raises(IntegrityError), transaction.atomic():
        ImportedFile.objects.create(origin=made, name="a.xml", size=2, sha256="i")


def test_an_export_is_written_once(scenario: Scenario) -> None:
    about = {"format": "wlst", "scenario_hash": "h", "changes": [], "scripts": []}
    made = Export.objects.create(owner=scenario.owner, version=scenario.version, **about)
    assert str(made) == f"wlst of {scenario.version.pk}"
    made.format = "wdt"
    with pytest.raises(ImmutableError):
        made.save()
