"""Time limits and sessions of listener ports."""

from typing import Any

import pytest

from simulations.platforms.websphere import WEBSPHERE
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import constant, poisson, port, scenario_body, verdict


@pytest.mark.parametrize(
    ("receive", "service", "status"),
    [(100.0, 15.0, "ok"), (105.0, 15.0, "violated"), (110.0, 10.0, "violated"), (110.0, 15.0, "violated")],
)
def test_the_difference_must_be_greater_than_on_message(receive: float, service: float, status: str) -> None:
    """Fact list, examples 12-14: the documented condition is strict."""
    body = scenario_body("websphere", queue={"mode": "non_asf", "receive_timeout": receive})
    body["queues"][0]["service"] = {"kind": "constant", "mean": service}
    findings = {item.rule: item for item in WEBSPHERE.derive(parse(body).system).findings}
    assert findings["websphere.transaction-timeout"].status == status


def test_a_worst_case_that_one_of_a_thousand_exceeds_says_so() -> None:
    body = scenario_body("websphere", queue={"mode": "non_asf", "receive_timeout": 110.0})
    for kind, told in (
        ("constant", "110 + 15 = 125 s"),
        ("exponential", "110 + 103.6 = 213.6 s (up to 1 in 1,000 take longer)"),
    ):
        body["queues"][0]["service"] = {"kind": kind, "mean": 15.0}
        findings = {item.rule: item for item in WEBSPHERE.derive(parse(body).system).findings}
        assert told in findings["websphere.transaction-timeout"].message


def test_a_receive_timeout_as_long_as_the_transaction_is_refused_by_its_own_rule() -> None:
    """Fact list, example 14."""
    findings = WEBSPHERE.derive(port(mode="non_asf", receive_timeout=120.0).system).findings
    assert {item.rule: item.status for item in findings}["websphere.receive-timeout-below-lifetime"] == "violated"


@pytest.mark.parametrize(
    ("settings", "kind", "rule"),
    [
        ({"receive_timeout": 5.0}, "queue", "receive-timeout-ignored"),
        ({"mode": "non_asf", "receive_timeout": 5.0, "maximum_messages": 3}, "queue", "maximum-messages-ignored"),
        ({"mode": "non_asf", "receive_timeout": 5.0, "maximum_sessions": 3}, "topic", "topic-sessions-ignored"),
    ],
)
def test_settings_without_effect_say_so(settings: dict[str, Any], kind: str, rule: str) -> None:
    findings = WEBSPHERE.derive(port(kind=kind, **settings).system).findings
    assert {item.rule: item.status for item in findings}[f"websphere.{rule}"] == "ignored"


