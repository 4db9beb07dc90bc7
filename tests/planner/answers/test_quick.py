"""The instant answers of the jobs, to the digit, by `manage.py derive` and by `POST /derive` alike."""

import json
import math
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.contrib.auth.models import User
from django.core.management import call_command
from rest_framework.test import APIClient

from planner.answers.quick import REPLICATIONS, glance, quick_answer
from planner.api.examples import DESCRIPTOR
from planner.configuration.importing import configuration_read
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import scenario_body

Found = dict[str, Any]


@pytest.fixture
def client(owner: User) -> APIClient:
    """Somebody who is logged in."""
    client = APIClient()
    client.force_authenticate(owner)
    return client


def asked(client: APIClient, **question: Any) -> Found:
    """Ask a short question of the API."""
    answer = client.post("/api/v1/derive", question, format="json")
    found: Found = answer.json()
    assert answer.status_code == 200, found
    return found


def derived(client: APIClient, folder: Path, body: Found) -> tuple[dict[str, float], Found]:
    """Values and findings by name; the command and the API must say the same."""
    path, out = folder / "scenario.yaml", StringIO()
    path.write_text(yaml.safe_dump(body))
    call_command("derive", str(path), "--json", stdout=out)
    printed, answered = json.loads(out.getvalue()), asked(client, **body)
    assert {key: printed[key] for key in answered} == answered
    findings = {item["rule"].split(".", 1)[1]: item for item in printed["findings"]}
    return {item["name"]: item["value"] for item in printed["values"]}, findings


@pytest.mark.parametrize(
    ("server", "sessions", "equal", "threads", "low", "backlog"),
    [
        ({"cpus": 2}, 100, False, 6, 50, 32),
        ({"cpus": 2}, 99, False, 6, 49, 31),
        ({"cpus": 2}, 100, True, 6, 100, 32),
        ({"cpus": 1}, 100, False, 5, 50, 35),
        ({"cpus": 16}, 100, False, 30, 50, 0),
        ({"cpus": 2, "workload_profile": "CPUBOUND"}, 100, False, 3, 50, 41),
        ({"cpus": 2, "workload_profile": "LONGWAIT"}, 100, False, 40, 50, 0),
        ({"cpus": 2, "workload_profile": "ISOLATE"}, 100, False, 1, 50, 47),
    ],
)
def test_j1_the_listener_port(
    client: APIClient,
    tmp_path: Path,
    server: Found,
    sessions: int,
    equal: bool,  # noqa: FBT001 - pytest passes it by name
    threads: int,
    low: int,
    backlog: int,
) -> None:
    settings = {"min_servants": 3, "max_servants": 3, **{key: value for key, value in server.items() if key != "cpus"}}
    body = scenario_body(
        "websphere-zos", server=settings, queue={"maximum_sessions": sessions, "low_equals_high": equal}
    )
    body["servers"][0]["cpus"] = server["cpus"]
    values, _ = derived(client, tmp_path, body)
    assert (values["threads_per_servant"], values["worker_threads"]) == (threads, 3 * threads)
    assert (values["low_threshold"], max(0, values["backlog"])) == (low, backlog)
    assert values["baseline_sessions"] == 2 * 3 * threads


def test_j1_the_rule_both_ways(client: APIClient) -> None:
    found = asked(client, platform="was-zos", cpus=2, servants_max=3, profile="IOBOUND", backlog=32)
    wanted = {"threads_per_servant": 6, "worker_threads": 18, "max_sessions": 100, "low_threshold": 50}
    assert {key: found[key] for key in wanted} == wanted


@pytest.mark.parametrize(
    ("rate", "percent"), [(1 / 600, 4.16), (1 / 60, 1.65), (0.1, 0.001)], ids=["10 min", "1 min", "10 s"]
)
def test_j4_the_rule_of_the_lifetime(client: APIClient, tmp_path: Path, rate: float, percent: float) -> None:
    body = scenario_body(
        "websphere",
        server={"total_transaction_timeout": 120},
        queue={"mode": "non_asf", "receive_timeout": 110},
        arrivals={"kind": "poisson", "rate": rate},
        service={"kind": "constant", "mean": 15},
    )
    values, findings = derived(client, tmp_path, body)
    details = findings["transaction-timeout"]["details"]
    assert findings["transaction-timeout"]["status"] == "violated"
    assert (details["worst_case_s"], details["max_receive_timeout_s"]) == (125, 105)
    exact = (math.exp(-rate * 105) - math.exp(-rate * 110)) / (1 - math.exp(-rate * 110))
    assert values["rollback_probability"] == pytest.approx(exact, rel=1e-9)
    assert 100 * exact == pytest.approx(percent, abs=0.005)
    body["queues"][0]["settings"]["receive_timeout"] = 104
    values, findings = derived(client, tmp_path, body)
    assert (findings["transaction-timeout"]["status"], values["rollback_probability"]) == ("ok", 0)


