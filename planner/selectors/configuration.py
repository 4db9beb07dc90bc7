"""Imports with their files, and exports."""

from collections.abc import Mapping

from planner.models import Export, Import, ImportedFile, Scenario
from planner.selectors.owned import owned_by
from simulations.platforms.files.importing.choice import CHOICE

import_get = owned_by(Import.objects.select_related("scenario__current"), "import_id")
export_get = owned_by(Export.objects.select_related("version", "run"), "export_id")


def patchable_files(*, scenario: Scenario) -> Mapping[str, bytes]:
    """Name and content of the imported files that an export can patch."""
    rows = ImportedFile.objects.filter(origin__scenario=scenario, content__isnull=False)
    return {row.name: bytes(row.content or b"") for row in rows}


def target_imported(*, scenario: Scenario) -> str:
    """Name of the cluster or server that was chosen at the import; empty where none was, or no file is kept."""
    row = ImportedFile.objects.filter(origin__scenario=scenario, name=CHOICE, content__isnull=False).first()
    return "" if row is None else bytes(row.content or b"").decode()
