"""Scenarios over the API: bodies, versions, revisions, lists."""

import json
from typing import Any

import pytest
from rest_framework.test import APIClient

from planner.models import Scenario, ScenarioVersion


def test_a_body_is_stored_normalised(client: APIClient, body: dict[str, Any]) -> None:
    made = client.post("/api/v1/scenarios", body, format="json")
    assert made.status_code == 201
    shown = client.get(made["Location"])
    assert shown.json() == made.json()
    assert shown.json()["spec"]["queues"][0]["service"]["mean"] == 0.2
    assert (shown.json()["version"], shown["ETag"]) == (1, '"1"')


def test_what_is_answered_can_be_sent_back(client: APIClient, scenario: Scenario) -> None:
    shown = client.get(f"/api/v1/scenarios/{scenario.pk}").json()
    again = client.post("/api/v1/scenarios", shown["spec"], format="json").json()
    assert again["spec"] == shown["spec"]
    assert again["content_hash"] == shown["content_hash"]


def test_an_envelope_carries_tags_and_note(client: APIClient, body: dict[str, Any]) -> None:
    made = client.post("/api/v1/scenarios", {"spec": body, "tags": ["b", "a", "a"], "note": "first"}, format="json")
    assert made.json()["tags"] == ["a", "b"]
    versions = client.get(f"{made['Location']}/versions").json()["items"]
    assert [(item["number"], item["note"], item["author"]) for item in versions] == [(1, "first", "ada")]


def test_a_patch_makes_a_version_and_a_diff_shows_only_what_differs(client: APIClient, scenario: Scenario) -> None:
    patch = {"spec": {"run": {"seed": 7}, "name": "Renamed"}, "note": "other numbers"}
    changed = client.patch(
        f"/api/v1/scenarios/{scenario.pk}", json.dumps(patch), content_type="application/merge-patch+json"
    )
    assert changed.status_code == 200
    assert (changed.json()["version"], changed.json()["name"]) == (2, "Renamed")
    diff = client.get(f"/api/v1/scenarios/{scenario.pk}/diff").json()
    assert diff["differences"] == [
        {"path": "name", "before": "Surge backlog", "after": "Renamed"},
        {"path": "run.seed", "before": 42, "after": 7},
    ]
    assert ScenarioVersion.objects.get(scenario=scenario, number=1).spec["run"]["seed"] == 42


def test_a_patch_without_effect_makes_no_version(client: APIClient, scenario: Scenario) -> None:
    same = client.patch(f"/api/v1/scenarios/{scenario.pk}", {"spec": {"run": {"seed": 42}}}, format="json")
    assert (same.json()["version"], same.json()["revision"]) == (1, 1)


def test_a_stale_writer_is_told_so(client: APIClient, scenario: Scenario) -> None:
    address = f"/api/v1/scenarios/{scenario.pk}"
    etag = client.get(address)["ETag"]
    first = client.patch(address, {"spec": {"run": {"seed": 1}}}, format="json", HTTP_IF_MATCH=etag)
    second = client.patch(address, {"spec": {"run": {"seed": 2}}}, format="json", HTTP_IF_MATCH=etag)
    assert (first.status_code, second.status_code) == (200, 412)
    assert client.delete(address, HTTP_IF_MATCH=etag).status_code == 412
    assert client.get(address).json()["spec"]["run"]["seed"] == 1


def test_a_patch_is_done_whole_or_not_at_all(client: APIClient, scenario: Scenario) -> None:
    patch = {"spec": {"run": {"seed": 7}}, "tags": ["x" * 41]}
    assert client.patch(f"/api/v1/scenarios/{scenario.pk}", patch, format="json").status_code == 422
    scenario.refresh_from_db()
    assert (scenario.revision, scenario.version.number) == (1, 1)


def test_an_unchanged_scenario_is_not_sent_again(client: APIClient, scenario: Scenario) -> None:
    address = f"/api/v1/scenarios/{scenario.pk}"
    etag = client.get(address)["ETag"]
    assert client.get(address, HTTP_IF_NONE_MATCH=etag).status_code == 304


