"""Time limits: the last record of a full window, and who reads which limit."""

from typing import Any

import pytest

from simulations.platforms.websphere_zos import WEBSPHERE_ZOS
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import constant, formula_value, scenario_body, surge, verdict


@pytest.mark.parametrize(("service", "status"), [(30.0, "violated"), (25.0, "ok")])
def test_the_tail_of_a_full_window_against_the_queue_timeout(service: float, status: str) -> None:
    """Fact list, example 9: 136.7 s against 118.8 s, and 113.9 s."""
    body = surge(maximum_sessions=100).body()
    body["queues"][0]["service"] = {"kind": "constant", "mean": service}
    spec = parse(body)
    derivation = WEBSPHERE_ZOS.derive(spec.system)
    assert formula_value(derivation, "queue_timeout") == pytest.approx(118.8)
    assert formula_value(derivation, "tail_wait") == pytest.approx(82 * service / 18)
    finding = next(item for item in derivation.findings if item.rule == "websphere-zos.queue-timeout-tail")
    assert finding.status == status
    fixed = finding.fix.get("queues.orders.settings.maximum_sessions")
    if fixed:
        assert 118.8 * 18 / service + 17 <= fixed + 1 <= 118.8 * 18 / service + 19


def test_ports_that_share_threads_share_the_wait() -> None:
    """Two windows of 100 make (200 - 18) x 15 s / 18 of it; by Little's law, too, where their times differ."""
    body = surge(maximum_sessions=100).body()
    body["queues"][0]["service"] = {"kind": "constant", "mean": 15.0}
    body["queues"].append({**body["queues"][0], "name": "others"})
    derivation = WEBSPHERE_ZOS.derive(parse(body).system)
    tails = [item for item in derivation.findings if item.rule == "websphere-zos.queue-timeout-tail"]
    assert {round(item.details["tail_wait_s"], 2) for item in tails} == {151.67}
    assert {item.status for item in tails} == {"violated"}
    most = tails[0].details["max_sessions"]
    body["queues"][0]["settings"]["maximum_sessions"] = most
    body["queues"][1]["settings"] = {**body["queues"][1]["settings"], "maximum_sessions": 100}
    assert _tail_wait(body) < 118.8 <= _tail_wait(body, more=1)
    body["queues"][1]["service"] = {"kind": "constant", "mean": 1.0}
    wait = _tail_wait(body)
    assert most * 15 / (wait + 15) + 100 * 1 / (wait + 1) == pytest.approx(18)


def _tail_wait(body: dict[str, Any], more: int = 0) -> float:
    first = body["queues"][0]
    settings = {**first["settings"], "maximum_sessions": first["settings"]["maximum_sessions"] + more}
    changed = {**body, "queues": [{**first, "settings": settings}, *body["queues"][1:]]}
    findings = WEBSPHERE_ZOS.derive(parse(changed).system).findings
    return next(item.details["tail_wait_s"] for item in findings if item.rule == "websphere-zos.queue-timeout-tail")


def test_a_topic_without_durable_subscription_has_the_other_time_limit() -> None:
    server = {"wlm_dispatch_timeout": 200.0, "iiop_queue_timeout_percent": 50.0}
    for kind, durable, limits in (
        ("topic", False, (100.0, 200.0)),
        ("topic", True, (118.8, 120.0)),
        ("queue", False, (118.8, 120.0)),
    ):
        body = scenario_body("websphere-zos", server=server, queue={"durable_subscription": durable}, kind=kind)
        timeouts = parse(body).network().streams[0].timeouts
        assert timeouts is not None
        assert (timeouts.queue, timeouts.dispatch) == pytest.approx(limits)


ADJUNCT = {"endpoint": "activation_spec"}
TEN_THREADS = {"workload_profile": "CUSTOM", "custom_threads": 10}
CASES: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    (
        "queue-timeout-tail",
        {"server": TEN_THREADS, "service": constant(1.0), "queue": {**ADJUNCT, "maximum_server_sessions": 2980}},
        "violated",
        {"queue.maximum_server_sessions": 2979},
    ),
    (
        "queue-timeout-tail",
        {"server": TEN_THREADS, "service": constant(1.0), "queue": {**ADJUNCT, "maximum_server_sessions": 2979}},
        "ok",
        {},
    ),
    ("mdb-timeout-covers-service", {"service": constant(119.0)}, "ok", {}),
    ("mdb-timeout-covers-service", {"service": constant(120.0)}, "violated", {"server.mdb_request_timeout": 240.0}),
    (
        "mdb-timeout-covers-service",
        {"service": constant(300.0), "queue": ADJUNCT},
        "violated",
        {"server.wlm_dispatch_timeout": 600.0},
    ),
    ("mdb-timeout-covers-service", {"service": constant(300.0), "server": {"mdb_request_timeout": 0.0}}, "", {}),
    ("mdb-timeout-above-transaction", {"server": {"mdb_request_timeout": 301.0}}, "ok", {}),
    (
        "mdb-timeout-above-transaction",
        {"server": {"mdb_request_timeout": 300.0}},
        "violated",
        {"server.mdb_request_timeout": 360.0},
    ),
    (
        "queue-timeout-percent-ignored",
        {"server": {"mdb_request_timeout": 0.0, "mdb_queue_timeout_percent": 50.0}},
        "ignored",
        {"server.mdb_queue_timeout_percent": 99},
    ),
    ("queue-timeout-percent-ignored", {"server": {"mdb_queue_timeout_percent": 50.0}}, "", {}),
    (
        "restart-loses-neighbours",
        {"server": {**TEN_THREADS, "dispatch_timeout_action": "restart_servant"}, "service": constant(120.0)},
        "violated",
        {"server.dispatch_timeout_action": "interrupt"},
    ),
    (
        "restart-loses-neighbours",
        {
            "server": {"workload_profile": "ISOLATE", "dispatch_timeout_action": "restart_servant"},
            "service": constant(120.0),
        },
        "ok",
        {},
    ),
    ("restart-loses-neighbours", {"server": TEN_THREADS, "service": constant(120.0)}, "", {}),
]


def test_what_a_dispatch_timeout_takes_with_it_is_delivered_again() -> None:
    server = {**TEN_THREADS, "dispatch_timeout_action": "restart_servant"}
    findings = WEBSPHERE_ZOS.derive(
        parse(scenario_body("websphere-zos", server=server, service=constant(120.0))).system
    )
    (said,) = [item.message for item in findings.findings if item.rule.endswith("restart-loses-neighbours")]
    assert "up to 9 other messages that it runs are rolled back and delivered again" in said


@pytest.mark.parametrize(("rule", "changes", "status", "fix"), CASES)
def test_verdicts_and_cures_beside_each_limit(
    rule: str, changes: dict[str, Any], status: str, fix: dict[str, Any]
) -> None:
    assert verdict("websphere-zos", rule, changes) == (status, fix)
