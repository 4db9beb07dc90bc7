"""Stored servers and queues, calibrations, imports with their files, and exports."""

from collections.abc import Mapping

from django.db.models import QuerySet

from planner.models import Calibration, Export, Import, ImportedFile, Queue, Scenario, Server
from planner.selectors.owned import Person, owned_by, visible
from simulations.platforms.files.importing.drafts import CHOICE

server_get = owned_by(Server.objects.all(), "server_id")
queue_get = owned_by(Queue.objects.select_related("server"), "queue_id")
CALIBRATIONS = Calibration.objects.select_related("base__scenario", "scenario")
calibration_get = owned_by(CALIBRATIONS, "calibration_id")
import_get = owned_by(Import.objects.select_related("scenario__current"), "import_id")
export_get = owned_by(Export.objects.select_related("version", "run"), "export_id")


def servers_list(*, user: Person, archived: bool = False) -> QuerySet[Server]:
    """The servers that the user sees by name."""
    return visible(Server.objects.filter(archived_at__isnull=not archived), user=user)


def queues_list(*, user: Person, archived: bool = False) -> QuerySet[Queue]:
    """Queues of servers in use that the user sees by name, each with its server."""
    rows = Queue.objects.filter(server__archived_at=None, archived_at__isnull=not archived)
    return visible(rows, user=user).select_related("server")


def calibrations_list(*, user: Person) -> QuerySet[Calibration]:
    """The user's calibrations, newest first, without their results."""
    return visible(CALIBRATIONS, user=user).defer("result")


def patchable_files(*, scenario: Scenario) -> Mapping[str, bytes]:
    """Name and content of the imported files that an export can patch."""
    rows = ImportedFile.objects.filter(origin__scenario=scenario, content__isnull=False)
    return {row.name: bytes(row.content or b"") for row in rows}


def target_imported(*, scenario: Scenario) -> str:
    """Name of the cluster or server that was chosen at the import; empty where none was, or no file is kept."""
    row = ImportedFile.objects.filter(origin__scenario=scenario, name=CHOICE, content__isnull=False).first()
    return "" if row is None else bytes(row.content or b"").decode()
