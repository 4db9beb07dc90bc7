"""Servants, threads, service classes and recovery: each rule on both sides of its limit."""

from typing import Any

import pytest

from tests.simulations.platforms.samples import constant, verdict

ADJUNCT = {"endpoint": "activation_spec"}
TEN_THREADS = {"workload_profile": "CUSTOM", "custom_threads": 10}
CASES: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    ("custom-threads-ignored", {"server": {"custom_threads": 2}}, "ignored", {"server.workload_profile": "CUSTOM"}),
    ("custom-threads-ignored", {"server": TEN_THREADS}, "", {}),
    (
        "thread-rule-ignored",
        {"server": {"thread_rule": "plain", "workload_profile": "LONGWAIT"}},
        "ignored",
        {"server.thread_rule": "capped"},
    ),
    ("thread-rule-ignored", {"server": {"thread_rule": "plain"}}, "", {}),
    ("servants-start-late", {"server": {"max_servants": 20}}, "violated", {"server.min_servants": 20}),
    ("servants-start-late", {"server": {"max_servants": 21}}, "violated", {}),
    ("servants-start-late", {"server": {"max_servants": 5, "min_servants": 5}}, "", {}),
    (
        "last-servant-spared",
        {"server": {"dispatch_timeout_action": "restart_servant"}, "service": constant(120.0)},
        "violated",
        {"server.save_last_servant": True},
    ),
    (
        "last-servant-spared",
        {
            "server": {"dispatch_timeout_action": "restart_servant", "save_last_servant": True},
            "service": constant(120.0),
        },
        "ok",
        {},
    ),
    (
        "last-servant-spared",
        {"server": {"dispatch_timeout_action": "restart_servant"}, "service": constant(119.0)},
        "",
        {},
    ),
    (
        "listeners-pause",
        {"server": {"dispatch_timeout_action": "restart_servant", "servant_start_time": 118.0}},
        "ok",
        {},
    ),
    (
        "listeners-pause",
        {"server": {"dispatch_timeout_action": "restart_servant", "servant_start_time": 118.8}},
        "violated",
        {"server.pause_without_servant": True},
    ),
    (
        "servant-end-ignored",
        {"server": {"timeout_delay": 5.0, "save_last_servant": True}},
        "ignored",
        {"server.timeout_delay": 0.0, "server.save_last_servant": False},
    ),
    ("servant-end-ignored", {"server": {"timeout_delay": 5.0, "dispatch_timeout_action": "restart_servant"}}, "", {}),
    ("servants-cover-classes", {"server": {"service_classes": 2, "max_servants": 2}}, "ok", {}),
    (
        "servants-cover-classes",
        {"server": {"service_classes": 3, "max_servants": 2}},
        "violated",
        {"server.max_servants": 3, "server.multiple_instances": True},
    ),
    (
        "instances-ignored",
        {"server": {"multiple_instances": False, "max_servants": 2}},
        "ignored",
        {"server.multiple_instances": True},
    ),
    ("instances-ignored", {"server": {"max_servants": 2}}, "", {}),
    ("ports-come-back", {}, "violated", {"server.zos_recovery": True}),
    ("ports-come-back", {"server": {"zos_recovery": True}}, "ok", {}),
    (
        "ports-come-back",
        {"server": {"zos_recovery": True, "recovery_retries": 0}},
        "violated",
        {"server.recovery_retries": 5},
    ),
    ("ports-come-back", {"queue": ADJUNCT}, "", {}),
    ("maximum-transaction-timeout", {"server": {"maximum_transaction_timeout": 120.0}}, "ok", {}),
    (
        "maximum-transaction-timeout",
        {"server": {"maximum_transaction_timeout": 119.0}},
        "violated",
        {"server.maximum_transaction_timeout": 120.0},
    ),
    ("transaction-covers-service", {"service": constant(119.9)}, "ok", {}),
    (
        "transaction-covers-service",
        {"service": constant(120.0)},
        "violated",
        {"server.total_transaction_timeout": 240.0},
    ),
    (
        "session-pool-covers-sessions",
        {"server": TEN_THREADS, "queue": {"maximum_sessions": 50, "session_pool_maximum": 10}},
        "ok",
        {},
    ),
    (
        "session-pool-covers-sessions",
        {"server": TEN_THREADS, "queue": {"maximum_sessions": 50, "session_pool_maximum": 9}},
        "violated",
        {"queue.session_pool_maximum": 10},
    ),
    (
        "durable-subscription-ignored",
        {"queue": {"durable_subscription": False}},
        "ignored",
        {"queue.durable_subscription": True},
    ),
    ("durable-subscription-ignored", {"kind": "topic", "queue": {"durable_subscription": False}}, "", {}),
    (
        "dispatch-timeout-ignored",
        {"server": {"wlm_dispatch_timeout": 60.0}},
        "ignored",
        {"server.wlm_dispatch_timeout": 300.0, "server.iiop_queue_timeout_percent": 99.0},
    ),
    ("dispatch-timeout-ignored", {"queue": ADJUNCT, "server": {"wlm_dispatch_timeout": 60.0}}, "", {}),
]


@pytest.mark.parametrize(("rule", "changes", "status", "fix"), CASES)
def test_verdicts_and_cures_beside_each_limit(
    rule: str, changes: dict[str, Any], status: str, fix: dict[str, Any]
) -> None:
    assert verdict("websphere-zos", rule, changes) == (status, fix)
