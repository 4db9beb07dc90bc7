"""Stored servers and queues as bodies."""

from planner import services
from planner.api.schemas.scenarios import QueueOut, ServerOut
from planner.models import Scenario


def test_bodies_are_as_in_a_scenario(scenario: Scenario) -> None:
    spec = scenario.version.spec
    (server,) = services.inventory_save(owner=scenario.owner, spec=scenario.version.parsed)
    body = ServerOut.of(server)
    assert (body.id, body.name, body.archived) == (server.pk, spec["servers"][0]["name"], False)
    assert body.settings["max_servants"] == spec["servers"][0]["settings"]["max_servants"], "a column of its own"
    (queue,) = QueueOut.all_of(list(server.queues.all()))
    assert (queue.server, queue.server_id, queue.settings) == (server.name, server.pk, spec["queues"][0]["settings"])
    services.row_archive(row=server)
    assert ServerOut.of(server).archived
