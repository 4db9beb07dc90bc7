"""What a token, a share link and a body may not do, and what an answer says that was given before."""

import pytest
from django.contrib.auth.models import User
from django.core.cache import caches
from django.test import Client
from rest_framework.test import APIClient

from frontend.reports import views
from planner import services
from planner.models import Run, Scenario
from tests.planner.api.conftest import TokenClient
from tests.planner.computing import compute


def test_a_token_makes_none_that_may_more(owner: User, token_client: TokenClient) -> None:
    client = token_client(owner, "admin", "read")
    asked = {"name": "more", "scopes": ["read", "run"]}
    problem = client.post("/api/v1/tokens", asked, format="json").json()["errors"][0]
    assert problem["pointer"] == "/scopes/1"
    assert "name some of admin, read" in problem["message"]
    assert client.post("/api/v1/tokens", {"name": "less", "scopes": ["read"]}, format="json").status_code == 201


def test_a_number_is_neither_true_nor_false(client: APIClient, scenario: Scenario) -> None:
    for value in (0, 1, "true"):
        answer = client.post(f"/api/v1/scenarios/{scenario.pk}/runs", {"force": value}, format="json")
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/force")


def test_a_repeated_answer_is_marked(client: APIClient, scenario: Scenario) -> None:
    address, key = f"/api/v1/scenarios/{scenario.pk}/runs", {"Idempotency-Key": "k1"}
    first, again = (client.post(address, {}, format="json", headers=key) for _ in range(2))
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json() == first.json()


def test_a_queued_run_says_its_work_and_its_place(client: APIClient, scenario: Scenario) -> None:
    run = client.post(f"/api/v1/scenarios/{scenario.pk}/runs", {}, format="json").json()
    (share,) = run["place"].pop("shares")
    assert run["place"] == {"ahead": 0, "starts_in_s": 0.0}
    assert (share["kind"], share["runs"], share["cpu_s"]) == ("person", 1, run["work"]["cpu_s"])
    assert run["work"]["messages"] > 0
    cancelled = client.post(f"/api/v1/runs/{run['id']}/cancel").json()
    assert cancelled["place"] is None


@pytest.mark.django_db(transaction=True)
def test_share_links_are_listed_ended_and_kept_out_of_caches(
    client: APIClient, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = services.report_create(run=compute(run), owner=run.owner)
    address = f"/api/v1/reports/{report.pk}/share-links"
    made = client.post(address, {"days": 3}, format="json").json()
    assert [item["id"] for item in client.get(address).json()["items"]] == [made["id"]]
    assert "address" not in client.get(address).json()["items"][0]
    shared = made["address"].partition("testserver")[2]
    file = Client().get(f"{shared}file.html")
    assert (file.headers["Cache-Control"], file.headers["X-Robots-Tag"]) == ("no-store, private", "noindex, nofollow")
    assert client.delete(f"/api/v1/share-links/{made['id']}").status_code == 204
    assert client.get(address).json()["items"] == []
    caches["default"].clear()
    monkeypatch.setattr(views, "SHARE_WINDOW", 10 * 365 * 86_400)  # no minute ends between the first and the last
    asked = [Client().get(f"{shared}file.html") for _ in range(65)]
    assert (asked[0].status_code, asked[-1].status_code) == (404, 429)
    assert asked[-1].headers["Retry-After"] == str(views.SHARE_WINDOW)
    assert f"from your address; ask again in {views.SHARE_WINDOW} s." in asked[-1].content.decode()
