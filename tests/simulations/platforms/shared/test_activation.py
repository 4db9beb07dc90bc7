"""Activation specifications: limits, threads, timeouts and stops, in formulas and in the simulation."""

from dataclasses import replace
from typing import Any

import pytest

from simulations.declarations.problems import InvalidInput
from simulations.engine.network.model import Exhausted, Gate, Horizon, Redelivery
from simulations.engine.network.results import Count
from simulations.engine.replicate import replicate
from simulations.platforms import PLATFORMS
from simulations.platforms.websphere_zos.formulas import in_flight_limit
from simulations.platforms.websphere_zos.parameters import ListenerPort
from simulations.scenario.spec import ScenarioSpec, parse
from tests.simulations.engine.networks import total
from tests.simulations.platforms.samples import formula_value, scenario_body, status_of

ZOS, WAS = PLATFORMS["websphere-zos"], PLATFORMS["websphere"]
SECOND = {"kind": "constant", "mean": 1.0}


def spec(**settings: Any) -> dict[str, Any]:
    return {"mode": "activation_spec", **settings}


def adjunct(**settings: Any) -> dict[str, Any]:
    return {"endpoint": "activation_spec", **settings}


@pytest.mark.parametrize(
    ("active", "depth", "factor", "constant", "limit"),
    [(0, 10, 1.0, 5, 0), (1, 10, 1.0, 0, 10), (3, 10, 1.0, 0, 30), (2, 10, 1.5, 5, 35), (1, 10, 0.05, 0, 0)],
)
def test_the_in_flight_limit_counts_servants(active: int, depth: int, factor: float, constant: int, limit: int) -> None:
    port = ListenerPort(
        endpoint="activation_spec",
        maximum_server_sessions=depth,
        in_flight_scale_factor=factor,
        in_flight_constant=constant,
    )
    assert in_flight_limit(active, port) == limit


def test_an_activation_spec_on_zos_has_one_limit_and_the_dispatch_timeout() -> None:
    body = scenario_body("websphere-zos", server={"min_servants": 3, "max_servants": 3}, queue=adjunct())
    found = parse(body)
    stream = found.network().streams[0]
    assert stream.gate == Gate(30, 30, 0.002)
    assert stream.timeouts is not None
    assert stream.timeouts.queue == pytest.approx(297.0)
    assert stream.timeouts.dispatch == 300.0
    derivation = ZOS.derive(found.system)
    assert formula_value(derivation, "in_flight_limit") == 30
    # 16 CPUs give 30 threads to each of 3 servants: twice 90 needs 60 sessions of each servant.
    assert formula_value(derivation, "recommended_server_sessions") == 60
    assert formula_value(derivation, "spec_queue_timeout") == pytest.approx(297.0)
    body["queues"][0]["settings"] |= {"maximum_server_sessions": 60}
    rules = {item.rule: item.status for item in ZOS.derive(parse(body).system).findings}
    assert rules["websphere-zos.in-flight-2xwt"] == "ok"
    assert "websphere-zos.2xwt" not in rules


def test_the_short_question_answers_for_an_activation_spec() -> None:
    assert ZOS.quick is not None
    asked = {"platform": "websphere-zos", "cpus": 2, "servants_max": 3, "endpoint": "activation_spec"}
    answer = ZOS.quick(asked)
    # The worked example: 18 threads; 36 in flight are 12 server sessions for each of 3 servants.
    assert (answer["worker_threads"], answer["max_server_sessions"], answer["in_flight_limit"]) == (18, 12, 36)
    assert {item.status for item in answer["rules"]} == {"ok"}
    low = ZOS.quick({**asked, "max_server_sessions": 10})
    assert (low["in_flight_limit"], low["recommended_server_sessions"]) == (30, 12)
    with pytest.raises(InvalidInput, match="backlog"):
        ZOS.quick({**asked, "backlog": 3})
    with pytest.raises(InvalidInput, match="in_flight_constant"):
        ZOS.quick({"platform": "websphere-zos", "cpus": 2, "in_flight_constant": 3})


