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
        "While used-up credit keeps messages on the broker, on average 4 of 32 beans have nothing to do: "
        "the broker tops up only when 16 messages are left."
    )
    assert (claim.metric, claim.condition) == ("threads.idle_given_blocked", "credit used up")
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
    found = claims(mdb(), seen(rejected=3.0))
    assert found["rejected"].startswith("3 messages")
    assert claims(mdb(), seen(rejected=0.0)) == {}


def test_what_a_narrow_window_costs_is_said_by_the_run_of_its_cure_alone() -> None:
    findings = OPENMQ.derive(mdb(consumer_flow_limit=16).system).findings
    costs = {item.rule: dict(OPENMQ.with_cost(item, empty_summary()).cost) for item in findings}
    assert costs["openmq.limit-covers-pool"] == costs["openmq.lower-limit-counts"] == {}
