"""Experiments over the API: ask, wait, cancel, go on; what they found; what is wrong with a question."""

from typing import Any

import jsonschema
import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from planner import services
from planner.jobs.execute import run_compute
from planner.models import Run, Scenario
from planner.presets.files import presets
from simulations.pipeline.spark.executors import InlineExecutor
from simulations.scenario.spec import parse
from tests.planner.api.test_openapi import answer_schema, operation
from tests.scenarios import FEWEST_SESSIONS, SESSIONS

# The heartbeat sees the run through a connection of its own, so that the run must be committed.
pytestmark = pytest.mark.django_db(transaction=True)
ADDRESS = "/api/v1/experiments"


def ask(client: APIClient, scenario: Scenario, question: dict[str, Any] | None = None) -> dict[str, Any]:
    answer = client.post(ADDRESS, {"scenario": scenario.pk, **(question or FEWEST_SESSIONS)}, format="json")
    assert answer.status_code == 202, answer.content
    found: dict[str, Any] = answer.json()
    assert answer["Location"] == f"{ADDRESS}/{found['id']}"
    assert answer["Retry-After"] == "1"
    return found


def computed(client: APIClient, asked: dict[str, Any]) -> dict[str, Any]:
    run_compute(run_id=asked["id"], worker="w1", executor_of=lambda _: InlineExecutor(2))
    found: dict[str, Any] = client.get(f"{ADDRESS}/{asked['id']}?wait=5s").json()
    assert found["status"] == "succeeded", found["error"]
    return found


def preset(owner: User, key: str, **changes: Any) -> Scenario:
    """A worked question, with shorter runs and other arrivals where they are given."""
    body = next(item.spec for item in presets() if item.key == key).body()
    body["run"] |= changes.pop("run", {})
    for queue in body["queues"]:
        queue |= changes
    return services.scenario_store(owner=owner, spec=parse(body))


def test_an_experiment_is_queued_and_answers_in_the_end(client: APIClient, scenario: Scenario) -> None:
    asked = ask(client, scenario)
    assert (asked["type"], asked["status"], asked["cached"], asked["outcome"]) == ("optimize", "queued", False, {})
    found = computed(client, asked)
    assert found["outcome"]["recommended"]["overrides"] == {SESSIONS: 36}
    assert found["outcome"]["probability"] >= 0.95
    assert found["outcome"]["runner_up"]["why_not"].startswith(
        "It meets every objective, but takes Maximum sessions 50"
    )
    again = ask(client, scenario)
    assert (again["id"], again["cached"]) == (asked["id"], True)
    cells = client.get(f"{ADDRESS}/{asked['id']}/cells").json()["items"]
    first = client.get(f"{ADDRESS}/{asked['id']}/cells?limit=1").json()
    assert first["items"] == cells[:1]
    assert client.get(first["next"]).json()["items"] == cells[1:2]
    assert {cell["overrides"][SESSIONS]: cell["verdict"] for cell in cells} == {18: "unstable", 36: "met", 50: "met"}


def test_bodies_are_as_described(client: APIClient, scenario: Scenario) -> None:
    asked = ask(client, scenario)
    found = computed(client, asked)
    jsonschema.validate(asked, answer_schema("experiments", "post", "202"))
    jsonschema.validate(found, answer_schema("experiments/{experiment_id}"))
    jsonschema.validate(client.get(ADDRESS).json(), answer_schema("experiments"))
    for part in ("cells", "recommendation"):
        body = client.get(f"{ADDRESS}/{asked['id']}/{part}").json()
        jsonschema.validate(body, answer_schema(f"experiments/{{experiment_id}}/{part}"))


def test_examples_work(client: APIClient, scenario: Scenario) -> None:
    examples = operation("experiments", "post")["requestBody"]["content"]["application/json"]["examples"]
    knobs = {"threads": {"knobs": {"max_sessions": [18, 36]}}}
    for example in examples.values():
        body = {**example["value"], "scenario": scenario.pk}
        body |= knobs["threads"] if "minimize" in body else {}
        assert client.post(ADDRESS, body, format="json").status_code == 202, body


def test_order_costs_concurrency(client: APIClient, owner: User) -> None:
    # J5: only one session keeps the order.
    short = {"horizon": {"messages": 4000}, "replications": {"min": 3, "max": 3}}
    bound = {"kpi": "order.overtaken_fraction", "op": "==", "value": 0}
    question = {"type": "optimize", "subject_to": [bound]}
    found = computed(client, ask(client, preset(owner, "order", run=short), question))
    assert found["outcome"]["recommended"]["overrides"] == {"queues.postings.settings.maximum_sessions": 1}
    assert found["outcome"]["probability"] == 1.0


