"""Every rule of every family is broken once by a scenario made for it, and none is broken without a reason."""

from typing import Any

import pytest

from simulations.analysis.summary import Finding
from simulations.platforms import PLATFORMS
from simulations.scenario import parse
from tests.simulations.platforms.samples import scenario_body

SLOW = {"kind": "exponential", "mean": 500.0}
SURGE = {"kind": "surge", "count": 1000}
BURSTS = {"kind": "periodic_burst", "count": 400, "every": 60.0}
HTTP = [{"name": "http", "arrivals": {"kind": "saturated"}, "service": {"kind": "exponential", "mean": 0.1}}]
RARE = {"kind": "poisson", "rate": "5/h"}
RESTART = {"dispatch_timeout_action": "restart_servant"}
ADJUNCT = {"endpoint": "activation_spec"}
SPEC = {"mode": "activation_spec"}
BUS = {**SPEC, "provider": "default_messaging"}
NON_ASF = {"mode": "non_asf", "receive_timeout": 100.0}
THRESHOLDS = {"messages_threshold_high": 1000, "messages_threshold_low": 500}
DROPS = {"limit_behavior": "REMOVE_OLDEST", "max_num_msgs": 100}
LIMITED = {"name": "pool", "limit": 5, "share": 1.0}
TWO = {"queues": 2}


def work(**values: Any) -> dict[str, Any]:
    return {"server": {"work_managers": [{"name": "work", **values}]}}


