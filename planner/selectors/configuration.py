"""Imports with their files, and exports."""

from collections.abc import Mapping

from planner.models import Export, Import, ImportedFile, Scenario, ScenarioVersion
from planner.selectors.owned import owned_by
from simulations.declarations.path_text import path_of
from simulations.platforms.files.importing.choice import CHOICE

import_get = owned_by(Import.objects.select_related("scenario__current"), "import_id")
export_get = owned_by(Export.objects.select_related("version", "run"), "export_id")


def placeholder_loads(*, version: ScenarioVersion) -> frozenset[str]:
    """Names of the queues whose arrivals or onMessage time the import made up and nobody has changed since."""
    origin = Import.objects.filter(scenario=version.scenario_id).first()
    if origin is None:
        return frozenset()
    made = {line["path"] for line in origin.account if line["status"] == "defaulted"}
    first = {queue["name"]: queue for queue in version.scenario.versions.get(number=1).spec["queues"]}
    return frozenset(
        queue["name"]
        for queue in version.spec["queues"]
        for part in ("arrivals", "service")
        if path_of("queues", queue["name"], part) in made and queue[part] == first.get(queue["name"], {}).get(part)
    )


def patchable_files(*, scenario: Scenario) -> Mapping[str, bytes]:
    """Name and content of the imported files that an export can patch."""
    rows = ImportedFile.objects.filter(origin__scenario=scenario, content__isnull=False)
    return {row.name: bytes(row.content or b"") for row in rows}


def target_imported(*, scenario: Scenario) -> str:
    """Name of the cluster or server that was chosen at the import; empty where none was, or no file is kept."""
    row = ImportedFile.objects.filter(origin__scenario=scenario, name=CHOICE, content__isnull=False).first()
    return "" if row is None else bytes(row.content or b"").decode()
