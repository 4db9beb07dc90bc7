"""The same four questions at every address: works, stranger may not, nobody may not, wrong method refused."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from planner.models import ApiToken, Run, Scenario

PUBLIC = ["openapi.json", "health/live", "version"]
LISTS = ["platforms", "presets", "servers", "queues", "scenarios", "runs", "reports", "tokens"]
OF_SCENARIO = ["", "/versions", "/versions/1", "/diff", "/runs"]
OF_RUN = ["", "/results", "/results.json", "/results.csv", "/series/backlog", "/explanation", "/findings", "/checks"]


@pytest.mark.parametrize("path", PUBLIC)
def test_everybody_may_read_public_addresses(nobody: APIClient, db: None, path: str) -> None:
    assert nobody.get(f"/api/v1/{path}").status_code == 200


@pytest.mark.parametrize("path", [*LISTS, "platforms/was-zos/settings"])
def test_lists_need_a_token(client: APIClient, nobody: APIClient, path: str) -> None:
    assert client.get(f"/api/v1/{path}").status_code == 200
    refused = nobody.get(f"/api/v1/{path}")
    assert (refused.status_code, refused["WWW-Authenticate"]) == (401, 'Bearer realm="sluice"')
    assert refused["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("path", LISTS)
def test_wrong_methods_are_refused(client: APIClient, path: str) -> None:
    refused = client.put(f"/api/v1/{path}", {}, format="json")
    assert (refused.status_code, refused.json()["status"]) == (405, 405)
    assert "GET" in refused["Allow"]


@pytest.mark.parametrize("path", OF_SCENARIO)
def test_a_scenario_is_its_owners(
    client: APIClient, other: APIClient, nobody: APIClient, scenario: Scenario, path: str
) -> None:
    address = f"/api/v1/scenarios/{scenario.pk}{path}"
    statuses = [one.get(address).status_code for one in (client, other, nobody)]
    assert statuses == [200, 404, 401]


@pytest.mark.parametrize("path", OF_RUN)
def test_a_run_is_its_owners(client: APIClient, other: APIClient, nobody: APIClient, finished: Run, path: str) -> None:
    address = f"/api/v1/runs/{finished.pk}{path}"
    statuses = [one.get(address).status_code for one in (client, other, nobody)]
    assert statuses == [200, 404, 401]


def test_strangers_change_nothing(other: APIClient, scenario: Scenario, run: Run) -> None:
    answers = [
        other.patch(f"/api/v1/scenarios/{scenario.pk}", {"tags": ["x"]}, format="json"),
        other.delete(f"/api/v1/scenarios/{scenario.pk}"),
        other.post(f"/api/v1/scenarios/{scenario.pk}/runs", {}, format="json"),
        other.post(f"/api/v1/scenarios/{scenario.pk}/copy", {}, format="json"),
        other.post(f"/api/v1/runs/{run.pk}/cancel"),
        other.post(f"/api/v1/runs/{run.pk}/retry"),
        other.post(f"/api/v1/runs/{run.pk}/pause"),
        other.post(f"/api/v1/runs/{run.pk}/resume"),
    ]
    assert {answer.status_code for answer in answers} == {404}
    run.refresh_from_db()
    scenario.refresh_from_db()
    assert (run.status, scenario.tags, scenario.archived_at) == ("queued", [], None)


def test_a_scope_that_is_missing_is_forbidden(
    owner: User, scenario: Scenario, token_client: Callable[..., APIClient]
) -> None:
    reader = token_client(owner, "read")
    assert reader.get("/api/v1/scenarios").status_code == 200
    assert reader.post("/api/v1/scenarios", {}, format="json").status_code == 403
    assert reader.post(f"/api/v1/scenarios/{scenario.pk}/runs", {}, format="json").status_code == 403
    refused = reader.get("/api/v1/tokens")
    assert refused.status_code == 403
    assert "lacks the scope 'admin'" in refused.json()["detail"]


def test_a_session_needs_a_csrf_token_to_change_things(owner: User) -> None:
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(owner)
    assert browser.get("/api/v1/scenarios").status_code == 200
    assert browser.post("/api/v1/derive", {}, format="json").status_code == 403


@pytest.mark.parametrize(
    "change",
    [{"expires_at": timezone.now() - timedelta(1)}, {"revoked_at": timezone.now()}],
    ids=["expired", "revoked"],
)
def test_dead_tokens_do_not_work(client: APIClient, owner: User, change: dict[str, object]) -> None:
    ApiToken.objects.update(**change)
    assert client.get("/api/v1/scenarios").status_code == 401


def test_tokens_of_people_who_left_do_not_work(client: APIClient, owner: User) -> None:
    owner.is_active = False
    owner.save()
    assert client.get("/api/v1/scenarios").status_code == 401


def test_a_token_is_shown_once_and_stored_as_a_hash(client: APIClient, owner: User) -> None:
    made = client.post("/api/v1/tokens", {"name": "ci", "scopes": ["read"]}, format="json")
    assert made.status_code == 201
    secret = made.json()["secret"]
    stored = ApiToken.objects.get(name="ci")
    assert secret not in (stored.digest, stored.prefix)
    assert secret not in client.get("/api/v1/tokens").content.decode()
    fresh = APIClient()
    fresh.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    assert fresh.get("/api/v1/runs").status_code == 200
    assert client.delete(f"/api/v1/tokens/{stored.pk}").status_code == 204
    assert fresh.get("/api/v1/runs").status_code == 401


def test_an_expiry_that_no_calendar_has_is_named(client: APIClient) -> None:
    wrong = {"name": "ci", "scopes": ["read"], "expires_at": "9999-12-31T23:59:59-23:59"}
    answer = client.post("/api/v1/tokens", wrong, format="json")
    assert [item["pointer"] for item in answer.json()["errors"]] == ["/expires_at"]


def test_unknown_scopes_and_past_expiry_are_named_together(client: APIClient) -> None:
    wrong = {"name": "ci", "scopes": ["reed"], "expires_at": "2020-01-01T00:00:00Z"}
    answer = client.post("/api/v1/tokens", wrong, format="json")
    assert answer.status_code == 422
    assert {item["pointer"] for item in answer.json()["errors"]} == {"/scopes/0", "/expires_at"}


def test_unknown_addresses_are_problems_too(client: APIClient, nobody: APIClient) -> None:
    assert client.get("/api/v1/nothing").json()["status"] == 404
    assert nobody.get("/api/v1/nothing", format="json").status_code == 401


def test_every_answer_carries_a_request_id_and_the_limits(client: APIClient) -> None:
    answer = client.get("/api/v1/platforms", HTTP_X_REQUEST_ID="abc-1")
    assert answer["X-Request-ID"] == "abc-1"
    assert int(answer["RateLimit-Remaining"]) < int(answer["RateLimit-Limit"])