NON_ASF = {"mode": "non_asf", "receive_timeout": 100.0}
SPEC = {"mode": "activation_spec"}
EXPONENTIAL = {"kind": "exponential", "mean": 2.0}
CASES: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    ("transaction-timeout", {"service": constant(19.9), "queue": NON_ASF}, "ok", {}),
    ("transaction-timeout", {"service": constant(20.0), "queue": NON_ASF}, "violated", {"queue.receive_timeout": 99.0}),
    (
        "transaction-timeout",
        {"service": constant(120.0), "queue": NON_ASF},
        "violated",
        {"server.total_transaction_timeout": 440.0},
    ),
    ("receive-timeout-below-lifetime", {"queue": {**NON_ASF, "receive_timeout": 119.9}}, "ok", {}),
    (
        "receive-timeout-below-lifetime",
        {"queue": {**NON_ASF, "receive_timeout": 120.0}},
        "violated",
        {"queue.receive_timeout": 117.0},
    ),
    ("quiet-time-rollbacks", {"service": constant(10.0), "queue": NON_ASF}, "ok", {}),
    (
        "quiet-time-rollbacks",
        {"service": constant(30.0), "queue": NON_ASF, "arrivals": poisson(0.02)},
        "violated",
        {"queue.receive_timeout": 89.0},
    ),
    ("pool-covers-sessions", {"queue": {"maximum_sessions": 50}}, "ok", {}),
    ("pool-covers-sessions", {"queue": {"maximum_sessions": 51}}, "violated", {"server.listener_pool_maximum": 51}),
    ("pool-covers-sessions", {"queue": SPEC}, "", {}),
    ("threads-held", {"queue": {**NON_ASF, "maximum_sessions": 7}}, "ok", {}),
    ("connections-shared", {"server": {"sharing_conversations": 2}}, "ok", {}),
    ("connections-shared", {"server": {"sharing_conversations": 1}}, "violated", {"server.sharing_conversations": 10}),
    ("connections-shared", {"queue": {**NON_ASF, "maximum_sessions": 1}}, "", {}),
    ("empty-transactions", {"queue": {"mode": "non_asf", "receive_timeout": 1.0}}, "ok", {}),
    (
        "empty-transactions",
        {"queue": {"mode": "non_asf", "receive_timeout": 0.5}},
        "violated",
        {"queue.receive_timeout": 1.0},
    ),
    ("transaction-covers-batch", {"service": constant(11.9), "queue": {"maximum_messages": 10}}, "ok", {}),
    ("transaction-covers-batch", {"service": EXPONENTIAL, "queue": {"maximum_messages": 10}}, "ok", {}),
    (
        "transaction-covers-batch",
        {"service": constant(12.0), "queue": {"maximum_messages": 10}},
        "violated",
        {"server.total_transaction_timeout": 240.0},
    ),
    ("order-needs-one-session", {}, "ok", {}),
    ("order-needs-one-session", {"instances": 2}, "violated", {"instances": 1}),
    ("order-needs-one-session", {"instances": 2, "queue": {"urgent_share": 0.1}}, "ok", {}),
    ("order-needs-one-session", {"queue": {"maximum_sessions": 2}}, "ok", {}),
]


@pytest.mark.parametrize(
    ("sessions", "start"),
    [
        (1, "2.558 % of the messages that find a session waiting are rolled back"),
        (3, "3.794 % of the messages that find a session waiting, if dealt at random and not in turn as in"),
    ],
)
def test_the_share_that_comes_late_is_told_of_messages_that_find_a_session_waiting(sessions: int, start: str) -> None:
    port = {"mode": "non_asf", "receive_timeout": 110.0, "maximum_sessions": sessions}
    body = scenario_body("websphere", queue=port, service=constant(15.0), arrivals=poisson(0.01))
    findings = WEBSPHERE.derive(parse(body).system).findings
    (said,) = [item.message for item in findings if item.rule == "websphere.quiet-time-rollbacks"]
    assert said.startswith(start)


@pytest.mark.parametrize(("rule", "changes", "status", "fix"), CASES)
def test_verdicts_and_cures_beside_each_limit(
    rule: str, changes: dict[str, Any], status: str, fix: dict[str, Any]
) -> None:
    assert verdict("websphere", rule, changes) == (status, fix)


def test_ports_of_one_pool_hold_its_threads_in_the_order_of_their_list() -> None:
    """A pool of 12 for two ports of 8 sessions leaves 4 to the second one."""
    body = scenario_body("websphere", queue={"mode": "non_asf", "maximum_sessions": 8, "receive_timeout": 20.0})
    body["servers"][0]["settings"] = {"listener_pool_maximum": 12}
    body["queues"].append({**body["queues"][0], "name": "second"})
    found = [item for item in WEBSPHERE.derive(parse(body).system).findings if item.rule == "websphere.threads-held"]
    assert [item.details["threads_held"] for item in found] == [8, 4]
    assert "4 each of threads" in found[1].message
    assert "Of 8 sessions the others get none" in found[1].message
    held = [item for item in WEBSPHERE.derive(parse(body).system).values if item.name == "empty_transactions"]
    assert [item.value for item in held] == [8 / 20, 4 / 20]
