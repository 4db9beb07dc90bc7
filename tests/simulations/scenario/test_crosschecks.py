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


def chain_body(*sends: tuple[str, ...], arrivals: str = "saturated") -> dict[str, Any]:
    """Return queues a, b, c with the names that each sends to; the last one has ``arrivals``."""
    body = scenario_body(ZOS)
    kinds = ["saturated", "saturated", arrivals]
    body["queues"] = [
        {**body["queues"][0], "name": name, "arrivals": {"kind": kind}, "sends": [{"name": item} for item in names]}
        for name, kind, names in zip("abc", kinds, sends, strict=True)
    ]
    return {**body, "run": {"horizon": {"messages": 1000}}}


def test_a_circle_of_queues_is_named() -> None:
    found = problems(chain_body(("b",), ("c", "a"), ()))
    assert set(found) == {"/queues/0/sends/0/name", "/queues/1/sends/1/name"}
    assert all("'a' → 'b' → 'a'" in message or "'b' → 'a' → 'b'" in message for message in found.values())
    assert "'c' → 'c'" in problems(chain_body((), (), ("c",)))["/queues/2/sends/0/name"]


def test_queues_send_to_others_that_exist_and_to_each_once() -> None:
    found = problems(chain_body(("bb", "c", "c"), (), ()))
    assert "did you mean 'b'?" in found["/queues/0/sends/0/name"]
    assert "used twice" in found["/queues/0/sends/2/name"]


def test_a_queue_without_arrivals_needs_a_sender() -> None:
    assert "no queue sends to this one" in problems(chain_body((), (), (), arrivals="none"))["/queues/2/arrivals"]
    spec = parse(chain_body((), ("c",), (), arrivals="none"))
    assert [send.stream for send in spec.network().streams[1].sends] == [2]


def test_a_chain_behind_finite_arrivals_drains() -> None:
    body = chain_body((), ("c",), (), arrivals="none") | {"run": {"horizon": {"until": "drained"}}}
    surge = {"kind": "surge", "count": 5}
    body["queues"] = [{**queue, "arrivals": surge} for queue in body["queues"][:2]] + body["queues"][2:]
    assert parse(body).network().horizon.drained