def test_order_is_infeasible_above_the_ceiling_and_says_so(client: APIClient, owner: User) -> None:
    # J5: one thread of 50 ms carries 20 messages per second.
    short = {"horizon": {"messages": 4000}, "replications": {"min": 3, "max": 3}}
    scenario = preset(owner, "order", run=short, arrivals={"kind": "poisson", "rate": "25/s"})
    bound = {"kpi": "order.overtaken_fraction", "op": "==", "value": 0}
    asked = ask(client, scenario, {"type": "optimize", "subject_to": [bound]})
    computed(client, asked)
    found = client.get(f"{ADDRESS}/{asked['id']}/recommendation").json()
    assert (found["status"], found["recommended"]) == ("infeasible", None)
    assert "20/s is the ceiling" in found["reason"]
    assert "25/s arrive" in found["reason"]


def test_a_sweep_answers_with_paired_differences(client: APIClient, scenario: Scenario) -> None:
    question = {"type": "sweep", "knobs": {"max_sessions": [36, 50]}, "crn": True, "kpis": ["latency.p95"]}
    found = computed(client, ask(client, scenario, question))["outcome"]
    assert found["baseline"] == {SESSIONS: 36}
    (other,) = found["paired_vs_baseline"]
    low, high = other["differences"]["latency.p95"]["ci95"]
    assert low <= other["differences"]["latency.p95"]["value"] <= high


def test_headroom_and_sensitivity_answer_in_rates_and_inputs(client: APIClient, scenario: Scenario) -> None:
    limit = {"metric": "latency.p95", "at_most": "2s"}
    headroom = computed(client, ask(client, scenario, {"type": "headroom", "subject_to": [limit], "most": 2.0}))
    assert headroom["outcome"]["today"] == 81
    assert headroom["outcome"]["rate"]["low"] <= headroom["outcome"]["rate"]["carried"] < 95
    inputs = {"queues.orders.service.mean": 0.1, "max_sessions": [30, 40]}
    sensitivity = computed(client, ask(client, scenario, {"type": "sensitivity", "inputs": inputs}))
    assert {effect["input"] for effect in sensitivity["outcome"]["effects"]} == {"queues.orders.service.mean", SESSIONS}


def test_cancelling_is_kept_and_going_on_is_possible(client: APIClient, scenario: Scenario) -> None:
    asked = ask(client, scenario)
    assert client.post(f"{ADDRESS}/{asked['id']}/cancel").json()["status"] == "cancelled"
    assert client.post(f"{ADDRESS}/{asked['id']}/cancel").status_code == 202
    assert client.post(f"{ADDRESS}/{asked['id']}/retry").json()["status"] == "queued"
    assert client.post(f"{ADDRESS}/{asked['id']}/retry").status_code == 409


def test_a_paused_experiment_goes_on(client: APIClient, scenario: Scenario) -> None:
    asked = ask(client, scenario)
    assert client.post(f"{ADDRESS}/{asked['id']}/pause").json()["status"] == "paused"
    assert client.get(f"{ADDRESS}?status=paused").json()["items"][0]["id"] == asked["id"]
    going_on = client.post(f"{ADDRESS}/{asked['id']}/resume")
    assert (going_on.status_code, going_on["Location"]) == (202, f"{ADDRESS}/{asked['id']}")
    assert going_on.json()["status"] == "queued"


def test_experiments_and_runs_are_listed_apart(client: APIClient, scenario: Scenario, run: Run) -> None:
    asked = ask(client, scenario)
    assert [item["id"] for item in client.get(ADDRESS).json()["items"]] == [asked["id"]]
    assert client.get(f"{ADDRESS}?type=headroom").json()["items"] == []
    assert [item["id"] for item in client.get("/api/v1/runs").json()["items"]] == [run.pk]
    assert client.get(f"{ADDRESS}/{run.pk}").status_code == 404
    assert client.get(f"{ADDRESS}?type=guess").status_code == 422


def test_strangers_see_nothing(other: APIClient, client: APIClient, scenario: Scenario, nobody: APIClient) -> None:
    asked = ask(client, scenario)
    for part in ("", "/cells", "/recommendation"):
        assert other.get(f"{ADDRESS}/{asked['id']}{part}").status_code == 404
        assert nobody.get(f"{ADDRESS}/{asked['id']}{part}").status_code == 401
    for action in ("cancel", "pause", "resume", "retry"):
        assert other.post(f"{ADDRESS}/{asked['id']}/{action}").status_code == 404
    assert other.post(ADDRESS, {"scenario": scenario.pk, **FEWEST_SESSIONS}, format="json").status_code == 404


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"type": "guess"}, "/type"),
        ({"minimize": ["money"]}, "/minimize/0"),
        ({"knobs": {"max_sessions": []}}, "/knobs/0/values"),
        ({"colour": 1}, "/colour"),
    ],
)
def test_a_wrong_question_names_its_fields(
    client: APIClient, scenario: Scenario, change: dict[str, Any], pointer: str
) -> None:
    answer = client.post(ADDRESS, {"scenario": scenario.pk, **FEWEST_SESSIONS, **change}, format="json")
    assert answer.status_code == 422
    assert pointer in [item["pointer"] for item in answer.json()["errors"]]