def test_j4_the_short_question(client: APIClient) -> None:
    found = asked(client, platform="was", receive_timeout=110, transaction_timeout=120, on_message=15, sessions=10)
    violation = found["violations"][0]
    assert (violation["worst_case_s"], violation["max_receive_timeout_s"]) == (125, 105)
    assert (found["threads_held"], found["connections"]) == (10, 1)
    slow = {"kind": "lognormal", "p50": 15, "p95": 21}
    variable = asked(client, platform="was", receive_timeout=94, transaction_timeout=120, on_message=slow)
    assert variable["max_receive_timeout_s"] == pytest.approx(120 - variable["slowest_on_message_s"])


def test_j6_the_limit_of_16(client: APIClient, tmp_path: Path) -> None:
    body = configuration_read({"weblogic-ejb-jar.xml": DESCRIPTOR.encode()}).spec.body()
    values, findings = derived(client, tmp_path, body)
    assert (values["max_concurrency"], findings["limit-of-16"]["status"]) == (16, "violated")
    assert findings["limit-of-16"]["source"].startswith("Tuning Message-Driven Beans")
    short = asked(
        client, platform="wls", max_beans_in_free_pool=100, burst=400, on_message=0.2, target=2, downstream_limit=25
    )
    assert (short["max_concurrency"], short["drain_time_s"]) == (16, pytest.approx(5.0))
    assert (short["threads_for_target"], short["useful_maximum"]) == (40, 25)
    assert short["useful_drain_time_s"] == pytest.approx(3.2)


def test_j9_the_steps_of_flow_control(client: APIClient) -> None:
    asked_for = {"flow_maximum": 500, "flow_minimum": 50, "flow_interval": 60, "flow_steps": 10}
    found = asked(client, platform="wls-flow", **asked_for)
    down = [step["limit"] for step in found["down"]]
    exact = [500 * (50 / 500) ** (step / 10) for step in range(11)]
    assert down == pytest.approx(exact, abs=1e-9)
    assert [round(limit, 1) for limit in down] == [
        500,
        397.2,
        315.5,
        250.6,
        199.1,
        158.1,
        125.6,
        99.8,
        79.2,
        62.9,
        50.0,
    ]
    assert [step["limit"] for step in found["up"]] == pytest.approx([50 + 45 * step for step in range(11)], abs=1e-9)
    assert ([step["at_s"] for step in found["down"]], found["free_after_s"]) == ([6 * step for step in range(11)], 60)
    assert round(found["admitted_down"]) == 13_128
    second = asked(client, platform="wls-flow", flow_maximum=100, flow_minimum=12.5, flow_interval=60, flow_steps=3)
    assert [step["limit"] for step in second["down"]] == pytest.approx([100, 50, 25, 12.5], abs=1e-9)


@pytest.mark.parametrize(("limit", "mean"), [(16, 12.07), (32, 23.61), (63, 32.0), (64, 32.0)])
def test_j11_a_pool_behind_a_limit(client: APIClient, tmp_path: Path, limit: int, mean: float) -> None:
    body = scenario_body(
        "openmq", server={"max_pool_size": 32}, queue={"consumer_flow_limit": limit}, arrivals={"kind": "saturated"}
    )
    values, _ = derived(client, tmp_path, body)
    assert (values["max_concurrency"], round(values["mean_concurrency_saturated"], 2)) == (min(limit, 32), mean)
    short = asked(client, platform="imq", max_pool_size=32, consumer_flow_limit=limit)
    assert round(short["mean_concurrency_saturated"], 2) == mean
    assert (short["max_concurrency"], short["min_limit_for_full_pool"]) == (min(limit, 32), 64)


def test_poison_that_fills_every_session_is_soon_answered() -> None:
    """Scenario 20402 of the atlas: a queue that is never empty, where poison comes back without end."""
    body = scenario_body("weblogic", arrivals={"kind": "saturated"})
    body["queues"][0]["settings"] = {"poison_rate": 0.5, "redelivery_limit": -1, "unit_of_order": True}
    found = quick_answer(parse(body)).summary
    broken = {finding.rule for finding in found.findings if finding.status == "violated"}
    assert found.status == "invalid"
    assert broken >= {"engine.unfinished", "weblogic.redelivery-ends"}
    assert found.events < REPLICATIONS * 1_200_000


@pytest.mark.parametrize("horizon", [{"time": "20d"}, {"messages": 14_000_000}])
def test_a_glance_at_long_cycles_sees_whole_ones(horizon: Found) -> None:
    """8,000 messages at once, every 1,000 s, 100 ms each, one after the other: 8,001 / 2 * 100 ms, exact."""
    body = scenario_body(
        "websphere", arrivals={"kind": "periodic_burst", "count": 8000, "every": "1000s"}, queue={"maximum_sessions": 1}
    )
    body["queues"][0]["service"] = {"kind": "constant", "mean": 0.1}
    body["run"] = {"horizon": horizon}
    found = glance(parse(body))
    assert found.cut
    assert found.cycles >= 1
    assert found.summary.metrics["latency.mean"].value == pytest.approx(400.05, rel=1e-3)
