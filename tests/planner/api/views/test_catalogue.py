"""Platforms, presets, formula answers and the live panel."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from simulations.platforms import PLATFORMS


def test_every_family_is_listed_with_its_settings(client: APIClient) -> None:
    listed = client.get("/api/v1/platforms").json()["items"]
    assert [item["name"] for item in listed] == list(PLATFORMS)
    for item in listed:
        settings = client.get(f"/api/v1/platforms/{item['name']}/settings").json()
        assert all(row["meaning"] and row["source"] for row in settings["server"] + settings["queue"])
    assert client.get("/api/v1/platforms/unknown/settings").status_code == 404


def test_a_listener_port_is_sized_without_a_scenario(client: APIClient) -> None:
    asked = {"platform": "was-zos", "cpus": 2, "servants_max": 3, "profile": "IOBOUND", "backlog": 32}
    found = client.post("/api/v1/derive", asked, format="json").json()
    expected = {"threads_per_servant": 6, "worker_threads": 18, "max_sessions": 100, "low_threshold": 50}
    assert {name: found[name] for name in expected} == expected
    assert {rule["status"] for rule in found["rules"]} == {"ok"}


@pytest.mark.parametrize(
    ("asked", "threads"),
    [
        ({"cpus": 1}, 5),
        ({"cpus": 16}, 30),
        ({"cpus": 2, "profile": "CPUBOUND"}, 3),
        ({"cpus": 2, "profile": "LONGWAIT"}, 40),
        ({"cpus": 2, "profile": "ISOLATE"}, 1),
    ],
)
def test_the_profile_decides_the_threads(client: APIClient, asked: dict[str, Any], threads: int) -> None:
    found = client.post("/api/v1/derive", {"platform": "was-zos", **asked}, format="json").json()
    assert found["threads_per_servant"] == threads


def test_an_unknown_profile_is_pointed_at(client: APIClient) -> None:
    answer = client.post("/api/v1/derive", {"platform": "was-zos", "cpus": 2, "profile": "FAST"}, format="json")
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/profile")


def test_an_unknown_platform_is_pointed_at(client: APIClient) -> None:
    answer = client.post("/api/v1/derive", {"platform": "was-zoz"}, format="json")
    assert answer.json()["errors"][0]["pointer"] == "/platform"
    assert "'was-zos'" in answer.json()["errors"][0]["message"]


def test_a_scenario_is_derived(client: APIClient, body: dict[str, Any]) -> None:
    found = client.post("/api/v1/derive", body, format="json").json()
    values = {item["name"]: item["value"] for item in found["values"]}
    assert (values["worker_threads"], values["low_threshold"]) == (18, 18)


def test_the_live_panel_answers_with_the_real_engine(client: APIClient, body: dict[str, Any]) -> None:
    body["run"] = {"horizon": {"messages": 1_000_000}}
    asked = {"scenario": body, "events": 200_000, "sequence": 7}
    answer = client.post("/api/v1/quick-runs", asked, format="json")
    found = answer.json()
    assert answer.status_code == 200, found
    assert (found["sequence"], found["shortened"], found["cycles"]) == (7, True, None)
    assert 150_000 < found["point"]["events"] < 250_000
    p95 = found["point"]["metrics"]["latency.p95"]
    assert p95["ci95"][0] < 0.7017 < p95["ci95"][1]  # M/M/18 at 81/s: Erlang C
    assert "simulate;dur=" in answer["Server-Timing"]
    assert len(found["timeline"]["orders"]["time"]) > 10


def test_the_live_panel_is_the_same_for_the_same_question(client: APIClient, body: dict[str, Any]) -> None:
    answers = [client.post("/api/v1/quick-runs", {"scenario": body}, format="json").json() for _ in range(2)]
    assert answers[0]["point"] == answers[1]["point"]


def test_a_surge_beyond_the_budget_is_told_to_be_a_run(client: APIClient, body: dict[str, Any]) -> None:
    body["queues"][0]["arrivals"] = {"kind": "surge", "count": 1_000_000}
    body["run"] = {"horizon": {"until": "drained"}}
    answer = client.post("/api/v1/quick-runs", {"scenario": body}, format="json")
    assert answer.json()["errors"][0]["pointer"] == "/run/horizon"
    body["queues"][0]["arrivals"]["count"] = 1000
    fine = client.post("/api/v1/quick-runs", {"scenario": body}, format="json").json()
    assert fine["point"]["replications"] == 10


def test_presets_can_be_stored_as_they_are(client: APIClient) -> None:
    items = client.get("/api/v1/presets").json()["items"]
    assert len(items) >= 5
    for item in items:
        assert client.post("/api/v1/scenarios", item["scenario"], format="json").status_code == 201
