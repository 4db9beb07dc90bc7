"""What the parts of a scenario require of each other, told together with what is wrong in single fields."""

from typing import Any

import pytest

from simulations.declarations.problems import MOST_TOLD
from simulations.scenario.crosschecks import cross_problems
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import scenario_body
from tests.simulations.scenario.problems import problems

ZOS = "websphere-zos"
SESSIONS = "queues.orders.settings.maximum_sessions"
HTTP = {"name": "http", "arrivals": {"kind": "poisson", "rate": 5}, "service": {"kind": "constant", "mean": 0.01}}


def test_names_are_unique() -> None:
    body = scenario_body(ZOS)
    body["queues"] *= 2
    body["servers"][0]["background"] = [HTTP, HTTP]
    found = problems(body)
    assert set(found) == {"/queues/1/name", "/servers/0/background/1/name"}
    assert all("used twice" in message for message in found.values())


def test_what_parts_are_to_each_other_is_judged_beside_single_fields() -> None:
    body = scenario_body(ZOS) | {
        "objectives": [{"metric": "latency.p59", "at_most": 1}],
        "sweep": [{"path": "queues.orders.nope", "values": [1]}, {"path": SESSIONS, "values": [18, 0]}],
        "run": {"horizon": {"until": "drained"}, "precision": {"metric": "latency.max"}},
    }
    body["queues"][0] = {**body["queues"][0], "server": "paymentz", "producers": 0}
    assert set(problems(body)) == {
        "/queues/0/producers",
        "/queues/0/server",
        "/queues/0/arrivals",
        "/objectives/0/metric",
        "/run/precision/metric",
        "/sweep/0/path",
        "/sweep/1/values/1",
    }


@pytest.mark.parametrize("metric", ["threads.idle_blocked", "cpu.utilisation"])
def test_no_queue_is_judged_by_what_only_threads_have(metric: str) -> None:
    objective = {"metric": metric, "queue": "orders", "at_most": 1}
    assert "leave queue out" in problems(scenario_body(ZOS) | {"objectives": [objective]})["/objectives/0/metric"]
    parse(scenario_body(ZOS) | {"objectives": [{"metric": metric, "at_most": 1}]})


@pytest.mark.parametrize(
    "data", [{}, {"queues": "orders", "run": 3, "objectives": [1, None]}, {"servers": [{"name": 5}]}]
)
def test_parts_that_are_not_understood_are_passed_over(data: dict[str, Any]) -> None:
    assert cross_problems(data) == []


def test_a_name_that_is_nearly_right_is_offered() -> None:
    data = {"servers": [{"name": "payments"}], "queues": [{"name": "orders", "server": "paymints"}]}
    (found,) = cross_problems(data)
    assert (found.pointer, found.path) == ("/queues/0/server", "queues.orders.server")
    assert found.message == "no server is named 'paymints'; did you mean 'payments'?"


def test_no_more_problems_are_looked_for_than_are_shown() -> None:
    data = {"objectives": [{"metric": f"nothing.{number}"} for number in range(3 * MOST_TOLD)]}
    assert len(cross_problems(data)) == MOST_TOLD + 1
