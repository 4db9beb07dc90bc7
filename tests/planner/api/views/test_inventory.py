"""Servers and queues over the API."""

from rest_framework.test import APIClient

from planner.models import Scenario
from tests.planner.services.test_inventory import QUEUE, SERVER


def test_the_whole_way_from_a_server_to_a_scenario(client: APIClient) -> None:
    server = client.post("/api/v1/servers", {"platform": "websphere-zos", **SERVER}, format="json")
    assert server.status_code == 201
    queue = client.post("/api/v1/queues", {"server_id": server.json()["id"], **QUEUE}, format="json")
    assert queue.status_code == 201
    scenario = client.post("/api/v1/scenarios", {"name": "Composed", "queue_ids": [queue.json()["id"]]}, format="json")
    assert scenario.status_code == 201
    assert scenario.json()["spec"]["servers"][0]["settings"]["max_servants"] == 3


def test_settings_are_changed_one_by_one(client: APIClient) -> None:
    made = client.post("/api/v1/servers", {"platform": "websphere-zos", **SERVER}, format="json")
    changed = client.patch(made["Location"], {"settings": {"max_servants": 5}}, format="json").json()
    assert (changed["settings"]["min_servants"], changed["settings"]["max_servants"]) == (1, 5)
    wrong = client.patch(made["Location"], {"settings": {"max_servants": 0}}, format="json")
    assert wrong.json()["errors"][0]["pointer"] == "/settings/max_servants"


def test_an_arrival_of_another_kind_replaces_the_first(client: APIClient) -> None:
    server = client.post("/api/v1/servers", {"platform": "websphere-zos", **SERVER}, format="json").json()
    queue = client.post("/api/v1/queues", {"server_id": server["id"], **QUEUE}, format="json")
    changed = client.patch(queue["Location"], {"arrivals": {"kind": "surge", "count": 10}}, format="json").json()
    assert changed["arrivals"] == {"kind": "surge", "count": 10, "at": 0.0, "then": 0.0}


def test_a_chain_is_stored_queue_by_queue(client: APIClient) -> None:
    server = client.post("/api/v1/servers", {"platform": "websphere-zos", **SERVER}, format="json").json()["id"]
    last = {**QUEUE, "name": "ledger", "arrivals": {"kind": "none"}}
    first = {**QUEUE, "sends": [{"name": "ledger"}]}
    made = [client.post("/api/v1/queues", {"server_id": server, **body}, format="json") for body in (first, last)]
    assert [item.status_code for item in made] == [201, 201]
    changed = client.patch(made[0]["Location"], {"producers": 2}, format="json").json()
    assert (changed["producers"], changed["sends"]) == (2, [{"name": "ledger", "messages": 1.0}])
    keys = [item.json()["id"] for item in made]
    scenario = client.post("/api/v1/scenarios", {"name": "Chain", "queue_ids": keys}, format="json").json()
    assert [queue["sends"] for queue in scenario["spec"]["queues"]] == [changed["sends"], []]


def test_deleting_archives_and_leaves_scenarios_alone(client: APIClient, scenario: Scenario) -> None:
    made = client.post("/api/v1/servers", {"platform": "websphere-zos", **SERVER}, format="json")
    assert client.delete(made["Location"]).status_code == 204
    assert client.get("/api/v1/servers").json()["items"] == []
    assert client.get(made["Location"]).json()["archived"] is True
    assert client.get(f"/api/v1/scenarios/{scenario.pk}").status_code == 200


def test_wrong_platforms_and_servers_are_pointed_at(client: APIClient, other: APIClient) -> None:
    platform = client.post("/api/v1/servers", {"platform": "webspere", **SERVER}, format="json")
    assert platform.json()["errors"][0]["pointer"] == "/platform"
    theirs = other.post("/api/v1/servers", {"platform": "websphere-zos", **SERVER}, format="json").json()
    stolen = client.post("/api/v1/queues", {"server_id": theirs["id"], **QUEUE}, format="json")
    assert stolen.json()["errors"][0]["pointer"] == "/server_id"


def test_a_name_that_is_taken_is_a_conflict(client: APIClient) -> None:
    body = {"platform": "websphere-zos", **SERVER}
    statuses = [client.post("/api/v1/servers", body, format="json").status_code for _ in range(2)]
    assert statuses == [201, 409]


def test_what_is_wrong_with_a_server_points_into_the_server(client: APIClient) -> None:
    wrong = client.post("/api/v1/servers", {"platform": "weblogic", "name": "x" * 300}, format="json").json()["errors"]
    assert [item["pointer"] for item in wrong] == ["/name"]
    missing = client.post("/api/v1/queues", {"name": "q"}, format="json").json()["errors"]
    assert missing[0]["message"] == "is missing; give the id of a stored server"
