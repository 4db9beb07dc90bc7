"""Bodies are read before the transaction that stores them: with SQLite everybody else who writes waits for its end."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from rest_framework.test import APIClient

from planner import services
from planner.models import Scenario, ScenarioVersion
from planner.services.inventory import queue_read, server_read
from simulations.scenario.crosschecks import cross_problems
from simulations.scenario.spec import parse
from tests.planner.conftest import SURGE

pytestmark = pytest.mark.django_db(transaction=True)

SESSIONS = "queues.orders.settings.maximum_sessions"
SERVER = {**SURGE["servers"][0], "platform": SURGE["platform"], "name": "stored"}


@pytest.fixture
def ada() -> User:
    """Somebody who is known to all connections."""
    return User.objects.create_user("ada")


@pytest.fixture
def client(ada: User) -> APIClient:
    """Ada's client."""
    client = APIClient()
    client.force_authenticate(ada)
    return client


@pytest.fixture
def scenario(ada: User) -> Scenario:
    """Ada's scenario."""
    return services.scenario_store(owner=ada, spec=parse(SURGE))


def on_reading(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    """Do something whenever a scenario is read."""
    read = cross_problems

    def observed(data: Any) -> Any:
        act()
        return read(data)

    monkeypatch.setattr("simulations.scenario.spec.cross_problems", observed)


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("scenarios", SURGE),
        ("scenarios", {"spec": SURGE, "tags": ["a"]}),
        ("scenarios", {"name": "Composed", "queue_ids": ["{queue}"]}),
        ("scenarios/{scenario}/copy", {}),
        ("scenarios/{scenario}/runs", {"seed": 7}),
        ("scenarios/{scenario}/exports", {"format": "yaml", "settings": {SESSIONS: 17}}),
        ("servers", SERVER),
        ("queues", {**SURGE["queues"][0], "server_id": "{server}", "name": "more"}),
    ],
)
def test_no_creating_request_reads_inside_its_transaction(
    client: APIClient,
    ada: User,
    scenario: Scenario,
    monkeypatch: pytest.MonkeyPatch,
    address: str,
    body: dict[str, Any],
) -> None:
    server = services.server_store(
        owner=ada, platform=SURGE["platform"], read=server_read(SURGE["platform"], SURGE["servers"][0])
    )
    queue = services.queue_store(owner=ada, server=server, read=queue_read(server, _without_server(SURGE["queues"][0])))
    places = {"{scenario}": scenario.pk, "{server}": server.pk, "{queue}": queue.pk}
    body = _filled(body if address != "queues" else _without_server(body), places)
    seen: list[bool] = []
    on_reading(monkeypatch, lambda: seen.append(connection.in_atomic_block))
    path = f"/api/v1/{_filled(address, places)}"
    first, again = (client.post(path, body, format="json", HTTP_IDEMPOTENCY_KEY="k1") for _ in range(2))
    assert first.status_code in (201, 202), first.content
    assert (again.status_code, again.json()) == (first.status_code, first.json())
    assert seen
    assert not any(seen)


def test_a_repeated_request_is_answered_without_being_read(
    client: APIClient, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client.post("/api/v1/scenarios", SURGE, format="json", HTTP_IDEMPOTENCY_KEY="k1")
    seen: list[str] = []
    on_reading(monkeypatch, lambda: seen.append("read"))
    again = client.post("/api/v1/scenarios", SURGE, format="json", HTTP_IDEMPOTENCY_KEY="k1")
    assert (again.json(), seen) == (first.json(), [])


def test_a_patch_reads_outside_and_changes_what_is_there_then(
    client: APIClient, ada: User, scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []

    def somebody_else() -> None:
        seen.append(connection.in_atomic_block)
        if len(seen) == 1:
            body = {**scenario.version.spec, "name": "Theirs"}
            services.scenario_replace(scenario=scenario, author=ada, spec=parse(body))

    on_reading(monkeypatch, somebody_else)
    change = {"spec": {"run": {"seed": 7}}, "tags": ["x"]}
    answer = client.patch(f"/api/v1/scenarios/{scenario.pk}", change, format="json")
    body = answer.json()
    assert (answer.status_code, body["name"], body["spec"]["run"]["seed"], body["tags"]) == (200, "Theirs", 7, ["x"])
    assert not any(seen)


def test_a_patch_of_a_revision_that_goes_while_it_is_read_is_refused(
    client: APIClient, ada: User, scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_reading(monkeypatch, lambda: _tagged(scenario, ada))
    change = {"spec": {"run": {"seed": 7}}}
    refused = client.patch(f"/api/v1/scenarios/{scenario.pk}", change, format="json", HTTP_IF_MATCH='"1"')
    endless = client.patch(f"/api/v1/scenarios/{scenario.pk}", change, format="json")
    assert (refused.status_code, endless.status_code) == (412, 409)
    assert ScenarioVersion.objects.count() == 1


def _tagged(scenario: Scenario, owner: User) -> None:
    services.scenario_tag(scenario=scenario, actor=owner, tags=[uuid4().hex])


def _without_server(queue: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in queue.items() if key != "server"}


def _filled(value: Any, places: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _filled(item, places) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_filled(item, places) for item in value]
    for place, key in places.items():
        value = value.replace(place, key) if isinstance(value, str) else value
    return value
