"""The MDB throttle: each rule on both sides of its limit."""

from typing import Any

import pytest

from simulations.platforms.websphere_zos import WEBSPHERE_ZOS, formulas
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import poisson, scenario_body, verdict

ADJUNCT = {"endpoint": "activation_spec"}
TEN_THREADS = {"workload_profile": "CUSTOM", "custom_threads": 10}
CASES: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    ("stable", {"server": TEN_THREADS, "arrivals": poisson(49.0), "queue": {"maximum_sessions": 40}}, "ok", {}),
    (
        "stable",
        {"server": TEN_THREADS, "arrivals": poisson(51.0), "queue": {"maximum_sessions": 40}},
        "violated",
        {"instances": 2},
    ),
    ("stable", {"server": TEN_THREADS, "arrivals": poisson(20.0)}, "violated", {"queue.maximum_sessions": 20}),
    ("low-covers-threads", {"server": TEN_THREADS, "queue": {"maximum_sessions": 18}}, "ok", {}),
    (
        "low-covers-threads",
        {"server": TEN_THREADS, "queue": {"maximum_sessions": 17}},
        "violated",
        {"queue.maximum_sessions": 20},
    ),
    ("2xwt", {"server": TEN_THREADS, "queue": {"maximum_sessions": 20}}, "ok", {}),
    ("2xwt", {"server": TEN_THREADS, "queue": {"maximum_sessions": 19}}, "violated", {"queue.maximum_sessions": 20}),
    ("2xwt", {"server": TEN_THREADS, "queue": {"maximum_sessions": 19, "low_equals_high": True}}, "", {}),
    ("sessions-above-threads", {"server": TEN_THREADS, "queue": {"maximum_sessions": 10}}, "ok", {}),
    (
        "sessions-above-threads",
        {"server": TEN_THREADS, "queue": {"maximum_sessions": 9}},
        "violated",
        {"queue.maximum_sessions": 20},
    ),
    ("urgent-overtake", {"server": TEN_THREADS, "queue": {"urgent_share": 0.1, "maximum_sessions": 20}}, "ok", {}),
    (
        "urgent-overtake",
        {"server": TEN_THREADS, "queue": {"urgent_share": 0.1, "maximum_sessions": 21}},
        "violated",
        {"queue.maximum_sessions": 20},
    ),
    ("urgent-overtake", {"queue": {"urgent_share": 1.0, "maximum_sessions": 21}}, "", {}),
    (
        "ready-backlog",
        {
            "server": TEN_THREADS,
            "arrivals": {"kind": "surge", "count": 5, "at": 0.0},
            "queue": {"maximum_sessions": 22},
        },
        "ok",
        {},
    ),
    (
        "ready-backlog",
        {
            "server": TEN_THREADS,
            "arrivals": {"kind": "surge", "count": 5, "at": 0.0},
            "queue": {"maximum_sessions": 21},
        },
        "violated",
        {"queue.maximum_sessions": 40},
    ),
    ("throttle-bypassed", {"server": TEN_THREADS, "queue": {"maximum_sessions": 999}}, "ok", {}),
    (
        "throttle-bypassed",
        {"server": TEN_THREADS, "queue": {"maximum_sessions": 1000}},
        "violated",
        {"queue.maximum_sessions": 40},
    ),
    ("order-needs-one-session", {}, "ok", {}),
    ("order-needs-one-session", {"instances": 2}, "violated", {"instances": 1}),
    ("order-needs-one-session", {"instances": 2, "queue": {"urgent_share": 0.1}}, "ok", {}),
    ("order-needs-one-session", {"queue": {**ADJUNCT, "maximum_server_sessions": 2}}, "ok", {}),
    ("agent-keeps-up", {"server": TEN_THREADS, "queue": {"queue_agent_time": 0.02, "maximum_sessions": 20}}, "ok", {}),
    (
        "agent-keeps-up",
        {"server": TEN_THREADS, "queue": {"queue_agent_time": 0.021, "maximum_sessions": 20}},
        "violated",
        {},
    ),
    ("agent-keeps-up", {"server": TEN_THREADS, "queue": {"queue_agent_time": 0.021, "maximum_sessions": 9}}, "ok", {}),
    (
        "agent-keeps-up",
        {
            "server": TEN_THREADS,
            "queue": {"queue_agent_time": 0.021, "maximum_sessions": 20},
            "service": {"kind": "exponential", "mean": 0.2, "cpu": 1.0},
        },
        "",
        {},
    ),
]


@pytest.mark.parametrize(("rule", "changes", "status", "fix"), CASES)
def test_verdicts_and_cures_beside_each_limit(
    rule: str, changes: dict[str, Any], status: str, fix: dict[str, Any]
) -> None:
    assert verdict("websphere-zos", rule, changes) == (status, fix)


def test_the_largest_of_several_throttles_is_narrowed_until_the_queue_bears_all() -> None:
    body = scenario_body("websphere-zos", server={**TEN_THREADS, "wlm_queue_capacity": 30}, queue={})
    body["queues"] = [
        {**body["queues"][0], "name": name, "settings": {"maximum_sessions": sessions}}
        for name, sessions in (("small", 20), ("large", 60))
    ]
    findings = WEBSPHERE_ZOS.derive(parse(body).system).findings
    (found,) = [item for item in findings if item.rule == "websphere-zos.queue-bears-throttles"]
    threads = 80 - int(found.details["queued_most"])
    assert dict(found.fix) == {"queues.large.settings.maximum_sessions": 30 + threads - 20}


def test_a_flood_meets_the_threads_of_the_start_only() -> None:
    """30 in flight, 24 threads of one servant and a WLM queue of 5: a flood is worked off at 0.04/s, not at 148/s."""
    server = {"min_servants": 1, "max_servants": 3, "wlm_queue_capacity": 5}
    queue = {"endpoint": "activation_spec", "maximum_server_sessions": 10}
    body = scenario_body("websphere-zos", server=server, queue=queue)
    body["servers"][0]["cpus"] = 8
    system = parse(body).system
    assert formulas.queued_most(system, system.servers[0]) == 6
    assert formulas.carried(system, system.queues[0]) is None
    body["servers"][0]["settings"]["wlm_queue_capacity"] = 6
    system = parse(body).system
    assert formulas.carried(system, system.queues[0]) == pytest.approx(150, rel=0.02)