WORK = {"work_manager": "work"}
BROKEN: dict[str, dict[str, Any]] = {
    "websphere-zos.stable": {"arrivals": {"kind": "poisson", "rate": 1000.0}, "queue": {"maximum_sessions": 100}},
    "websphere-zos.low-covers-threads": {},
    "websphere-zos.2xwt": {},
    "websphere-zos.sessions-above-threads": {},
    "websphere-zos.ready-backlog": {"arrivals": SURGE, "queue": {"maximum_sessions": 60}},
    "websphere-zos.throttle-bypassed": {"queue": {"maximum_sessions": 100_000}},
    "websphere-zos.order-needs-one-session": {"instances": 2},
    "websphere-zos.agent-keeps-up": {"queue": {"queue_agent_time": 0.1}},
    "websphere-zos.one-low-threshold-rule": {"queue": {"low_equals_high": True}, **TWO},
    "websphere-zos.queue-timeout-tail": {"service": SLOW, "queue": {"maximum_sessions": 100}},
    "websphere-zos.mdb-timeout-covers-service": {"service": SLOW},
    "websphere-zos.mdb-timeout-above-transaction": {},
    "websphere-zos.queue-timeout-percent-ignored": {
        "server": {"mdb_request_timeout": 0, "mdb_queue_timeout_percent": 50}
    },
    "websphere-zos.restart-loses-neighbours": {
        "service": SLOW, "server": {"dispatch_timeout_action": "restart_servant"},
    },
    "websphere-zos.retries-stop-port": {"queue": {"poison_rate": 0.01}},
    "websphere-zos.backout-before-retries": {"queue": {"backout_threshold": 5, "maximum_retries": 3}},
    "websphere-zos.custom-threads-ignored": {"server": {"custom_threads": 7}},
    "websphere-zos.thread-rule-ignored": {"server": {"thread_rule": "plain", "workload_profile": "LONGWAIT"}},
    "websphere-zos.servants-start-late": {"server": {"max_servants": 3}},
    "websphere-zos.last-servant-spared": {"service": SLOW, "server": RESTART},
    "websphere-zos.listeners-pause": {"server": {**RESTART, "servant_start_time": 300.0}},
    "websphere-zos.servant-end-ignored": {"server": {"timeout_delay": 5.0, "save_last_servant": True}},
    "websphere-zos.servants-cover-classes": {"server": {"service_classes": 3}},
    "websphere-zos.instances-ignored": {"server": {"max_servants": 3, "multiple_instances": False}},
    "websphere-zos.ports-come-back": {},
    "websphere-zos.maximum-transaction-timeout": {"server": {"total_transaction_timeout": 400.0}},
    "websphere-zos.transaction-covers-service": {"service": SLOW},
    "websphere-zos.session-pool-covers-sessions": {"queue": {"maximum_sessions": 60, "session_pool_maximum": 10}},
    "websphere-zos.durable-subscription-ignored": {"queue": {"durable_subscription": False}},
    "websphere-zos.dispatch-timeout-ignored": {"server": {"wlm_dispatch_timeout": 1200}},
    "websphere-zos.in-flight-positive": {"queue": {**ADJUNCT, "in_flight_scale_factor": 0.0}},
    "websphere-zos.in-flight-2xwt": {"queue": ADJUNCT},
    "websphere-zos.in-flight-bounds-queue": {"queue": {**ADJUNCT, "maximum_server_sessions": 100_000}},
    "websphere-zos.server-sessions-survive-quiet-times": {"queue": ADJUNCT, "arrivals": RARE},
    "websphere-zos.failure-count-ignored": {
        "queue": {**ADJUNCT, "stop_if_delivery_fails": False, "failure_delivery_count": 3}
    },
    "websphere-zos.endpoint-settings-ignored": {"queue": {"in_flight_constant": 5}},
    "websphere-zos.dispatch-timeout-above-transaction": {"queue": ADJUNCT},
    "websphere-zos.mdb-timeouts-ignored": {"queue": ADJUNCT, "server": {"mdb_request_timeout": 400.0}},
    "websphere.port-starts": {"queue": {"initial_state": "STOP"}},
    "websphere.session-pool-covers-sessions": {"queue": {"maximum_sessions": 25, "session_pool_maximum": 10}},
    "websphere.connection-pool-covers-ports": {"server": {"connection_pool_maximum": 1}, **TWO},
    "websphere.listener-pool-bounds": {"server": {"listener_pool_minimum": 60}},
    "websphere.threads-survive-quiet-times": {"queue": {"maximum_sessions": 20}, "arrivals": RARE},
    "websphere.handles-survive-quiet-times": {"queue": {"maximum_sessions": 20}, "arrivals": RARE},
    "websphere.session-pool-properties-ignored": {"queue": {**NON_ASF, "session_reap_time": 60.0}},
    "websphere.bmt-rollback-ignored": {"queue": {"bmt_rollback": True}},
    "websphere.ports-come-back": {"server": {"recovery_retries": 0}},
    "websphere.maximum-transaction-timeout": {"server": {"maximum_transaction_timeout": 60.0}},
    "websphere.transaction-timeout": {"queue": NON_ASF, "service": {"kind": "constant", "mean": 30.0}},
    "websphere.receive-timeout-below-lifetime": {"queue": {"mode": "non_asf", "receive_timeout": 120.0}},
    "websphere.quiet-time-rollbacks": {
        "queue": NON_ASF,
        "service": {"kind": "constant", "mean": 30.0},
        "arrivals": {"kind": "poisson", "rate": "1/min"},
    },
    "websphere.receive-timeout-ignored": {"queue": {"receive_timeout": 5.0}},
    "websphere.maximum-messages-ignored": {"queue": {**NON_ASF, "maximum_messages": 5}},
    "websphere.topic-sessions-ignored": {"queue": {**NON_ASF, "maximum_sessions": 5}, "kind": "topic"},
    "websphere.pool-covers-sessions": {"queue": {"maximum_sessions": 60}},
    "websphere.connections-shared": {"server": {"sharing_conversations": 1}},
    "websphere.empty-transactions": {"queue": {"mode": "non_asf", "receive_timeout": 0.1}},
    "websphere.transaction-covers-batch": {"queue": {"maximum_messages": 1000}},
    "websphere.order-needs-one-session": {"instances": 2},
    "websphere.retries-stop-port": {"queue": {"failure_rate": 0.01}},
    "websphere.backout-before-retries": {"queue": {"backout_threshold": 5}},
    "websphere.stable": {"arrivals": {"kind": "poisson", "rate": 1000.0}},
    "websphere.adapter-pool-covers-sessions": {"queue": {**SPEC, "maximum_server_sessions": 60}},
    "websphere.start-timeout-covers-wait": {"queue": {**SPEC, "maximum_server_sessions": 60}, "service": SLOW},
    "websphere.bean-pool-covers-endpoints": {"queue": {**BUS, "maximum_concurrent_endpoints": 501}},
    "websphere.server-sessions-survive-quiet-times": {"queue": SPEC, "arrivals": RARE},
    "websphere.failure-count-ignored": {
        "queue": {**SPEC, "stop_if_delivery_fails": False, "failure_delivery_count": 3}
    },
    "websphere.activation-settings-ignored": {"queue": {"maximum_server_sessions": 20, "start_timeout": 5.0}},
    "websphere.port-settings-ignored": {"queue": {**SPEC, "maximum_sessions": 20, "receive_timeout": 5.0}},
    "websphere.adapter-pool-ignored": {"server": {"adapter_pool_maximum": 60}},
    "weblogic.stable": {"arrivals": {"kind": "poisson", "rate": 1000.0}},
    "weblogic.limit-of-16": {},
    "weblogic.fair-share-keeps-16": {**work(fair_share=90), "queue": WORK},
    "weblogic.beans-cover-constraint": {**work(max_threads=50), "queue": {**WORK, "max_beans_in_free_pool": 30}},
    "weblogic.work-manager-declared": {"queue": WORK},
    "weblogic.shared-constraint": {
        "server": {
            "constraints": [{"name": "c", "kind": "max_threads", "count": 5}],
            "work_managers": [{"name": "a", "max_threads": "c"}, {"name": "b", "max_threads": "c"}],
        }
    },
    "weblogic.reserved-threads-fit": work(min_threads=500),
    "weblogic.capacity-covers-threads": {**work(capacity=3), "queue": WORK},
    "weblogic.reserve-for-steady-work": {"background": HTTP},
    "weblogic.share-for-bursts": {**work(min_threads=16), "queue": WORK, "arrivals": BURSTS, "background": HTTP},
    "weblogic.pool-size-ignored": {"server": {"default_thread_pool_size": 20}},
    "weblogic.downstream-covers-threads": {"queue": {"downstream": LIMITED}},
    "weblogic.compatibility-topic": {"kind": "topic"},
    "weblogic.foreign-topic": {"kind": "topic", "queue": {"transactional": False, "destination": "foreign"}},
    "weblogic.unit-of-order": {"kind": "topic", "queue": {"transactional": False, "unit_of_order": True}},
    "weblogic.distribution-mode-ignored": {"queue": {"topic_messages_distribution_mode": "One-Copy-Per-Server"}},
    "weblogic.batching-needs-transaction": {"queue": {"transactional": False, "max_messages_in_transaction": 5}},
    "weblogic.batch-fits-timeout": {"queue": {"max_messages_in_transaction": 5000}},
    "weblogic.batches-form": {"queue": {"max_messages_in_transaction": 5}},
    "weblogic.polling-ignored": {"queue": {"use_81_style_polling": True}},
    "weblogic.polling-pins-threads": {"queue": {"use_81_style_polling": True, "destination": "foreign"}},
    "weblogic.pipeline-hoards": {},
    "weblogic.redelivery-ends": {"queue": {"poison_rate": 0.01}},
    "weblogic.error-destination": {"queue": {"redelivery_limit": 3}},
    "weblogic.flow-control-acts": {},
    "weblogic.flow-minimum-bounds": {"queue": THRESHOLDS, "producers": 10},
    "weblogic.send-timeout": {"queue": {"messages_quota": 100}},
    "weblogic.one-way-sends": {"queue": {"one_way_send_mode": "enabled"}},
    "weblogic.initial-beans": {"queue": {"initial_beans_in_free_pool": 40}},
    "weblogic.every-member": {"queue": {"distributed_destination_connection": "EveryMember"}},
    "weblogic.suspension-grows": {"queue": {"init_suspend": 90.0}},
    "weblogic.not-stuck": {"service": SLOW},
    "weblogic.shared-capacity": {"server": {"shared_capacity": 10}},
    "openmq.stable": {"arrivals": {"kind": "poisson", "rate": 1000.0}},
    "openmq.limit-covers-pool": {"queue": {"consumer_flow_limit": 16}},
    "openmq.threshold-covers-pool": {"queue": {"consumer_flow_limit": 32}},
    "openmq.round-trip-covered": {"queue": {"consumer_flow_limit": 64, "round_trip": 1.0}},
    "openmq.connection-covers-pool": {"server": {"connection_flow_limit_enabled": True, "connection_flow_limit": 8}},
    "openmq.connection-limit-ignored": {"server": {"connection_flow_limit": 8}},
    "openmq.cluster-hoarding": {"instances": 2},
    "openmq.shared-topic-limit": {"instances": 2, "kind": "topic"},
    "openmq.shared-limit-ignored": {"queue": {"shared_consumer_flow_limit": 9}},
    "openmq.lower-limit-counts": {"queue": {"consumer_flow_limit": 64}},
    "openmq.prefetch-off": {"queue": {"prefetch": False}},
    "openmq.client-memory": {"message_size": "1MB"},
    "openmq.threads-cover-pools": {"server": {"max_pool_size": 300}},
    "openmq.steady-pool": {"server": {"steady_pool_size": 64}},
    "openmq.rollbacks-end": {"queue": {"failure_mode": "rollback"}},
    "openmq.redelivery-holds-beans": {"queue": {"poison_rate": 0.01}},
    "openmq.producers-slowed": {"queue": {"max_num_msgs": 100}},
    "openmq.message-fits": {"queue": {"max_bytes_per_msg": 500}},
    "openmq.consumers-take-part": {"queue": {"max_active_consumers": 1}, "instances": 3},
    "openmq.backup-consumers-ignored": {"queue": {"max_backup_consumers": 1}},
    "openmq.producers-connect": {"queue": {"max_num_producers": 2}, "producers": 3},
    "openmq.dropped-messages-kept": {"queue": {**DROPS, "use_dmq": False}},
    "openmq.undeliverable-ends": {"queue": {"send_undeliverable_to_dmq": False}},
    "openmq.broker-covers-destinations": {"server": {"broker_max_count": 100, "broker_max_size": 10_000.0}},
    "openmq.reconnect-ignored": {"server": {"reconnect_retries": 5}},
    "openmq.resize-ignored": {"server": {"pool_idle_timeout": 60.0}},
    "openmq.behavior-ignored": {"queue": {"limit_behavior": "FLOW_CONTROL"}},
}  # fmt: skip
"""Rule -> what makes it fail, or makes a setting have no effect."""
ADVICE: dict[str, dict[str, Any]] = {
    "websphere-zos.shared-threads": {"queue": {}, **TWO},
    "websphere.threads-held": {"queue": NON_ASF},
    "websphere.restart-needed": {},
    "websphere.migrate-listener-ports": {},
    "weblogic.flow-admits": {"queue": THRESHOLDS},
    "weblogic.one-queue-for-all": {"instances": 3},
}
"""Rules that tell a fact and cannot be broken."""
ALL = [rule.id for family in PLATFORMS.values() for rule in family.rules]


