"""Stored servers and queues of one person."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from planner import selectors, services
from planner.api.examples import DESCRIPTOR
from planner.configuration.importing import configuration_read
from planner.errors import NotFound
from planner.models import Calibration, Import, Scenario, Server
from simulations.scenario.spec import parse


@pytest.fixture
def server(owner: User, body: dict[str, Any]) -> Server:
    """A stored server with one queue."""
    return services.inventory_save(owner=owner, spec=parse(body))[0]


def test_servers_and_queues_are_their_owners(server: Server, owner: User, stranger: User) -> None:
    queue = server.queues.get()
    assert list(selectors.servers_list(user=owner)) == [server]
    assert list(selectors.queues_list(user=owner)) == [queue]
    assert not selectors.servers_list(user=stranger).exists()
    assert selectors.server_get(user=owner, server_id=server.pk) == server
    assert selectors.queue_get(user=owner, queue_id=queue.pk) == queue
    with pytest.raises(NotFound):
        selectors.server_get(user=stranger, server_id=server.pk)
    with pytest.raises(NotFound):
        selectors.queue_get(user=stranger, queue_id=queue.pk)


def test_archived_ones_are_listed_apart(server: Server, owner: User) -> None:
    queue = server.queues.get()
    services.row_archive(row=queue)
    assert not selectors.queues_list(user=owner).exists()
    assert list(selectors.queues_list(user=owner, archived=True)) == [queue]
    services.row_archive(row=server)
    assert list(selectors.servers_list(user=owner, archived=True)) == [server]
    assert not selectors.queues_list(user=owner, archived=True).exists(), "its server left the lists, too"


def test_calibrations_are_their_owners(owner: User, stranger: User) -> None:
    made = Calibration.objects.create(owner=owner, name="Orders", location="log.csv")
    assert list(selectors.calibrations_list(user=owner)) == [made]
    assert selectors.calibration_get(user=owner, calibration_id=made.pk) == made
    assert not selectors.calibrations_list(user=stranger).exists()
    with pytest.raises(NotFound, match="calibration"):
        selectors.calibration_get(user=stranger, calibration_id=made.pk)


def test_a_list_reads_no_results_and_one_query(owner: User, scenario: Scenario) -> None:
    for base in (scenario.version, None):
        Calibration.objects.create(owner=owner, name="Orders", location="log.csv", base=base, result={"large": 1})
    with CaptureQueriesContext(connection) as queries:
        found = [row.base.scenario.pk if row.base else None for row in selectors.calibrations_list(user=owner)]
    assert found == [None, scenario.pk]
    (query,) = queries.captured_queries
    assert '"planner_calibration"."result"' not in query["sql"]


FILES = {"weblogic-ejb-jar.xml": DESCRIPTOR.encode()}


@pytest.fixture
def imported(owner: User) -> Import:
    """A descriptor that says nothing of the load."""
    return services.import_store(owner=owner, files=FILES, reading=configuration_read(FILES))


def test_imports_are_their_owners(imported: Import, stranger: User) -> None:
    assert selectors.import_get(user=imported.owner, import_id=imported.pk) == imported
    with pytest.raises(NotFound):
        selectors.import_get(user=stranger, import_id=imported.pk)


def test_files_that_can_be_patched_are_kept_as_they_came(imported: Import) -> None:
    assert selectors.patchable_files(scenario=imported.scenario) == FILES


def test_a_scenario_that_was_not_imported_has_no_files(owner: User, body: dict[str, object]) -> None:
    scenario = services.scenario_store(owner=owner, spec=parse(body))
    assert selectors.patchable_files(scenario=scenario) == {}
