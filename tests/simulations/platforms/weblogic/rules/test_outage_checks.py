"""Flow control, quotas, members, suspensions and stuck threads."""

from typing import Any

import pytest

from simulations.platforms.weblogic import WEBLOGIC
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import constant, formula_value, managers, scenario_body, verdict


def test_three_producers_at_their_minimum_can_outrun_the_consumers() -> None:
    """Fact list, example 36: 150/s against 120/s."""
    thresholds = {"messages_threshold_high": 1000, "messages_threshold_low": 800}
    body = scenario_body("weblogic", queue={**thresholds, "max_beans_in_free_pool": 12}, producers=3)
    body["queues"][0]["service"] = {"kind": "exponential", "mean": 0.1}
    spec = parse(body)
    derivation = WEBLOGIC.derive(spec.system)
    assert formula_value(derivation, "flow.floor") == 150
    assert formula_value(derivation, "carried_rate") == pytest.approx(120)
    assert {item.rule: item.status for item in derivation.findings}["weblogic.flow-minimum-bounds"] == "violated"


WORK = {"work_manager": "work"}
THRESHOLDS = {"messages_threshold_high": 100, "messages_threshold_low": 50}
FEW = {"flow_maximum": 19, "flow_minimum": 1}
CASES: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    ("flow-control-acts", {"queue": THRESHOLDS}, "ok", {}),
    ("flow-control-acts", {}, "ignored", {}),
    ("flow-control-acts", {"queue": {"flow_control_enabled": False}}, "", {}),
    ("flow-minimum-bounds", {"queue": THRESHOLDS, "producers": 1}, "ok", {}),
    ("flow-minimum-bounds", {"queue": THRESHOLDS, "producers": 2}, "violated", {"queue.flow_minimum": 39}),
    ("flow-maximum-covers-arrivals", {"queue": {**THRESHOLDS, **FEW}, "producers": 2}, "ok", {}),
    ("flow-maximum-covers-arrivals", {"queue": {**THRESHOLDS, **FEW}}, "violated", {"queue.flow_maximum": 40}),
    ("flow-maximum-covers-arrivals", {"queue": {**THRESHOLDS, **FEW, "messages_per_producer": 5}}, "", {}),
    ("flow-maximum-covers-arrivals", {"queue": {**THRESHOLDS, **FEW}, "service": constant(10.0)}, "", {}),
    ("flow-admits", {"queue": THRESHOLDS, "producers": 2}, "ok", {}),
    ("send-timeout", {"queue": {"messages_quota": 5, "send_timeout": 0.013}}, "ok", {}),
    ("send-timeout", {"queue": {"messages_quota": 5, "send_timeout": 0.012}}, "violated", {"queue.send_timeout": 2.0}),
    (
        "send-timeout",
        {"queue": {"messages_quota": 5, "send_timeout": 0.19, "max_beans_in_free_pool": 1}},
        "violated",
        {"queue.send_timeout": 2.0},
    ),
    ("send-timeout", {"queue": {"send_timeout": 0.2}}, "ignored", {"queue.send_timeout": 0.01}),
    ("one-way-sends", {"queue": {"one_way_send_window": 2}}, "ignored", {"queue.one_way_send_window": 1}),
    (
        "one-way-sends",
        {"queue": {"one_way_send_mode": "enabled"}},
        "ignored",
        {"queue.one_way_send_mode": "disabled", "queue.one_way_send_window": 1},
    ),
    ("one-way-sends", {"queue": {"one_way_send_mode": "enabled", "one_way_send_window": 2}}, "ok", {}),
    (
        "one-way-sends",
        {"queue": {"one_way_send_mode": "enabled", "one_way_send_window": 2, "messages_quota": 5}},
        "violated",
        {"queue.one_way_send_mode": "disabled", "queue.one_way_send_window": 1},
    ),
    ("initial-beans", {"queue": {"initial_beans_in_free_pool": 16}}, "ok", {}),
    (
        "initial-beans",
        {"queue": {"initial_beans_in_free_pool": 17}},
        "ignored",
        {"queue.initial_beans_in_free_pool": 16},
    ),
    (
        "every-member",
        {"queue": {"distributed_destination_connection": "EveryMember"}},
        "ignored",
        {"queue.distributed_destination_connection": "LocalOnly"},
    ),
    ("every-member", {"instances": 3, "queue": {"distributed_destination_connection": "EveryMember"}}, "ok", {}),
    ("suspension-grows", {"queue": {"init_suspend": 60.0}}, "ok", {}),
    ("suspension-grows", {"queue": {"init_suspend": 61.0}}, "violated", {"queue.init_suspend": 60.0}),
    ("not-stuck", {"service": constant(59.9), "queue": {"max_messages_in_transaction": 10}}, "ok", {}),
    (
        "not-stuck",
        {"service": constant(60.0), "queue": {"max_messages_in_transaction": 10}},
        "violated",
        {"server.stuck_thread_max_time": 1200.0},
    ),
    ("shared-capacity", {"server": {"shared_capacity": 15}}, "violated", {"server.shared_capacity": 16}),
    ("shared-capacity", {"server": {"shared_capacity": 20, **managers(capacity=20)}, "queue": WORK}, "ok", {}),
    (
        "shared-capacity",
        {"server": {"shared_capacity": 20, **managers(capacity=21)}, "queue": WORK},
        "ignored",
        {"server.shared_capacity": 21},
    ),
]


@pytest.mark.parametrize(("rule", "changes", "status", "fix"), CASES)
def test_verdicts_and_cures_beside_each_limit(
    rule: str, changes: dict[str, Any], status: str, fix: dict[str, Any]
) -> None:
    assert verdict("weblogic", rule, changes) == (status, fix)