def findings(rule: str, **changes: Any) -> list[Finding]:
    system = parse(broken_body(rule, changes)).system
    return [item for item in PLATFORMS[rule.split(".")[0]].derive(system).findings if item.rule == rule]


def test_every_rule_has_a_case() -> None:
    assert set(ALL) == {*BROKEN, *ADVICE}


@pytest.mark.parametrize("rule", BROKEN)
def test_a_broken_rule_is_found_with_a_sentence(rule: str) -> None:
    found = [item for item in findings(rule, **BROKEN[rule]) if item.status in ("violated", "ignored")]
    assert found
    assert found[0].message[0].isupper() or found[0].message[0].isdigit()
    assert found[0].source.document
    assert found[0].source.place


@pytest.mark.parametrize("rule", ADVICE)
def test_advice_is_given_where_it_applies(rule: str) -> None:
    assert {item.status for item in findings(rule, **ADVICE[rule])} == {"ok"}


FAST = {"kind": "poisson", "rate": 10_000.0}
OTHERWISE: list[tuple[str, dict[str, Any]]] = [
    ("websphere-zos.stable", {"arrivals": {"kind": "poisson", "rate": 100.0}}),
    ("websphere-zos.stable", {"arrivals": FAST, "queue": {"maximum_sessions": 100, "queue_agent_time": 0.01}}),
    ("websphere.stable", {"arrivals": FAST, "queue": {"session_pool_maximum": 5}}),
    ("websphere-zos.stable", {"arrivals": {"kind": "poisson", "rate": 100.0}, "queue": ADJUNCT}),
    ("websphere-zos.in-flight-2xwt", {"queue": {**ADJUNCT, "in_flight_scale_factor": 0.0, "in_flight_constant": 3}}),
    ("websphere-zos.endpoint-settings-ignored", {"queue": {**ADJUNCT, "maximum_sessions": 36}}),
    ("websphere-zos.queue-timeout-tail", {"queue": {**ADJUNCT, "maximum_server_sessions": 900}, "service": SLOW}),
    ("websphere-zos.mdb-timeout-covers-service", {"queue": ADJUNCT, "service": SLOW}),
    ("websphere-zos.retries-stop-port", {"queue": {**ADJUNCT, "poison_rate": 0.01}}),
    ("websphere.stable", {"arrivals": FAST, "queue": SPEC}),
    ("websphere.stable", {"arrivals": FAST, "queue": BUS}),
    ("websphere.retries-stop-port", {"queue": {**SPEC, "failure_rate": 0.01}}),
    ("websphere.retries-stop-port", {"queue": {**SPEC, "poison_rate": 0.01, "stop_if_delivery_fails": False}}),
    ("websphere.backout-before-retries", {"queue": {**SPEC, "backout_threshold": 5}}),
    ("websphere.activation-settings-ignored", {"queue": {**SPEC, "mdb_pool_maximum": 20}}),
    ("websphere.activation-settings-ignored", {"queue": {**BUS, "start_timeout": 20.0}}),
    ("websphere.transaction-timeout", {"queue": NON_ASF, "service": {"kind": "constant", "mean": 200.0}}),
    (
        "websphere.receive-timeout-below-lifetime",
        {"queue": {**NON_ASF, "receive_timeout": 130.0}, "service": {"kind": "constant", "mean": 200.0}},
    ),
    ("websphere.quiet-time-rollbacks", {"queue": NON_ASF, "service": {"kind": "exponential", "mean": 60.0}}),
    ("websphere.session-pool-properties-ignored", {"queue": {"session_unused_timeout": 0, "session_reap_time": 9.0}}),
    ("weblogic.stable", {"arrivals": FAST}),
    ("weblogic.stable", {"arrivals": {"kind": "poisson", "rate": 3000.0}, "queue": {"execute_queue_size": 4}}),
    ("weblogic.stable", {"arrivals": {"kind": "poisson", "rate": 200.0}, "queue": {"max_beans_in_free_pool": 8}}),
    ("weblogic.pool-size-ignored", {"server": {"thread_pool_minimum": 5}}),
    ("weblogic.pool-size-ignored", {"server": {"self_tuning": False, "thread_pool_maximum": 50}}),
    ("weblogic.send-timeout", {"queue": {"send_timeout": 2.0}}),
    ("weblogic.one-way-sends", {"queue": {"one_way_send_window": 5}}),
    (
        "weblogic.one-way-sends",
        {"queue": {"one_way_send_mode": "enabled", "one_way_send_window": 5, "messages_quota": 10}},
    ),
    ("weblogic.shared-capacity", {**work(capacity=90_000), "queue": WORK}),
    (
        "openmq.message-fits",
        {"queue": {"max_bytes_per_msg": 5000}, "message_size": {"kind": "exponential", "mean": 1000.0}},
    ),
    ("openmq.lower-limit-counts", {"queue": {"destination_consumer_flow_limit": 64}}),
    ("openmq.undeliverable-ends", {"queue": {"send_undeliverable_to_dmq": False, "failure_mode": "rollback"}}),
    ("openmq.broker-covers-destinations", {"server": {"broker_max_count": 100}, "queue": {"max_num_msgs": 500}}),
]
"""Further ways to break a rule, which have other cures."""
NO_CURE = {
    "websphere-zos.agent-keeps-up": "the time of the queue agent is measured, not set",
    "weblogic.error-destination": "only the reader knows the name of a destination",
    "weblogic.flow-control-acts": "thresholds are a choice, and switching off what is on by default changes nothing",
}
CASES = [*((rule, changes) for rule, changes in BROKEN.items() if rule not in NO_CURE), *OTHERWISE]


