"""What an MDB carries, flow limits and their thresholds: each rule on both sides of its limit."""

from typing import Any

import pytest

from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import poisson, scenario_body, verdict

CASES: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    ("stable", {"arrivals": poisson(159.0)}, "ok", {}),
    ("stable", {"arrivals": poisson(161.0)}, "violated", {"instances": 2}),
    ("stable", {"arrivals": poisson(161.0), "queue": {"max_active_consumers": 1}}, "violated", {}),
    (
        "stable",
        {"arrivals": poisson(161.0), "queue": {"failure_rate": 0.1}},
        "violated",
        {"queue.bean_pool_maximum": 33},
    ),
    ("stable", {"arrivals": poisson(159.0), "queue": {"failure_rate": 0.1}}, "", {}),
    ("stable", {"arrivals": poisson(1001.0), "queue": {"failure_rate": 0.1}}, "violated", {}),
    ("limit-covers-pool", {"queue": {"consumer_flow_limit": 32}}, "ok", {}),
    ("limit-covers-pool", {"queue": {"consumer_flow_limit": 31}}, "violated", {"queue.consumer_flow_limit": 32}),
    (
        "limit-covers-pool",
        {"queue": {"prefetch": False, "consumer_flow_limit": 8}},
        "violated",
        {"queue.prefetch": True, "queue.consumer_flow_limit": 32},
    ),
    ("threshold-covers-pool", {"queue": {"consumer_flow_limit": 62}}, "ok", {}),
    ("threshold-covers-pool", {"queue": {"consumer_flow_limit": 61}}, "violated", {"queue.consumer_flow_limit": 64}),
    (
        "threshold-covers-pool",
        {"queue": {"consumer_flow_threshold": 0.0}},
        "violated",
        {"queue.consumer_flow_threshold": 50.0},
    ),
    ("round-trip-covered", {"queue": {"round_trip": 0.2, "consumer_flow_limit": 128}}, "ok", {}),
    (
        "round-trip-covered",
        {"queue": {"round_trip": 0.2, "consumer_flow_limit": 127}},
        "violated",
        {"queue.consumer_flow_limit": 128},
    ),
    (
        "connection-covers-pool",
        {"server": {"connection_flow_limit_enabled": True, "connection_flow_limit": 32}},
        "ok",
        {},
    ),
    (
        "connection-covers-pool",
        {"server": {"connection_flow_limit_enabled": True, "connection_flow_limit": 31}},
        "violated",
        {"server.connection_flow_limit": 32},
    ),
    ("connection-covers-pool", {}, "", {}),
    (
        "connection-limit-ignored",
        {"server": {"connection_flow_limit": 999}},
        "ignored",
        {"server.connection_flow_limit_enabled": True},
    ),
    ("connection-limit-ignored", {}, "", {}),
    ("cluster-hoarding", {"instances": 2, "queue": {"consumer_flow_limit": 256, "round_trip": 0.0}}, "ok", {}),
    (
        "cluster-hoarding",
        {"instances": 2, "queue": {"consumer_flow_limit": 257, "round_trip": 0.0}},
        "violated",
        {"queue.consumer_flow_limit": 64},
    ),
    ("urgent-overtake", {"queue": {"consumer_flow_limit": 64, "round_trip": 0.0, "urgent_share": 0.1}}, "ok", {}),
    (
        "urgent-overtake",
        {"queue": {"consumer_flow_limit": 65, "round_trip": 0.0, "urgent_share": 0.1}},
        "violated",
        {"queue.consumer_flow_limit": 64},
    ),
    ("urgent-overtake", {"queue": {"urgent_share": 1.0}}, "", {}),
    ("shared-topic-limit", {"kind": "topic", "instances": 2, "queue": {"shared_consumer_flow_limit": 32}}, "ok", {}),
    (
        "shared-topic-limit",
        {"kind": "topic", "instances": 2, "queue": {"shared_consumer_flow_limit": 31}},
        "violated",
        {"queue.shared_consumer_flow_limit": 32},
    ),
    (
        "shared-limit-ignored",
        {"queue": {"shared_consumer_flow_limit": 6}},
        "ignored",
        {"queue.shared_consumer_flow_limit": 5},
    ),
    ("shared-limit-ignored", {"kind": "topic", "instances": 2, "queue": {"shared_consumer_flow_limit": 6}}, "", {}),
    (
        "lower-limit-counts",
        {"queue": {"consumer_flow_limit": 64}},
        "ignored",
        {"queue.destination_consumer_flow_limit": 64},
    ),
    (
        "lower-limit-counts",
        {"queue": {"destination_consumer_flow_limit": -1}},
        "ignored",
        {"queue.destination_consumer_flow_limit": 1000},
    ),
    ("lower-limit-counts", {}, "", {}),
    ("prefetch-off", {"queue": {"prefetch": False}}, "ignored", {"queue.prefetch": True}),
]


@pytest.mark.parametrize(("rule", "changes", "status", "fix"), CASES)
def test_verdicts_and_cures_beside_each_limit(
    rule: str, changes: dict[str, Any], status: str, fix: dict[str, Any]
) -> None:
    assert verdict("openmq", rule, changes) == (status, fix)


@pytest.mark.parametrize(
    ("round_trip", "case"), [(0.0, ""), (0.05, ", exponential times and a broker that answers at once")]
)
def test_a_mean_of_the_formula_says_for_what_it_holds(round_trip: float, case: str) -> None:
    queue = {"consumer_flow_limit": 16, "round_trip": round_trip}
    spec = parse(scenario_body("openmq", service={"kind": "exponential", "mean": 0.2}, queue=queue))
    derivation = spec.family.derive(spec.system)
    said = next(item.message for item in derivation.findings if item.rule == "openmq.threshold-covers-pool")
    assert f"by formula, for a queue that is never empty{case}, on average 12.07 of 32 beans work" in said
    (title,) = (item.title for item in derivation.values if item.name == "mean_concurrency_saturated")
    assert title == f"Mean parallel onMessage for a queue that is never empty{case}"