@pytest.mark.parametrize("header", ['W/"1"', '"0", "1"', "*"])
def test_every_way_to_say_what_one_has_is_understood(client: APIClient, scenario: Scenario, header: str) -> None:
    same = client.get(f"/api/v1/scenarios/{scenario.pk}", HTTP_IF_NONE_MATCH=header)
    assert same.status_code == 304


def test_a_compressed_answer_need_not_be_sent_again(client: APIClient, scenario: Scenario) -> None:
    address = f"/api/v1/scenarios/{scenario.pk}"
    first = client.get(address, HTTP_ACCEPT_ENCODING="gzip")
    assert (first["Content-Encoding"], first["ETag"]) == ("gzip", 'W/"1"')
    again = client.get(address, HTTP_ACCEPT_ENCODING="gzip", HTTP_IF_NONE_MATCH=first["ETag"])
    assert again.status_code == 304


def test_deleting_archives_and_can_be_undone(client: APIClient, scenario: Scenario) -> None:
    address = f"/api/v1/scenarios/{scenario.pk}"
    assert client.delete(address).status_code == 204
    assert client.get("/api/v1/scenarios").json()["items"] == []
    assert len(client.get("/api/v1/scenarios?archived=true").json()["items"]) == 1
    assert client.patch(address, {"archived": False}, format="json").json()["archived"] is False


def test_a_copy_is_a_scenario_of_its_own(client: APIClient, scenario: Scenario) -> None:
    made = client.post(f"/api/v1/scenarios/{scenario.pk}/copy", {"name": "What if"}, format="json")
    assert (made.status_code, made.json()["name"], made.json()["version"]) == (201, "What if", 1)
    assert made.json()["id"] != scenario.pk


def test_pages_follow_each_other_without_gaps(client: APIClient, body: dict[str, Any]) -> None:
    for number in range(5):
        client.post("/api/v1/scenarios", {**body, "name": f"S{number}"}, format="json")
    seen: list[str] = []
    address = "/api/v1/scenarios?limit=2&sort=name"
    while address:
        answer = client.get(address)
        seen += [item["name"] for item in answer.json()["items"]]
        address = answer.json()["next"]
        assert ("Link" in answer) == bool(address)
        client.post("/api/v1/scenarios", {**body, "name": "A new one in between"}, format="json")
    assert seen == ["S0", "S1", "S2", "S3", "S4"]


def test_lists_sort_by_time_and_filter(client: APIClient, body: dict[str, Any]) -> None:
    for name in ("Alpha", "Beta"):
        client.post("/api/v1/scenarios", {**body, "name": name}, format="json")
    newest = client.get("/api/v1/scenarios?limit=1")
    assert newest.json()["items"][0]["name"] == "Beta"
    assert client.get(newest.json()["next"]).json()["items"][0]["name"] == "Alpha"
    assert [item["name"] for item in client.get("/api/v1/scenarios?search=alp").json()["items"]] == ["Alpha"]
    assert client.get("/api/v1/scenarios?platform=openmq").json()["items"] == []


def test_a_team_that_one_is_not_in_is_no_filter(client: APIClient) -> None:
    answer = client.get("/api/v1/scenarios?team=team_elsewhere")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["message"] == "is no team of yours; GET /teams lists them"


def test_nothing_of_a_scenario_can_be_taken_away(client: APIClient, scenario: Scenario) -> None:
    nothing = {"spec": None, "tags": None, "archived": None, "note": None, "name": "x"}
    errors = client.patch(f"/api/v1/scenarios/{scenario.pk}", nothing, format="json").json()["errors"]
    assert {item["pointer"] for item in errors} == {"/spec", "/tags", "/archived", "/note", "/name"}
    assert not any("None" in item["message"] for item in errors)
    assert "known here: archived, note, spec, tags" in str(errors)


def test_an_empty_tag_is_none(client: APIClient, scenario: Scenario) -> None:
    errors = client.patch(f"/api/v1/scenarios/{scenario.pk}", {"tags": ["a", " "]}, format="json").json()["errors"]
    assert [item["pointer"] for item in errors] == ["/tags/1"]
