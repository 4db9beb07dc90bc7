"""Imports with their files, and exports."""

from collections.abc import Mapping

from planner.models import Export, Import, ImportedFile, Scenario
from planner.selectors.owned import Person, owned


def import_get(*, user: Person, import_id: str) -> Import:
    """One import with its scenario; raises NotFound."""
    return owned(Import.objects.select_related("scenario__current"), user=user, key=import_id)


def patchable_files(*, scenario: Scenario) -> Mapping[str, bytes]:
    """Name and content of the imported files that an export can patch."""
    rows = ImportedFile.objects.filter(origin__scenario=scenario, content__isnull=False)
    return {row.name: bytes(row.content or b"") for row in rows}


def export_get(*, user: Person, export_id: str) -> Export:
    """One export with its version; raises NotFound."""
    return owned(Export.objects.select_related("version", "run"), user=user, key=export_id)
