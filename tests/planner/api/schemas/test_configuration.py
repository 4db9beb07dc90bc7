"""Imports and exports as bodies."""

from planner import services
from planner.api.examples import DESCRIPTOR
from planner.api.schemas.configuration import ExportOut, ImportOut
from planner.configuration.importing import configuration_read
from planner.models import Scenario

FILES = {"weblogic-ejb-jar.xml": DESCRIPTOR.encode()}


def test_an_import_counts_its_account_by_status(scenario: Scenario) -> None:
    reading = configuration_read(FILES)
    body = ImportOut.of(services.import_store(owner=scenario.owner, files=FILES, reading=reading))
    assert sum(body.counts.values()) == len(body.account) == len(reading.account)
    assert body.counts["unresolved"] == 1
    assert [(file.name, file.patchable) for file in body.files] == [("weblogic-ejb-jar.xml", True)]
    assert body.scenario.spec["platform"] == "weblogic"


def test_an_export_shows_its_scripts(scenario: Scenario) -> None:
    settings = {"queues.orders.settings.maximum_sessions": 50}
    written = services.export_written(version=scenario.version, settings=settings)
    made = services.export_store(
        owner=scenario.owner, version=scenario.version, wanted_format="wsadmin", run=None, written=written
    )
    body = ExportOut.of(made)
    assert (body.status, body.scenario, body.version, body.run) == ("succeeded", scenario.pk, 1, None)
    assert [(change.before, change.after) for change in body.changes] == [(36, 50)]
    assert all("50" in script.apply and "36" in script.undo for script in body.scripts)
