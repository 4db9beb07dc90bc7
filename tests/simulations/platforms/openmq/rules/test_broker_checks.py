"""Memory, threads, failures, destinations and the broker: each rule on both sides of its limit."""

from typing import Any

import pytest

from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import scenario_body, verdict

LOGNORMAL = {"kind": "lognormal", "mean": 50_000, "cv": 10}
AWAY = {"start": 10.0, "duration": 5.0}
BACKED_UP = {"max_backup_consumers": 1, "max_active_consumers": 2}

CASES: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    ("client-memory", {"message_size": 64000.0}, "ok", {}),
    ("client-memory", {"message_size": 64001.0}, "violated", {"queue.consumer_flow_limit": 999}),
    ("client-memory", {"message_size": 4e6}, "violated", {}),
    (
        "client-memory",
        {"queue": {"consumer_flow_limit": -1, "destination_consumer_flow_limit": -1}},
        "violated",
        {"queue.consumer_flow_limit": 1000},
    ),
    ("threads-cover-pools", {"server": {"max_pool_size": 200}}, "ok", {}),
    ("threads-cover-pools", {"server": {"max_pool_size": 201}}, "violated", {"server.thread_pool_maximum": 201}),
    ("steady-pool", {"server": {"steady_pool_size": 32}}, "", {}),
    ("steady-pool", {"server": {"steady_pool_size": 33}}, "violated", {"server.steady_pool_size": 32}),
    ("rollbacks-end", {"queue": {"failure_mode": "rollback", "max_consecutive_rollbacks": 1}}, "ok", {}),
    ("rollbacks-end", {"queue": {"failure_mode": "rollback"}}, "violated", {"queue.max_consecutive_rollbacks": 5}),
    ("rollbacks-end", {}, "", {}),
    ("redelivery-holds-beans", {"queue": {"failure_rate": 0.1, "redelivery_interval": 0.2}}, "ok", {}),
    (
        "redelivery-holds-beans",
        {"queue": {"failure_rate": 0.1, "redelivery_interval": 0.201, "redelivery_attempts": 30}},
        "violated",
        {"queue.redelivery_interval": 0.006},
    ),
    ("producers-slowed", {"queue": {"max_num_msgs": 100, "limit_behavior": "FLOW_CONTROL"}}, "ok", {}),
    (
        "producers-slowed",
        {"queue": {"max_total_msg_bytes": 100.0}},
        "violated",
        {"queue.limit_behavior": "FLOW_CONTROL"},
    ),
    ("producers-slowed", {}, "", {}),
    (
        "behavior-ignored",
        {"queue": {"limit_behavior": "REMOVE_OLDEST"}},
        "ignored",
        {"queue.limit_behavior": "REJECT_NEWEST"},
    ),
    ("behavior-ignored", {"queue": {"limit_behavior": "REMOVE_OLDEST", "max_num_msgs": 1}}, "", {}),
    (
        "behavior-ignored",
        {"queue": {"limit_behavior": "REMOVE_LOW_PRIORITY", "max_num_msgs": 9, "urgent_share": 1.0}},
        "ignored",
        {"queue.limit_behavior": "REMOVE_OLDEST"},
    ),
    (
        "behavior-ignored",
        {"queue": {"limit_behavior": "REMOVE_LOW_PRIORITY", "max_num_msgs": 9, "urgent_share": 0.2}},
        "",
        {},
    ),
    ("message-fits", {"queue": {"max_bytes_per_msg": 1000.0}, "message_size": 1000.0}, "ok", {}),
    (
        "message-fits",
        {"queue": {"max_bytes_per_msg": 1000.0}, "message_size": 1001.0},
        "violated",
        {"queue.max_bytes_per_msg": 1001.0},
    ),
    ("consumers-take-part", {"instances": 3, "queue": {"max_active_consumers": 3}}, "ok", {}),
    (
        "consumers-take-part",
        {"instances": 3, "queue": {"max_active_consumers": 2}},
        "violated",
        {"queue.max_active_consumers": 3},
    ),
    ("redelivery-outlasts-outage", {"queue": {"downstream_outage": AWAY, "redelivery_attempts": 10}}, "ok", {}),
    (
        "redelivery-outlasts-outage",
        {"queue": {"downstream_outage": AWAY, "redelivery_attempts": 9}},
        "violated",
        {"queue.redelivery_attempts": 10},
    ),
    ("redelivery-outlasts-outage", {"queue": {"downstream_outage": AWAY, "failure_mode": "rollback"}}, "", {}),
    ("backup-consumers-ignored", {"queue": {"max_backup_consumers": 1}}, "ignored", {"queue.max_backup_consumers": 0}),
    ("backup-consumers-ignored", {"queue": {"max_backup_consumers": 1, "max_active_consumers": 1}}, "", {}),
    ("backup-consumers-ignored", {"instances": 3, "server": {"outage": AWAY}, "queue": BACKED_UP}, "ignored", {}),
    ("backup-consumers-ignored", {"instances": 2, "server": {"outage": AWAY}, "queue": BACKED_UP}, "", {}),
    (
        "backup-consumers-ignored",
        {"instances": 3, "server": {"outage": {**AWAY, "cause": "broker"}}, "queue": BACKED_UP},
        "",
        {},
    ),
    ("producers-connect", {"producers": 100}, "ok", {}),
    ("producers-connect", {"producers": 101}, "violated", {"queue.max_num_producers": 101}),
    ("producers-connect", {"producers": 101, "queue": {"max_num_producers": -1}}, "ok", {}),
    ("dropped-messages-kept", {"queue": {"failure_rate": 0.1}}, "ok", {}),
    ("dropped-messages-kept", {"queue": {"failure_rate": 0.1, "use_dmq": False}}, "violated", {"queue.use_dmq": True}),
    ("dropped-messages-kept", {"queue": {"use_dmq": False}}, "ok", {}),
    (
        "undeliverable-ends",
        {"queue": {"send_undeliverable_to_dmq": False}},
        "violated",
        {"queue.send_undeliverable_to_dmq": True},
    ),
    (
        "undeliverable-ends",
        {"queue": {"send_undeliverable_to_dmq": False, "failure_mode": "rollback"}},
        "ignored",
        {"queue.send_undeliverable_to_dmq": True},
    ),
    ("broker-covers-destinations", {"server": {"broker_max_count": 100}, "queue": {"max_num_msgs": 100}}, "ok", {}),
    (
        "broker-covers-destinations",
        {"server": {"broker_max_count": 99}, "queue": {"max_num_msgs": 100}},
        "violated",
        {"server.broker_max_count": 100.0},
    ),
    ("broker-covers-destinations", {"server": {"broker_max_size": 1e6}}, "violated", {"server.broker_max_size": 0}),
    ("reconnect-ignored", {"server": {"reconnect_delay": 5.0}}, "ignored", {"server.reconnect_enabled": True}),
    ("reconnect-ignored", {"server": {"reconnect_delay": 5.0, "reconnect_enabled": True}}, "", {}),
    (
        "resize-ignored",
        {"server": {"pool_resize_quantity": 9}},
        "ignored",
        {"server.pool_resize_quantity": 8, "server.pool_idle_timeout": 600.0},
    ),
]


