"""What a simulated point of Open MQ says about dry beans, imbalance and lost messages, and what broken rules cost."""

from typing import Any

import pytest

from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.platforms.openmq import OPENMQ
from simulations.scenario.spec import ScenarioSpec, parse
from tests.simulations.platforms.samples import empty_summary, scenario_body


def mdb(instances: int = 1, server: dict[str, Any] | None = None, **settings: Any) -> ScenarioSpec:
    changes = {"instances": instances, "arrivals": {"kind": "saturated"}}
    return parse(scenario_body("openmq", server=server, queue={"round_trip": 0.0, **settings}, **changes))


def seen(idle: float = 0.0, **metrics: float) -> PointSummary:
    """A point with so many idle threads, in which these metrics of the queue were measured."""
    values = {name.replace("__", "."): Estimate(value, value, value, "messages") for name, value in metrics.items()}
    held = Estimate(idle, idle, idle, "threads")
    blocked = {"payments": {"threads.idle_blocked": held, "threads.idle_given_blocked": held}}
    return empty_summary(queues={"orders": values}, servers=blocked)


def claims(spec: ScenarioSpec, summary: PointSummary) -> dict[str, str]:
    return {claim.id.removeprefix("orders."): claim.sentence for claim in OPENMQ.explain(spec.system, summary)}


def test_dry_beans_are_told_as_they_were_measured() -> None:
    (claim,) = OPENMQ.explain(mdb(consumer_flow_limit=32).system, seen(4.0, throughput=100.0))
    assert claim.sentence == (
        "While flow limits keep messages on the broker, on average 4 of 32 beans have nothing to do: "
        "the broker tops up only when 16 messages are left."
    )
    assert (claim.metric, claim.condition) == ("threads.idle_given_blocked", "messages held back")
    assert claim.about == {"server": "payments"}


@pytest.mark.parametrize(
    ("spec", "summary"),
    [
        (mdb(consumer_flow_limit=64), seen(4.0, throughput=100.0)),
        (mdb(consumer_flow_limit=32), seen(0.0, throughput=100.0)),
        (mdb(consumer_flow_limit=32), seen(4.0, throughput=0.0)),
    ],
)
def test_beans_are_not_dry_where_the_window_covers_them_or_none_idled(
    spec: ScenarioSpec, summary: PointSummary
) -> None:
    assert "dry_beans" not in claims(spec, summary)


def test_an_instance_that_did_more_than_its_share_is_named() -> None:
    assert "imbalance" in claims(mdb(2), seen(balance__busiest_share=0.61))
    assert "imbalance" not in claims(mdb(2), seen(balance__busiest_share=0.6))
    assert "imbalance" not in claims(mdb(1), seen(balance__busiest_share=1.0))
    assert "imbalance" not in claims(mdb(2, consumer_flow_limit=32), seen(balance__busiest_share=0.61))


def test_refused_messages_are_counted() -> None:
    found = claims(mdb(max_num_msgs=100, limit_behavior="REMOVE_OLDEST"), seen(rejected=3.0, dropped=7.0))
    assert found["rejected"] == "3 messages per replication were refused for lack of room on the destination."
    assert found["dropped"] == "7 messages per replication were dropped to make room for newer ones."
    assert claims(mdb(), seen(rejected=0.0, dropped=0.0)) == {}


@pytest.mark.parametrize(
    ("limits", "places"),
    [
        ({"broker_max_count": 100}, "in the broker"),
        ({"broker_max_count": 300}, "on the destination"),
        ({"broker_max_size": 1e6}, "on the destination or in the broker"),
    ],
)
def test_what_had_no_room_for_refused_messages_is_named(limits: dict[str, Any], places: str) -> None:
    found = claims(mdb(server=limits, max_num_msgs=200), seen(rejected=3.0))
    assert found["rejected"].endswith(f" for lack of room {places}.")


def test_the_limit_of_the_connection_is_named_where_it_is_the_narrower_one() -> None:
    limit = {"connection_flow_limit_enabled": True, "connection_flow_limit": 10, "connection_flow_count": 0}
    found = claims(mdb(server=limit), seen(22.0, throughput=100.0))
    assert found["dry_beans"] == (
        "While flow limits keep messages on the broker, on average 22 of 32 beans have nothing to do: "
        "the connection takes more only when at most 9 messages on it are unconsumed."
    )


def test_beans_that_run_dry_while_the_broker_answers_are_told_with_its_time() -> None:
    found = claims(mdb(consumer_flow_limit=64, round_trip=0.2), seen(11.0, throughput=100.0))
    assert found["dry_beans"].endswith("the broker tops up only when 32 messages are left, and takes 200 ms.")


def test_what_a_narrow_window_costs_is_said_by_the_run_of_its_cure_alone() -> None:
    findings = OPENMQ.derive(mdb(consumer_flow_limit=16).system).findings
    costs = {item.rule: dict(OPENMQ.with_cost(item, empty_summary()).cost) for item in findings}
    assert costs["openmq.limit-covers-pool"] == costs["openmq.lower-limit-counts"] == {}
