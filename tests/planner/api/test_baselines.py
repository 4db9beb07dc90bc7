"""One pinned version for each application, with the run that answers for it."""

import jsonschema
import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from planner import selectors, services
from planner.models import AuditEvent, Baseline, Run, Scenario
from simulations.scenario.spec import parse
from tests.planner.api.test_openapi import answer_schema

ADDRESS = "/api/v1/baselines"


def pin(client: APIClient, scenario: Scenario, **more: object) -> dict[str, object]:
    answer = client.post(ADDRESS, {"scenario": scenario.pk, **more}, format="json")
    assert answer.status_code == 201, answer.content
    body: dict[str, object] = answer.json()
    return body


def test_a_version_is_pinned_for_its_application(client: APIClient, finished: Run, scenario: Scenario) -> None:
    made = pin(client, scenario)
    assert (made["application"], made["version"], made["run"]) == ("Surge backlog", 1, finished.pk)
    shown = client.get(ADDRESS).json()
    jsonschema.validate(shown, answer_schema("baselines"))
    assert shown["items"] == [made]
    assert client.get(f"{ADDRESS}/{made['id']}").json() == made


def test_the_next_one_takes_its_place_and_the_same_one_changes_nothing(
    client: APIClient, owner: User, scenario: Scenario
) -> None:
    first = pin(client, scenario)
    services.scenario_replace(scenario=scenario, author=owner, spec=parse({**scenario.version.spec, "name": "New"}))
    assert pin(client, scenario, version=1)["id"] == pin(client, scenario, version=1)["id"]
    second = pin(client, scenario, version=2, application="New")
    assert second["version"] == 2
    pinned = {item["application"]: item["id"] for item in client.get(ADDRESS).json()["items"]}
    assert pinned == {"Surge backlog": first["id"], "New": second["id"]}


def test_an_application_is_a_tag_of_the_scenario(client: APIClient, owner: User, scenario: Scenario) -> None:
    other = services.scenario_store(owner=owner, spec=services.scenario_copied(scenario=scenario))
    for made in (scenario, other):
        services.scenario_tag(scenario=made, actor=owner, tags=["payments", "prod"])
    assert pin(client, scenario)["application"] == "Surge backlog"
    assert pin(client, scenario, application="payments")["application"] == "payments"
    second = pin(client, other, application="payments")
    assert [item["id"] for item in client.get(f"{ADDRESS}?application=payments").json()["items"]] == [second["id"]]
    refused = client.post(ADDRESS, {"scenario": scenario.pk, "application": "orders"}, format="json")
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "/application")


def test_unpinning_leaves_none_and_is_noted_once(client: APIClient, scenario: Scenario) -> None:
    address = f"{ADDRESS}/{pin(client, scenario)['id']}"
    assert [client.delete(address).status_code for _ in range(2)] == [204, 204]
    assert client.get(ADDRESS).json()["items"] == []
    assert Baseline.objects.get().unpinned_at is not None
    assert AuditEvent.objects.filter(action="baseline.unpin").count() == 1


@pytest.mark.parametrize("method", ["get", "delete"])
def test_a_baseline_is_its_owners(
    client: APIClient, other: APIClient, nobody: APIClient, scenario: Scenario, method: str
) -> None:
    address = f"{ADDRESS}/{pin(client, scenario)['id']}"
    assert [getattr(one, method)(address).status_code for one in (other, nobody)] == [404, 401]
    assert other.post(ADDRESS, {"scenario": scenario.pk}, format="json").status_code == 404
    assert other.get(ADDRESS).json()["items"] == []
    assert client.put(address).status_code == 405
    assert Baseline.objects.filter(unpinned_at=None).count() == 1


def test_pinning_needs_the_scope_write(token_client: object, owner: User, scenario: Scenario) -> None:
    reader = token_client(owner, "read", "run")  # type: ignore[operator]
    assert reader.get(ADDRESS).status_code == 200
    assert reader.post(ADDRESS, {"scenario": scenario.pk}, format="json").status_code == 403


def test_a_scenarios_own_baseline_comes_before_that_of_its_tags(owner: User, scenario: Scenario) -> None:
    other = services.scenario_store(owner=owner, spec=services.scenario_copied(scenario=scenario))
    for made in (scenario, other):
        services.scenario_tag(scenario=made, actor=owner, tags=["payments"])
        made.refresh_from_db()
    assert selectors.baseline_of(user=owner, scenario=scenario) is None
    shared = services.baseline_pin(owner=owner, version=other.version, application="payments")
    assert selectors.baseline_of(user=owner, scenario=scenario) == shared
    own = services.baseline_pin(owner=owner, version=scenario.version)
    services.scenario_replace(scenario=scenario, author=owner, spec=parse({**scenario.version.spec, "name": "Renamed"}))
    scenario.refresh_from_db()
    assert selectors.baseline_of(user=owner, scenario=scenario) == own
    assert selectors.baseline_of(user=owner, scenario=other) == shared
