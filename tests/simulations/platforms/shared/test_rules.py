"""Every rule of every family is broken once by a scenario made for it, and none is broken without a reason."""

from typing import Any

import pytest

from simulations.analysis.estimates.summary import Finding
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import parse
from tests.simulations.platforms.broken_rules import (
    ADJUNCT,
    ADVICE,
    BROKEN,
    BUS,
    NON_ASF,
    SLOW,
    SPEC,
    THRESHOLDS,
    WORK,
    work,
)
from tests.simulations.platforms.samples import scenario_body

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


GONE = {"start": 60, "duration": 90, "cause": "broker"}
FAST = {"kind": "poisson", "rate": 10_000.0}
OTHERWISE: list[tuple[str, dict[str, Any]]] = [
    ("websphere-zos.stable", {"arrivals": {"kind": "poisson", "rate": 100.0}}),
    ("weblogic.producers-keep-limit", {"queue": {**THRESHOLDS, "messages_per_producer": 9}}),
    (
        "websphere-zos.ports-come-back",
        {
            "server": {
                "zos_recovery": True,
                "recovery_interval": 10,
                "outage": {"start": 60, "duration": 90, "cause": "queue_manager"},
            }
        },
    ),
    ("websphere.ports-come-back", {"server": {"recovery_interval": 10, "outage": GONE}}),
    ("websphere.ports-come-back", {"server": {"recovery_interval": 0, "outage": GONE}}),
    ("openmq.mdbs-come-back", {"server": {"reconnect_enabled": True, "reconnect_retries": 1, "outage": GONE}}),
    ("weblogic.foreign-topic", {"queue": {"acknowledged_failures": 0.1}}),
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
    ("openmq.behavior-ignored", {"queue": {"limit_behavior": "REMOVE_LOW_PRIORITY", "max_num_msgs": 100}}),
    ("websphere.bmt-rollback-ignored", {"queue": {"selection_time": 0.01}}),
    ("websphere.port-settings-ignored", {"queue": {**SPEC, "unsuitable_messages": 3.0}}),
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
            named = isinstance(entity, list)
            entity = next(item for item in entity if item["name"] == key) if named else entity[key]
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


@pytest.mark.parametrize(
    ("platform", "changes"),
    [
        ("websphere-zos", {"queue": {"maximum_sessions": 36}}),
        ("websphere", {"queue": {"maximum_sessions": 5}}),
        ("weblogic", {}),
    ],
)
def test_a_topic_is_offered_to_every_member(platform: str, changes: dict[str, Any]) -> None:
    """Three members get each message: a third of what they carry together is too much already."""
    body = scenario_body(platform, kind="topic", instances=3, **changes)
    spec = parse(body)
    most = spec.family.carried(spec.system, spec.queues[0]) if spec.family.carried else None
    assert most is not None
    for load, verdict in ((0.9, "ok"), (1.1, "violated")):
        body["queues"][0]["arrivals"]["rate"] = load * most / 3
        system = parse(body).system
        found = [item for item in spec.family.derive(system).findings if item.rule == f"{platform}.stable"]
        assert [item.status for item in found] == [verdict]
        assert found[0].details["arrival_rate"] == pytest.approx(load * most)
