"""What a simulated point of Open MQ says about dry beans, imbalance and lost messages, and what broken rules cost."""

from typing import Any

import pytest

from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.analysis.theory.throttle import window_mean_busy
from simulations.platforms.openmq import OPENMQ
from simulations.scenario.spec import ScenarioSpec, parse
from tests.simulations.platforms.samples import empty_summary, scenario_body


def mdb(instances: int = 1, server: dict[str, Any] | None = None, **settings: Any) -> ScenarioSpec:
    changes = {"instances": instances, "arrivals": {"kind": "saturated"}}
    return parse(scenario_body("openmq", server=server, queue={"round_trip": 0.0, **settings}, **changes))


def seen(idle: float = 0.0, **metrics: float) -> PointSummary:
    """A point with so many idle threads, in which these metrics of the queue were measured."""
    values = {name.replace("__", "."): Estimate(value, value, value, "1") for name, value in metrics.items()}
    blocked = {"payments": {"threads.idle_blocked": Estimate(idle, idle, idle, "threads")}}
    return empty_summary(queues={"orders": values}, servers=blocked)


def claims(spec: ScenarioSpec, summary: PointSummary) -> dict[str, str]:
    return {claim.id.removeprefix("orders."): claim.sentence for claim in OPENMQ.explain(spec.system, summary)}


def test_dry_beans_are_told_with_the_limit_that_keeps_all_busy() -> None:
    narrow = mdb(consumer_flow_limit=32)
    found = claims(narrow, seen(4.0, throughput=100.0))["dry_beans"]
    mean = window_mean_busy(32, 16, 32)
    assert f"{mean:.4g}"[:4] in found
    assert "about" not in found, "exact for exponential service on its own"
    assert "A limit of 64" in found


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


def test_no_limit_is_told_where_another_one_is_narrower() -> None:
    server = {"connection_flow_limit_enabled": True, "connection_flow_limit": 8, "connection_flow_count": 0}
    found = claims(mdb(server=server), seen(4.0, throughput=100.0))["dry_beans"]
    assert "A limit of" not in found
    assert "about" in found


def test_an_instance_that_did_more_than_its_share_is_named() -> None:
    assert "imbalance" in claims(mdb(2), seen(balance__busiest_share=0.61))
    assert "imbalance" not in claims(mdb(2), seen(balance__busiest_share=0.6))
    assert "imbalance" not in claims(mdb(1), seen(balance__busiest_share=1.0))
    assert "imbalance" not in claims(mdb(2, consumer_flow_limit=32), seen(balance__busiest_share=0.61))


def test_refused_and_dead_messages_are_counted() -> None:
    found = claims(mdb(), seen(rejected=3.0, dead_letters=1.0))
    assert found["rejected"].startswith("3 messages")
    assert found["dead_letters"].startswith("1 message ")
    assert claims(mdb(), seen(rejected=0.0)) == {}


def test_a_narrow_window_costs_the_beans_that_idle() -> None:
    system = mdb(consumer_flow_limit=16).system
    costs = {item.rule: dict(item.cost) for item in OPENMQ.judge(system, empty_summary())}
    loss = 100 * (1 - window_mean_busy(16, 8, 32) / 32)
    assert costs["openmq.limit-covers-pool"]["throughput_loss_pct"].value == pytest.approx(loss)
    assert costs["openmq.lower-limit-counts"] == {}
