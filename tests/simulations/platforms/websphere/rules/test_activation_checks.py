"""Activation specifications: each rule on both sides of its limit."""

from typing import Any

import pytest

from tests.simulations.platforms.samples import constant, verdict

SPEC = {"mode": "activation_spec"}
CASES: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    ("adapter-pool-covers-sessions", {"queue": {**SPEC, "maximum_server_sessions": 50}}, "ok", {}),
    (
        "adapter-pool-covers-sessions",
        {"queue": {**SPEC, "maximum_server_sessions": 51}},
        "violated",
        {"server.adapter_pool_maximum": 51},
    ),
    ("adapter-pool-covers-sessions", {}, "", {}),
    (
        "start-timeout-covers-wait",
        {"service": constant(49.9), "queue": {**SPEC, "maximum_server_sessions": 60}},
        "ok",
        {},
    ),
    (
        "start-timeout-covers-wait",
        {"service": constant(50.0), "queue": {**SPEC, "maximum_server_sessions": 60}},
        "violated",
        {"server.adapter_pool_maximum": 60},
    ),
    (
        "start-timeout-covers-wait",
        {"service": constant(50.0), "queue": {**SPEC, "maximum_server_sessions": 60, "start_timeout": 0.0}},
        "",
        {},
    ),
    (
        "bean-pool-covers-endpoints",
        {"queue": {**SPEC, "provider": "default_messaging", "mdb_pool_maximum": 10}},
        "ok",
        {},
    ),
    (
        "bean-pool-covers-endpoints",
        {"queue": {**SPEC, "provider": "default_messaging", "mdb_pool_maximum": 9}},
        "violated",
        {"queue.mdb_pool_maximum": 10},
    ),
    ("activation-settings-ignored", {"queue": {"start_timeout": 5.0}}, "ignored", {"queue.start_timeout": 10.0}),
    (
        "activation-settings-ignored",
        {"queue": {**SPEC, "mdb_pool_maximum": 9}},
        "ignored",
        {"queue.mdb_pool_maximum": 500},
    ),
    (
        "activation-settings-ignored",
        {"queue": {**SPEC, "provider": "default_messaging", "maximum_server_sessions": 9}},
        "ignored",
        {"queue.maximum_server_sessions": 10},
    ),
    ("port-settings-ignored", {"queue": {**SPEC, "maximum_retries": 3}}, "ignored", {"queue.maximum_retries": 0}),
    ("port-settings-ignored", {"queue": {"maximum_retries": 3}}, "", {}),
    ("adapter-pool-ignored", {"server": {"adapter_pool_maximum": 60}}, "ignored", {"server.adapter_pool_maximum": 50}),
    ("adapter-pool-ignored", {"queue": SPEC, "server": {"adapter_pool_maximum": 60}}, "", {}),
]


@pytest.mark.parametrize(("rule", "changes", "status", "fix"), CASES)
def test_verdicts_and_cures_beside_each_limit(
    rule: str, changes: dict[str, Any], status: str, fix: dict[str, Any]
) -> None:
    assert verdict("websphere", rule, changes) == (status, fix)
