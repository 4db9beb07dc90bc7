"""Retries, backouts and recovery of listener ports."""

from typing import Any

import pytest

from simulations.engine.network.model import Exhausted
from simulations.platforms.websphere import WEBSPHERE
from simulations.platforms.websphere_zos import WEBSPHERE_ZOS
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import constant, scenario_body, surge, verdict

SPEC = {"mode": "activation_spec"}


@pytest.mark.parametrize(
    ("settings", "limit", "end"),
    [
        ({}, 1, Exhausted.STOP_STREAM),
        ({"maximum_retries": 5}, 5, Exhausted.STOP_STREAM),
        ({"maximum_retries": 5, "backout_threshold": 3}, 3, Exhausted.DEAD_LETTER),
        ({"maximum_retries": 2, "backout_threshold": 3}, 2, Exhausted.STOP_STREAM),
    ],
)
def test_backout_comes_first_only_below_the_retries(settings: dict[str, Any], limit: int, end: Exhausted) -> None:
    redelivery = surge(**settings).network().streams[0].redelivery
    assert (redelivery.limit, redelivery.exhausted) == (limit, end)


@pytest.mark.parametrize(
    ("changes", "status", "fix"),
    [
        ({}, "ok", {}),
        ({"failure_rate": 0.1}, "violated", {"queue.maximum_retries": 3, "queue.backout_threshold": 3}),
        (
            {"failure_rate": 0.1, "maximum_retries": 5},
            "violated",
            {"queue.maximum_retries": 5, "queue.backout_threshold": 5},
        ),
        ({"failure_rate": 0.1, "maximum_retries": 5, "backout_threshold": 5}, "ok", {}),
        (
            {"poison_rate": 0.1, **SPEC},
            "violated",
            {"queue.stop_if_delivery_fails": False, "queue.backout_threshold": 3},
        ),
        ({**SPEC, "stop_if_delivery_fails": False}, "ok", {}),
        ({"poison_rate": 0.1, **SPEC, "stop_if_delivery_fails": False}, "violated", {"queue.backout_threshold": 3}),
    ],
)
def test_one_bad_message_stops_the_port(changes: dict[str, Any], status: str, fix: dict[str, Any]) -> None:
    assert verdict("websphere", "retries-stop-port", {"queue": changes}) == (status, fix)


HEAVY = {"kind": "lognormal", "mean": 1.0, "cv": 3.0}
THREE = {"queue.maximum_retries": 3, "queue.backout_threshold": 3}


@pytest.mark.parametrize(
    ("platform", "changes", "status", "fix"),
    [
        ("websphere", {"service": HEAVY, "server": {"total_transaction_timeout": 20.0}}, "violated", THREE),
        ("websphere", {"service": constant(20.0), "server": {"total_transaction_timeout": 20.0}}, "ok", {}),
        (
            "websphere",
            {"service": HEAVY, "server": {"total_transaction_timeout": 20.0}, "queue": {"maximum_retries": 50}},
            "ok",
            {},
        ),
        (
            "websphere",
            {"service": constant(15.0), "queue": {"mode": "non_asf", "receive_timeout": 110.0}},
            "violated",
            THREE,
        ),
        ("websphere", {"queue": {"downstream_outage": {"start": 60.0, "duration": 60.0}}}, "violated", THREE),
        ("websphere-zos", {"service": HEAVY, "server": {"mdb_request_timeout": 20.0}}, "violated", THREE),
        ("websphere-zos", {"service": HEAVY, "server": {"mdb_request_timeout": 0.0}}, "ok", {}),
        ("websphere-zos", {"service": constant(25.0), "queue": {"maximum_sessions": 6}}, "ok", {}),
        ("websphere-zos", {"service": constant(25.0), "queue": {"maximum_sessions": 200}}, "violated", THREE),
    ],
)
def test_a_timeout_is_a_failure_too(platform: str, changes: dict[str, Any], status: str, fix: dict[str, Any]) -> None:
    assert verdict(platform, "retries-stop-port", changes) == (status, fix)


@pytest.mark.parametrize(("action", "status"), [("interrupt", "ok"), ("restart_servant", "violated")])
def test_timeouts_of_one_port_stop_others_whose_servant_they_end(action: str, status: str) -> None:
    server = {"mdb_request_timeout": 30.0, "dispatch_timeout_action": action}
    body = scenario_body("websphere-zos", service=constant(0.3), server=server)
    body["queues"].append({**body["queues"][0], "name": "slow", "service": HEAVY})
    findings = WEBSPHERE_ZOS.derive(parse(body).system).findings
    stopped = {item.queue: item.status for item in findings if item.rule == "websphere-zos.retries-stop-port"}
    assert stopped == {"orders": status, "slow": "violated"}


def test_what_stops_at_failures_of_an_activation_specification_is_its_endpoint() -> None:
    spec = {**SPEC, "failure_delivery_count": 3}
    for threshold in (4, 5):
        body = scenario_body("websphere", queue={**spec, "backout_threshold": threshold})
        findings = WEBSPHERE.derive(parse(body).system).findings
        said = [item.message for item in findings if item.rule.endswith(("backout-before-retries", "stop-port"))]
        assert len(said) == 2
        assert all("endpoint" in message and "port" not in message.replace("endpoint", "") for message in said)


@pytest.mark.parametrize(
    ("changes", "status", "fix"),
    [
        ({}, "", {}),
        ({"maximum_retries": 3, "backout_threshold": 3}, "ok", {}),
        ({"maximum_retries": 3, "backout_threshold": 4}, "violated", {"queue.maximum_retries": 4}),
        ({**SPEC, "failure_delivery_count": 3, "backout_threshold": 4}, "ok", {}),
        (
            {**SPEC, "failure_delivery_count": 3, "backout_threshold": 5},
            "violated",
            {"queue.failure_delivery_count": 4},
        ),
    ],
)
def test_a_backout_comes_before_the_port_stops(changes: dict[str, Any], status: str, fix: dict[str, Any]) -> None:
    assert verdict("websphere", "backout-before-retries", {"queue": changes}) == (status, fix)
