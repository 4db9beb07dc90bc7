"""Stored servers and queues in the browser, and what the workbench takes from them."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from planner import services
from planner.models import Queue, Scenario, Server
from planner.presets.files import presets
from planner.services.inventory import queue_body, queue_read, server_read
from simulations.platforms import PLATFORMS

SERVER = {"name": "payments-prod", "cpus": 4, "settings": {"max_servants": 5}}
QUEUE = {
    "name": "invoices",
    "arrivals": {"kind": "surge", "count": 500},
    "service": {"kind": "constant", "mean": "50ms"},
    "settings": {"maximum_sessions": 64},
}


@pytest.fixture
def server(owner: User) -> Server:
    """A stored z/OS server."""
    return services.server_store(owner=owner, platform="websphere-zos", read=server_read("websphere-zos", SERVER))


@pytest.fixture
def queue(owner: User, server: Server) -> Queue:
    """A stored queue of it."""
    return services.queue_store(owner=owner, server=server, read=queue_read(server, QUEUE))


def problem_at(text: str, name: str) -> str:
    """Return what stands under a field."""
    return text.split(f'id="p-{name}"')[1].split(">", 1)[1].split("</p>")[0]


@pytest.mark.parametrize("platform", PLATFORMS)
def test_every_declared_setting_of_a_server_has_a_field(person: Client, platform: str) -> None:
    text = person.get(f"/inventory/servers/new/?platform={platform}").content.decode()
    for name in (*PLATFORMS[platform].server_parameters.model_fields,):
        assert re.search(rf'name="servers.0.settings.{name}(.rows)?"', text), name
    assert 'name="servers.0.name"' in text


def test_a_server_is_made_and_changed(person: Client, owner: User) -> None:
    values = {"servers.0.name": "payments-prod", "servers.0.cpus": "2", "servers.0.settings.max_servants": "3"}
    person.post("/inventory/servers/new/?platform=websphere-zos", values)
    server = Server.objects.get(owner=owner)
    assert (server.name, server.cpus, server.servants_max) == ("payments-prod", 2, 3)
    person.post(f"/inventory/servers/{server.pk}/", {"servers.0.cpus": "8"})
    server.refresh_from_db()
    assert (server.name, server.cpus, server.servants_max) == ("payments-prod", 8, 3)


def test_wrong_values_stand_at_their_fields_and_nothing_is_stored(person: Client) -> None:
    wrong = {"servers.0.name": "a\u202eb", "servers.0.cpus": "0", "servers.0.settings.max_servants": "many"}
    answer = person.post("/inventory/servers/new/?platform=websphere-zos", wrong)
    text = answer.content.decode()
    assert answer.status_code == 422
    assert all(problem_at(text, name) for name in wrong)
    assert 'value="many"' in text
    assert not Server.objects.exists()


def test_a_server_has_the_name_and_identity_that_a_person_enters(person: Client) -> None:
    name = "jms/Größe: „PAY.ORDERS“ 注文"
    fields = {"servers.0.name": name, "servers.0.identity.name": "server.1", "servers.0.identity.kind": "Server"}
    assert person.post("/inventory/servers/new/?platform=websphere-zos", fields).status_code == 302
    server = Server.objects.get()
    assert (server.name, server.identity) == (name, {"name": "server.1", "kind": "Server"})
    assert "Server server.1" in person.get(f"/inventory/servers/{server.pk}/").content.decode()
    emptied = {"servers.0.identity.name": "", "servers.0.identity.kind": ""}
    answer = person.post(f"/inventory/servers/{server.pk}/", emptied)
    assert answer.status_code == 302, answer.content.decode()
    server.refresh_from_db()
    assert (server.name, server.identity) == (name, {})


def test_a_name_that_is_taken_is_said_at_the_name(person: Client, server: Server) -> None:
    answer = person.post("/inventory/servers/new/?platform=websphere-zos", {"servers.0.name": server.name})
    assert answer.status_code == 409
    assert "is taken" in problem_at(answer.content.decode(), "servers.0.name")


def test_a_queue_is_made_with_the_fields_of_its_arrivals(person: Client, server: Server) -> None:
    address = f"/inventory/servers/{server.pk}/queues/new/"
    kind = {"queues.0.arrivals.kind": "surge"}
    drawn = person.post(f"{address}?fields=1", kind).content.decode()
    assert 'name="queues.0.arrivals.count"' in drawn
    assert "<html" not in drawn
    assert 'name="queues.0.arrivals.count"' in person.post(address, {**kind, "action": "show"}).content.decode()
    person.post(address, {**kind, "queues.0.name": "invoices", "queues.0.arrivals.count": "500"})
    queue = Queue.objects.get()
    assert (queue.server, queue.name, queue.arrivals["count"]) == (server, "invoices", 500)


def test_a_queue_is_changed(person: Client, queue: Queue) -> None:
    person.post(f"/inventory/queues/{queue.pk}/", {"queues.0.settings.maximum_sessions": "72"})
    queue.refresh_from_db()
    assert queue.settings["maximum_sessions"] == 72
    assert queue.arrivals["count"] == 500


@pytest.mark.parametrize("kind", ["servers", "queues"])
def test_archiving_can_be_undone(person: Client, queue: Queue, kind: str) -> None:
    stored: Server | Queue = queue if kind == "queues" else queue.server
    page = person.post(f"/inventory/{kind}/{stored.pk}/archive/", follow=True).content.decode()
    assert f'action="/inventory/{kind}/{stored.pk}/restore/"' in page
    assert f'href="/inventory/{kind}/{stored.pk}/"' not in page
    assert stored.name in person.get("/inventory/?archived=1").content.decode()
    back = person.post(f"/inventory/{kind}/{stored.pk}/restore/", follow=True).content.decode()
    assert f'href="/inventory/{kind}/{stored.pk}/"' in back


def test_a_scenario_is_made_of_chosen_queues(person: Client, owner: User, queue: Queue) -> None:
    answer = person.post("/inventory/compose/", {"queue": [queue.pk], "name": "Quarter end"})
    scenario = Scenario.objects.get(owner=owner)
    assert answer.headers["Location"] == f"/scenarios/{scenario.pk}/"
    assert scenario.name == "Quarter end"
    assert scenario.version.spec["servers"][0]["cpus"] == 4


def test_queues_of_two_platforms_make_no_scenario(person: Client, owner: User, queue: Queue) -> None:
    other = services.server_store(owner=owner, platform="openmq", read=server_read("openmq", {"name": "gf"}))
    jobs = services.queue_store(owner=owner, server=other, read=queue_read(other, {**QUEUE, "settings": {}}))
    page = person.post("/inventory/compose/", {"queue": [queue.pk, jobs.pk]}, follow=True).content.decode()
    assert "Platform: a scenario has one platform" in page
    assert "Choose at least one queue" in person.post("/inventory/compose/", follow=True).content.decode()
    assert not Scenario.objects.exists()


def test_the_workbench_takes_a_stored_server_with_its_name(person: Client, scenario: Scenario, server: Server) -> None:
    fields = person.post(f"/scenarios/{scenario.pk}/fields/", {"take.servers.0": server.pk, "servers.0.cpus": "2"})
    text = fields.content.decode()
    assert 'name="servers.0.name" value="payments-prod"' in text
    assert 'name="servers.0.cpus" value="4"' in text
    saved = {"action": "save", "take.servers.0": server.pk}
    person.post(f"/scenarios/{scenario.pk}/", saved)
    scenario.refresh_from_db()
    spec = scenario.version.spec
    assert (spec["servers"][0]["name"], spec["servers"][0]["cpus"]) == ("payments-prod", 4)
    assert spec["queues"][0]["server"] == "payments-prod"


def test_the_workbench_takes_a_stored_queue_and_the_sweep_follows(
    person: Client, scenario: Scenario, queue: Queue
) -> None:
    path = scenario.version.spec["sweep"][0]["path"]
    saved = {"action": "save", "take.queues.0": queue.pk, "sweep.path": path, "sweep.values": "18, 36"}
    person.post(f"/scenarios/{scenario.pk}/", saved)
    scenario.refresh_from_db()
    spec: dict[str, Any] = scenario.version.spec
    assert (spec["queues"][0]["name"], spec["queues"][0]["arrivals"]["count"]) == ("invoices", 500)
    assert spec["queues"][0]["server"] == "payments"
    assert spec["sweep"][0]["path"] == "queues.invoices.settings.maximum_sessions"


@pytest.fixture
def chain(owner: User) -> list[Queue]:
    """The stored queues of the preset whose orders are sent on to a ledger, in this order."""
    spec = next(item.spec for item in presets() if item.key == "chain")
    services.inventory_save(owner=owner, spec=spec)
    return [Queue.objects.get(owner=owner, name=name) for name in ("orders", "ledger")]


def test_a_stored_chain_becomes_a_scenario_again(person: Client, owner: User, chain: list[Queue]) -> None:
    page = person.get("/inventory/").content.decode()
    assert page.count('data-label="Sends on to:"') == 1 and re.search(r'data-label="Sends on to:">\s*ledger\s*<', page)
    person.post("/inventory/compose/", {"queue": [queue.pk for queue in chain], "name": "Whole"})
    spec = Scenario.objects.get(owner=owner).version.spec
    assert [(queue["name"], [row["name"] for row in queue["sends"]]) for queue in spec["queues"]] == [
        ("orders", ["ledger"]),
        ("ledger", []),
    ]


def test_half_a_chain_says_what_it_lacks(person: Client, chain: list[Queue]) -> None:
    orders, ledger = chain
    page = person.post("/inventory/compose/", {"queue": [orders.pk]}, follow=True).content.decode()
    assert "orders · sends · ledger · name: no queue is named &#x27;ledger&#x27;" in page
    page = person.post("/inventory/compose/", {"queue": [ledger.pk]}, follow=True).content.decode()
    assert "ledger · arrivals: no queue sends to this one" in page
    assert not Scenario.objects.exists()


def test_the_editor_of_a_queue_keeps_what_it_sends(person: Client, chain: list[Queue]) -> None:
    for queue in chain:
        sent = queue.sends
        answer = person.post(f"/inventory/queues/{queue.pk}/", {"queues.0.settings.maximum_sessions": "7"})
        assert answer.status_code == 302, answer.content.decode()
        queue.refresh_from_db()
        assert (queue.settings["maximum_sessions"], queue.sends) == (7, sent)


def test_a_stored_queue_that_is_taken_leaves_the_chain_as_it_is(
    person: Client, owner: User, chain: list[Queue]
) -> None:
    spec = next(item.spec for item in presets() if item.key == "chain")
    made = services.scenario_store(owner=owner, spec=spec)
    orders, ledger = chain
    services.queue_update(queue=orders, body={**queue_body(orders), "name": "quick", "sends": []})
    person.post(f"/scenarios/{made.pk}/", {"action": "save", "take.queues.0": orders.pk, "take.queues.1": ledger.pk})
    made.refresh_from_db()
    queues = made.version.spec["queues"]
    assert [(queue["name"], [row["name"] for row in queue["sends"]]) for queue in queues] == [
        ("quick", ["ledger"]),
        ("ledger", []),
    ]


def test_nobody_takes_what_belongs_to_others(stranger: Client, person: Client, server: Server, owner: User) -> None:
    theirs = services.scenario_store(
        owner=User.objects.get(username="eve"),
        spec=services.scenario_copied(
            scenario=services.scenario_store(
                owner=owner,
                spec=services.scenario_composed(
                    name="x", queues=[services.queue_store(owner=owner, server=server, read=queue_read(server, QUEUE))]
                ),
            )
        ),
    )
    answer = stranger.post(f"/scenarios/{theirs.pk}/fields/", {"take.servers.0": server.pk})
    assert answer.status_code == 404
    assert stranger.get("/inventory/").content.decode().count("payments-prod") == 0