def broken_body(rule: str, changes: dict[str, Any]) -> dict[str, Any]:
    """The scenario that breaks the rule."""
    changes = dict(changes)
    background, copies = changes.pop("background", []), changes.pop("queues", 1)
    body = scenario_body(rule.split(".")[0], **changes)
    body["servers"][0]["background"] = background
    for number in range(1, copies):
        body["queues"].append({**body["queues"][0], "name": f"copy{number}", "settings": {}})
    return body


def broken(rule: str, body: dict[str, Any]) -> list[Finding]:
    found = PLATFORMS[rule.split(".")[0]].derive(parse(body).system).findings
    return [item for item in found if item.rule == rule and item.status != "ok"]


@pytest.mark.parametrize(("rule", "changes"), CASES, ids=[rule for rule, _ in CASES])
def test_every_broken_rule_has_a_cure_that_cures_it(rule: str, changes: dict[str, Any]) -> None:
    """One step of the fix leads to a scenario in which the rule is kept or no longer applies."""
    body = broken_body(rule, changes)
    before = broken(rule, body)
    assert before, "the case breaks the rule"
    fixes = [item.fix for item in before if item.fix]
    assert fixes, "the rule offers a cure"
    for path, value in fixes[0].items():
        kind, name, *keys = path.split(".")
        entity = next(item for item in body[kind] if item["name"] == name)
        for key in keys[:-1]:
            entity = entity[key]
        entity[keys[-1]] = value
    assert [item.message for item in broken(rule, body)] == []


@pytest.mark.parametrize("rule", NO_CURE)
def test_rules_without_a_definite_cure_offer_none(rule: str) -> None:
    assert [item.fix for item in broken(rule, broken_body(rule, BROKEN[rule]))] == [{}]


def test_no_cure_asks_for_more_than_a_cluster_can_have() -> None:
    body = scenario_body("weblogic", arrivals=FAST, queue={"execute_queue_size": 4})
    assert [item.fix for item in broken("weblogic.stable", body)] == [{}]


@pytest.mark.parametrize("platform", ["websphere-zos", "websphere", "weblogic"])
def test_more_members_are_no_cure_for_a_topic(platform: str) -> None:
    """Each member gets every message of it."""
    body = scenario_body(platform, kind="topic", arrivals=FAST)
    assert all(not item.fix for item in broken(f"{platform}.stable", body))
