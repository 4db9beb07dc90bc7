"""Activation specifications on z/OS: each rule on both sides of its limit."""

from typing import Any

import pytest

from tests.simulations.platforms.samples import verdict

ADJUNCT = {"endpoint": "activation_spec"}
TEN_THREADS = {"workload_profile": "CUSTOM", "custom_threads": 10}
CASES: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    (
        "in-flight-positive",
        {"queue": {**ADJUNCT, "in_flight_scale_factor": 0.1, "maximum_server_sessions": 10}},
        "ok",
        {},
    ),
    (
        "in-flight-positive",
        {"queue": {**ADJUNCT, "in_flight_scale_factor": 0.1, "maximum_server_sessions": 9}},
        "violated",
        {"queue.in_flight_scale_factor": 1.0},
    ),
    ("in-flight-2xwt", {"server": TEN_THREADS, "queue": {**ADJUNCT, "maximum_server_sessions": 20}}, "ok", {}),
    (
        "in-flight-2xwt",
        {"server": TEN_THREADS, "queue": {**ADJUNCT, "maximum_server_sessions": 19}},
        "violated",
        {"queue.maximum_server_sessions": 20},
    ),
    (
        "in-flight-2xwt",
        {"server": TEN_THREADS, "queue": {**ADJUNCT, "in_flight_scale_factor": 0.0, "in_flight_constant": 19}},
        "violated",
        {"queue.in_flight_constant": 20},
    ),
    ("in-flight-bounds-queue", {"server": TEN_THREADS, "queue": {**ADJUNCT, "maximum_server_sessions": 999}}, "ok", {}),
    (
        "in-flight-bounds-queue",
        {"server": {**TEN_THREADS, "max_servants": 2}, "queue": {**ADJUNCT, "maximum_server_sessions": 1000}},
        "violated",
        {"queue.maximum_server_sessions": 40, "queue.in_flight_scale_factor": 1.0, "queue.in_flight_constant": 0},
    ),
    ("endpoint-settings-ignored", {"queue": {"in_flight_constant": 5}}, "ignored", {"queue.in_flight_constant": 0}),
    (
        "endpoint-settings-ignored",
        {"queue": {**ADJUNCT, "maximum_sessions": 5}},
        "ignored",
        {"queue.maximum_sessions": 1},
    ),
    ("endpoint-settings-ignored", {"queue": ADJUNCT}, "", {}),
    ("dispatch-timeout-above-transaction", {"queue": ADJUNCT}, "violated", {"server.wlm_dispatch_timeout": 360.0}),
    ("dispatch-timeout-above-transaction", {"queue": ADJUNCT, "server": {"wlm_dispatch_timeout": 301.0}}, "ok", {}),
    ("dispatch-timeout-above-transaction", {}, "", {}),
    (
        "mdb-timeouts-ignored",
        {"queue": ADJUNCT, "server": {"mdb_request_timeout": 60.0}},
        "ignored",
        {"server.mdb_request_timeout": 120.0, "server.mdb_queue_timeout_percent": 99.0},
    ),
    ("mdb-timeouts-ignored", {"server": {"mdb_request_timeout": 60.0}}, "", {}),
]


@pytest.mark.parametrize(("rule", "changes", "status", "fix"), CASES)
def test_verdicts_and_cures_beside_each_limit(
    rule: str, changes: dict[str, Any], status: str, fix: dict[str, Any]
) -> None:
    assert verdict("websphere-zos", rule, changes) == (status, fix)
