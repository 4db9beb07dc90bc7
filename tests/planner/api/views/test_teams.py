"""Teams by API: a day from making one to leaving it."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from planner import services
from planner.models import Scenario

pytestmark = pytest.mark.django_db


def caller(user: User) -> Any:
    """Call the API as somebody who is signed in."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")

    def call(method: str, path: str, body: Any = None) -> Any:
        sent = {} if body is None else {"data": body, "content_type": "application/json"}
        return getattr(client, method)(f"/api/v1/{path}", **sent)

    return call


def test_a_team_is_made_filled_and_left(owner: User, stranger: User, scenario: Scenario) -> None:
    ada, eve = caller(owner), caller(stranger)
    made = ada("post", "teams", {"name": "Payments"})
    team = made.json()
    assert (made.status_code, team["role"], made["Location"]) == (201, "admin", f"/api/v1/teams/{team['id']}")
    members = f"teams/{team['id']}/members"
    assert eve("get", members).status_code == 404
    assert ada("post", members, {"name": "eve", "role": "boss"}).status_code == 422
    assert ada("post", members, {"name": "eve", "role": "viewer"}).json() == {"name": "eve", "role": "viewer"}
    assert eve("post", members, {"name": "eve", "role": "admin"}).status_code == 403
    handed = ada("post", "hand-overs", {"thing": scenario.pk, "team": team["id"]})
    assert handed.status_code == 204
    assert [row["id"] for row in eve("get", f"scenarios?team={team['id']}").json()["items"]] == [scenario.pk]
    assert eve("patch", f"scenarios/{scenario.pk}", {"tags": ["x"]}).status_code == 403
    copy = eve("post", f"scenarios/{scenario.pk}/copy", {})
    assert (copy.status_code, copy.json()["owner"], copy.json()["team"]) == (201, "eve", None)
    assert eve("delete", f"{members}/eve").status_code == 204
    assert eve("get", f"scenarios/{scenario.pk}").status_code == 404
    assert ada("delete", f"{members}/ada").status_code == 409


def test_somebody_is_invited_and_joins(owner: User, stranger: User) -> None:
    ada, eve = caller(owner), caller(stranger)
    team = services.team_create(actor=owner, name="Payments")
    path = f"teams/{team.pk}/invitations"
    assert eve("post", path, {"name": "eve", "role": "admin"}).status_code == 404
    assert ada("post", path, {"name": "eve", "role": "viewer", "days": 31}).status_code == 422
    made = ada("post", path, {"name": "eve", "role": "viewer"})
    unknown = ada("post", path, {"name": "nobody", "role": "viewer"})
    assert (made.status_code, made["Cache-Control"]) == (201, "no-store")
    assert (unknown.status_code, unknown.json().keys()) == (made.status_code, made.json().keys())
    assert [row["name"] for row in ada("get", path).json()["items"]] == ["nobody", "eve"]
    assert "address" not in ada("get", path).json()["items"][0]
    secret = made.json()["address"].rstrip("/").rpartition("/")[2]
    joined = eve("post", "memberships", {"secret": secret})
    assert (joined.status_code, joined["Location"]) == (201, f"/api/v1/teams/{team.pk}")
    assert joined.json()["role"] == "viewer"
    assert eve("post", "memberships", {"secret": secret}).status_code == 404
    assert eve("get", path).status_code == 403
    assert ada("delete", f"{path}/{unknown.json()['id']}").status_code == 204
    assert ada("get", path).json()["items"] == []


def test_the_trail_is_a_list_with_filters(owner: User, stranger: User) -> None:
    team = services.team_create(actor=owner, name="Payments")
    services.member_set(team=team, actor=owner, name="eve", role="approver")
    ada, eve = caller(owner), caller(stranger)
    events = ada("get", f"teams/{team.pk}/events?action=team.&person=ada").json()["items"]
    assert [(row["actor"], row["action"]) for row in events] == [("ada", "team.member"), ("ada", "team.create")]
    assert eve("get", f"teams/{team.pk}/events").status_code == 403
    assert [row["action"] for row in eve("get", "events").json()["items"]] == ["sign-in"]
    assert ada("get", "events?who=eve").status_code == 422
    assert ada("get", "events?since=2999-01-01").json()["items"] == []
    assert ada("get", "events?since=x").json()["errors"][0]["pointer"] == "/since"
