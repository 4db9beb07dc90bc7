"""What a simulated point of WebSphere says about time limits and missing threads, and what broken rules cost."""

from typing import Any

import pytest

from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.analysis.theory.mechanisms import rollback_probability
from simulations.platforms.websphere import WEBSPHERE
from simulations.scenario.spec import ScenarioSpec, parse
from tests.simulations.platforms.samples import constant, empty_summary, poisson, scenario_body

NON_ASF: dict[str, Any] = {"mode": "non_asf", "receive_timeout": 100.0}


def port(server: dict[str, Any] | None = None, mean: float = 0.2, **settings: Any) -> ScenarioSpec:
    return parse(scenario_body("websphere", server=server, queue=settings, service=constant(mean)))


def seen(**metrics: float) -> PointSummary:
    """A point in which these metrics of the queue were measured, dots written as two underscores."""
    values = {name.replace("__", "."): Estimate(value, value, value, "1") for name, value in metrics.items()}
    return empty_summary(queues={"orders": values})


def claims(spec: ScenarioSpec, summary: PointSummary) -> dict[str, dict[str, Any]]:
    return {claim.id.removeprefix("orders."): dict(claim.proof) for claim in WEBSPHERE.explain(spec.system, summary)}


def test_a_transaction_that_waits_too_long_names_the_receive_timeout() -> None:
    late = seen(timeouts__transaction=3.0)
    found = claims(port(mean=30.0, **NON_ASF), late)
    assert found["transaction_too_old"]["queues.orders.settings.receive_timeout"] == pytest.approx(90 * 0.99)
    assert "timeouts.transaction" in found
    assert "transaction_too_old" not in claims(port(mean=10.0, **NON_ASF), late)
    assert "transaction_too_old" not in claims(port(mean=30.0), late)
    assert claims(port(mean=30.0, **NON_ASF), seen(timeouts__transaction=0.0)) == {}


def test_missing_threads_are_named_where_messages_waited() -> None:
    short = port({"listener_pool_maximum": 5}, maximum_sessions=7)
    waited = seen(wait__thread=1.0, latency__mean=2.0)
    wider = {"servers.payments.settings.listener_pool_maximum": 7}
    assert claims(short, waited) == {"pool_shortage": wider}
    assert claims(short, seen(wait__thread=0.001, latency__mean=2.0)) == {}
    assert claims(port(maximum_sessions=7), waited) == {}


def test_an_unstable_queue_says_what_it_carries() -> None:
    (claim,) = WEBSPHERE.explain(port(maximum_sessions=3).system, empty_summary(growth={"orders": 1.0}))
    assert claim.id == "orders.unstable"
    assert "15" in claim.sentence
    assert claim.proof == {"queues.orders.arrivals": {"kind": "saturated"}}


def test_what_a_late_rollback_costs() -> None:
    rare = {"service": constant(30.0), "arrivals": poisson(0.01)}
    rolled = parse(scenario_body("websphere", queue=NON_ASF, **rare))
    counted, idle = (
        {item.rule: item.cost for item in WEBSPHERE.judge(rolled.system, summary)}
        for summary in (seen(rollbacks=4.0), seen())
    )
    share = rollback_probability(0.01, 100.0, 120.0, 30.0)
    for rule in ("websphere.transaction-timeout", "websphere.quiet-time-rollbacks"):
        assert {name: item.value for name, item in counted[rule].items()} == {"rollbacks": 4.0}, "the run's own count"
        assert idle[rule]["rolled_back_pct"].value == pytest.approx(100 * share)