def test_conversations_are_the_sessions_and_one() -> None:
    for sessions, conversations, connections in ((9, 10, 1), (10, 11, 2), (25, 26, 3), (50, 51, 6)):
        queue = spec(maximum_server_sessions=sessions)
        derivation = WAS.derive(parse(scenario_body("websphere", queue=queue)).system)
        assert formula_value(derivation, "conversations") == conversations
        assert formula_value(derivation, "connections") == connections
    bus = spec(provider="default_messaging")
    assert formula_value(WAS.derive(parse(scenario_body("websphere", queue=bus)).system), "conversations") == 0


def five_specs(pool: int) -> ScenarioSpec:
    """Five activation specifications of five sessions each."""
    body = scenario_body("websphere", server={"adapter_pool_maximum": pool}, queue=spec(maximum_server_sessions=5))
    body["queues"] = [{**body["queues"][0], "name": f"q{number}"} for number in range(5)]
    return parse(body)


def test_the_adapter_pool_is_the_sum_of_the_specs() -> None:
    short = WAS.derive(five_specs(20).system)
    assert (formula_value(short, "adapter_sessions"), formula_value(short, "adapter_shortage")) == (25, 5)
    status = {pool: status_of(five_specs(pool), "adapter-pool-covers-sessions") for pool in (24, 25)}
    assert status == {24: "violated", 25: "ok"}


def run(found: ScenarioSpec, **horizon: Any) -> Any:
    return replicate(replace(found.network(), horizon=Horizon(**horizon)), seed=1, replication=0)


def test_ports_and_specs_of_a_server_have_threads_of_their_own() -> None:
    body = scenario_body(
        "websphere",
        server={"listener_pool_maximum": 2, "adapter_pool_maximum": 3},
        queue=spec(maximum_server_sessions=8, start_timeout=0),
        arrivals={"kind": "saturated"},
        service=SECOND,
    )
    body["queues"].append({**body["queues"][0], "name": "port", "settings": {"maximum_sessions": 8}})
    result = run(parse(body), time=1000.0)
    completed = result.counts[:, :, Count.COMPLETED].sum(axis=0)
    assert completed.tolist() == pytest.approx([3000, 2000], abs=8)


def test_a_message_that_gets_no_thread_in_time_returns_to_its_queue() -> None:
    settings = spec(maximum_server_sessions=4, start_timeout="2500ms")
    body = scenario_body(
        "websphere",
        server={"adapter_pool_maximum": 1},
        queue=settings,
        arrivals={"kind": "saturated"},
        service=SECOND,
    )
    late = run(parse(body), time=200.0)
    assert total(late, Count.QUEUE_TIMEOUTS) > 20
    body["queues"][0]["settings"]["start_timeout"] = "5s"
    assert total(run(parse(body), time=200.0), Count.QUEUE_TIMEOUTS) == 0
    assert total(late, Count.COMPLETED) == pytest.approx(200, abs=2), "the one thread is never idle"


@pytest.mark.parametrize("platform", ["websphere", "websphere-zos"])
@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, Redelivery(limit=1, exhausted=Exhausted.STOP_STREAM)),
        ({"failure_delivery_count": 4}, Redelivery(limit=5, exhausted=Exhausted.STOP_STREAM)),
        ({"failure_delivery_count": 4, "backout_threshold": 5}, Redelivery(limit=5, exhausted=Exhausted.DEAD_LETTER)),
        ({"failure_delivery_count": 3, "backout_threshold": 5}, Redelivery(limit=4, exhausted=Exhausted.STOP_STREAM)),
        ({"stop_if_delivery_fails": False, "maximum_retries": 7}, Redelivery()),
        ({"stop_if_delivery_fails": False, "backout_threshold": 3}, Redelivery(limit=3)),
    ],
)
def test_failures_stop_the_endpoint_or_are_backed_out(
    platform: str, settings: dict[str, Any], expected: Redelivery
) -> None:
    both = spec(**settings) if platform == "websphere" else adjunct(**settings)
    if expected == Redelivery(limit=3):
        expected = replace(expected, exhausted=Exhausted.DEAD_LETTER)
    assert parse(scenario_body(platform, queue=both)).network().streams[0].redelivery == expected