@pytest.mark.parametrize(("rule", "changes", "status", "fix"), CASES)
def test_verdicts_and_cures_beside_each_limit(
    rule: str, changes: dict[str, Any], status: str, fix: dict[str, Any]
) -> None:
    assert verdict("openmq", rule, changes) == (status, fix)


@pytest.mark.parametrize(
    ("size", "message"),
    [
        (2000.0, "Messages sent ahead take at most 2 MB per instance."),
        (8e4, "Messages sent ahead take at most 80 MB per instance."),
        (LOGNORMAL, "Messages sent ahead take on average at most 50 MB per instance."),
    ],
)
def test_memory_has_a_bound_only_where_all_messages_have_one_size(size: Any, message: str) -> None:
    spec = parse(scenario_body("openmq", message_size=size))
    findings = spec.family.derive(spec.system).findings
    assert [item.message for item in findings if item.rule == "openmq.client-memory"] == [message]


def test_the_largest_size_is_told_as_that_of_nearly_all_messages_where_there_is_none() -> None:
    spec = parse(scenario_body("openmq", message_size=LOGNORMAL, queue={"max_bytes_per_msg": 50_000}))
    finding = next(item for item in spec.family.derive(spec.system).findings if item.rule == "openmq.message-fits")
    assert " are larger than 50000 B, 99.9 % are at most " in finding.message
