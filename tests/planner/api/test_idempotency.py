"""The same creating request again, under the same key, changes nothing."""

from typing import Any

from rest_framework.test import APIClient

from planner.models import Run, Scenario


def test_the_same_key_and_body_get_the_same_answer(client: APIClient, body: dict[str, Any]) -> None:
    first = client.post("/api/v1/scenarios", body, format="json", HTTP_IDEMPOTENCY_KEY="k1")
    second = client.post("/api/v1/scenarios", body, format="json", HTTP_IDEMPOTENCY_KEY="k1")
    assert (second.status_code, second.json()) == (201, first.json())
    assert (second["Location"], second["ETag"]) == (first["Location"], first["ETag"])
    assert Scenario.objects.count() == 1


def test_the_same_key_for_another_request_is_refused(client: APIClient, body: dict[str, Any]) -> None:
    client.post("/api/v1/scenarios", body, format="json", HTTP_IDEMPOTENCY_KEY="k1")
    answers = [
        client.post("/api/v1/scenarios", {**body, "name": "Other"}, format="json", HTTP_IDEMPOTENCY_KEY="k1"),
        client.post("/api/v1/servers", body, format="json", HTTP_IDEMPOTENCY_KEY="k1"),
    ]
    assert [answer.status_code for answer in answers] == [422, 422]
    assert Scenario.objects.count() == 1


def test_keys_belong_to_their_caller(client: APIClient, other: APIClient, body: dict[str, Any]) -> None:
    for one in (client, other):
        one.post("/api/v1/scenarios", body, format="json", HTTP_IDEMPOTENCY_KEY="k1")
    assert Scenario.objects.count() == 2


def test_a_refused_request_leaves_its_key_free(client: APIClient, body: dict[str, Any]) -> None:
    wrong = client.post("/api/v1/scenarios", {**body, "name": ""}, format="json", HTTP_IDEMPOTENCY_KEY="k1")
    right = client.post("/api/v1/scenarios", body, format="json", HTTP_IDEMPOTENCY_KEY="k1")
    assert (wrong.status_code, right.status_code) == (422, 201)


def test_a_run_is_started_once(client: APIClient, scenario: Scenario) -> None:
    address = f"/api/v1/scenarios/{scenario.pk}/runs"
    ids = {
        client.post(address, {"force": True}, format="json", HTTP_IDEMPOTENCY_KEY="k1").json()["id"] for _ in range(3)
    }
    assert len(ids) == Run.objects.count() == 1


def test_a_key_that_is_too_long_is_named(client: APIClient, body: dict[str, Any]) -> None:
    answer = client.post("/api/v1/scenarios", body, format="json", HTTP_IDEMPOTENCY_KEY="k" * 256)
    assert answer.json()["errors"][0]["pointer"] == "/Idempotency-Key"
