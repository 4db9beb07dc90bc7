"""Pools, handles, states and what a port carries: each rule on both sides of its limit."""

from typing import Any

import pytest

from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import poisson, scenario_body, verdict

NON_ASF = {"mode": "non_asf", "receive_timeout": 100.0}
SPEC = {"mode": "activation_spec"}
CASES: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    ("port-starts", {}, "ok", {}),
    ("port-starts", {"queue": {"initial_state": "STOP"}}, "violated", {"queue.initial_state": "START"}),
    ("port-starts", {"queue": SPEC}, "", {}),
    ("session-pool-covers-sessions", {"queue": {"maximum_sessions": 5, "session_pool_maximum": 5}}, "ok", {}),
    (
        "session-pool-covers-sessions",
        {"queue": {"maximum_sessions": 6, "session_pool_maximum": 5}},
        "violated",
        {"queue.session_pool_maximum": 6},
    ),
    ("connection-pool-covers-ports", {"server": {"connection_pool_maximum": 1}}, "ok", {}),
    ("listener-pool-bounds", {"server": {"listener_pool_minimum": 50}}, "", {}),
    (
        "listener-pool-bounds",
        {"server": {"listener_pool_minimum": 51}},
        "violated",
        {"server.listener_pool_minimum": 50},
    ),
    ("listener-pool-bounds", {"server": {"listener_pool_minimum": 51, "listener_pool_growable": True}}, "", {}),
    ("threads-survive-quiet-times", {"queue": {"maximum_sessions": 11}, "arrivals": poisson(1 / 3.5)}, "ok", {}),
    (
        "threads-survive-quiet-times",
        {"queue": {"maximum_sessions": 11}, "arrivals": poisson(0.25)},
        "violated",
        {"server.listener_pool_minimum": 11},
    ),
    ("threads-survive-quiet-times", {"queue": {"maximum_sessions": 10}, "arrivals": poisson(0.25)}, "", {}),
    ("handles-survive-quiet-times", {"queue": {"maximum_sessions": 10}, "arrivals": poisson(1 / 256)}, "ok", {}),
    (
        "handles-survive-quiet-times",
        {"queue": {"maximum_sessions": 10}, "arrivals": poisson(1 / 512)},
        "violated",
        {"server.pooling_timeout": 1024.0},
    ),
    ("handles-survive-quiet-times", {"queue": {"maximum_sessions": 9}, "arrivals": poisson(1 / 512)}, "", {}),
    (
        "session-pool-properties-ignored",
        {"queue": {**NON_ASF, "session_reap_time": 60.0}},
        "ignored",
        {"queue.session_reap_time": 240.0, "queue.session_unused_timeout": 240.0},
    ),
    (
        "session-pool-properties-ignored",
        {"queue": {"session_unused_timeout": 0.0, "session_reap_time": 60.0}},
        "ignored",
        {"queue.session_reap_time": 240.0},
    ),
    ("session-pool-properties-ignored", {"queue": {"session_reap_time": 60.0}}, "", {}),
    ("bmt-rollback-ignored", {"queue": {"bmt_rollback": True}}, "ignored", {"queue.bmt_rollback": False}),
    ("bmt-rollback-ignored", {"queue": {**NON_ASF, "bmt_rollback": True}}, "", {}),
    ("restart-needed", {}, "ok", {}),
    ("restart-needed", {"queue": SPEC}, "", {}),
    ("stable", {"arrivals": poisson(4.9)}, "ok", {}),
    ("stable", {"arrivals": poisson(5.1)}, "violated", {"queue.maximum_sessions": 2}),
    (
        "stable",
        {"arrivals": poisson(260.0), "queue": {"session_pool_maximum": 2}},
        "violated",
        {"queue.maximum_sessions": 53, "queue.session_pool_maximum": 53, "server.listener_pool_maximum": 53},
    ),
    (
        "stable",
        {"arrivals": poisson(300.0), "queue": SPEC},
        "violated",
        {"queue.maximum_server_sessions": 61, "server.adapter_pool_maximum": 61},
    ),
    ("stable", {"arrivals": poisson(5.1), "kind": "topic"}, "violated", {}),
]


@pytest.mark.parametrize(("rule", "changes", "status", "fix"), CASES)
def test_verdicts_and_cures_beside_each_limit(
    rule: str, changes: dict[str, Any], status: str, fix: dict[str, Any]
) -> None:
    assert verdict("websphere", rule, changes) == (status, fix)


@pytest.mark.parametrize(
    ("one", "other", "status"),
    [
        ({}, {}, "ok"),
        (NON_ASF, NON_ASF, "ok"),
        (NON_ASF, {}, "violated"),
        (NON_ASF, {**NON_ASF, "receive_timeout": 20.0}, "violated"),
        (NON_ASF, SPEC, ""),
        ({"receive_timeout": 5.0}, {}, "ok"),
    ],
)
def test_the_ports_of_a_server_have_one_receive_timeout(
    one: dict[str, Any], other: dict[str, Any], status: str
) -> None:
    body = scenario_body("websphere", queue=one)
    body["queues"].append({**body["queues"][0], "name": "bills", "settings": other})
    spec = parse(body)
    found = [item for item in spec.family.derive(spec.system).findings if item.rule == "websphere.one-receive-timeout"]
    assert [item.status for item in found] == [status] * bool(status)
    if status == "violated":
        asf = {"mode": "asf", "receive_timeout": 0.0}
        assert found[0].fix == {
            f"queues.{name}.settings.{key}": asf[key] for name in ("orders", "bills") for key in asf
        }
