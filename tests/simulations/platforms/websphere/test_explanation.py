"""What a simulated point of WebSphere says about time limits and missing threads, and what broken rules cost."""

from dataclasses import replace
from typing import Any

from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.platforms.websphere import WEBSPHERE, formulas
from simulations.scenario.spec import ScenarioSpec, parse
from tests.simulations.platforms.samples import constant, empty_summary, poisson, scenario_body

NON_ASF: dict[str, Any] = {"mode": "non_asf", "receive_timeout": 100.0}


def port(server: dict[str, Any] | None = None, mean: float = 0.2, **settings: Any) -> ScenarioSpec:
    return parse(scenario_body("websphere", server=server, queue=settings, service=constant(mean)))


def seen(**metrics: float) -> PointSummary:
    """A point in which these metrics of the queue were measured, dots written as two underscores."""
    values = {name.replace("__", "."): Estimate(value, value, value, "1") for name, value in metrics.items()}
    return empty_summary(queues={"orders": values})


def claims(spec: ScenarioSpec, summary: PointSummary) -> dict[str, str]:
    return {claim.id.removeprefix("orders."): claim.sentence for claim in WEBSPHERE.explain(spec.system, summary)}


def test_a_transaction_that_waits_too_long_is_counted_and_explained_by_formula() -> None:
    late = seen(timeouts__transaction=3.0)
    idle = "In an idle system the longest one takes 130 s, by formula."
    assert claims(port(mean=30.0, **NON_ASF), late)["timeouts.transaction"].endswith(idle)
    rare = parse(scenario_body("websphere", queue=NON_ASF, service={"kind": "exponential", "mean": 4.0}))
    longer = "takes 127.6 s (up to 1 in 1,000 take longer), by formula."
    assert claims(rare, late)["timeouts.transaction"].endswith(longer)
    (broken,) = (it for it in WEBSPHERE.derive(rare.system).findings if it.rule == "websphere.transaction-timeout")
    assert broken.message.startswith("Worst case 100 + 27.63 = 127.6 s (up to 1 in 1,000 take longer) > 120 s: ")
    for other in (port(mean=10.0, **NON_ASF), port(mean=30.0)):
        assert "idle system" not in claims(other, late)["timeouts.transaction"]
    assert claims(port(mean=30.0, **NON_ASF), seen(timeouts__transaction=0.0)) == {}


def test_what_receive_passes_over_is_told_where_it_is_much_of_what_a_session_does() -> None:
    text = "For each message that it returns, receive() passes over 20 messages that do not suit: 400 ms on average"
    found = claims(port(unsuitable_messages=20, selection_time=0.02, **NON_ASF), seen())
    assert found == {"selectors": f"{text}, by formula."}
    for few in ({"mode": "asf"}, {"selection_time": 0.001}, {"unsuitable_messages": 0.5}):
        settings = {**NON_ASF, "unsuitable_messages": 20, "selection_time": 0.02, **few}
        assert claims(port(**settings), seen()) == {}


def test_missing_threads_are_named_where_messages_waited() -> None:
    short = port({"listener_pool_maximum": 5}, maximum_sessions=7)
    waited, briefly = seen(wait__thread=1.0, latency__mean=2.0), seen(wait__thread=0.001, latency__mean=2.0)
    busy = {"payments": {"threads.busy": Estimate(4.5, 4.4, 4.6, "threads")}}
    assert claims(short, replace(waited, servers=busy)) == {
        "pool_shortage": "On average 4.500 ± 0.100 threads of server 'payments' are busy: "
        "the listener pool has 5 for 7 sessions."
    }
    assert claims(short, replace(briefly, servers=busy)) == {}
    assert claims(port(maximum_sessions=7), replace(waited, servers=busy)) == {}


def test_a_non_asf_port_says_how_many_threads_those_before_it_left() -> None:
    body = port({"listener_pool_maximum": 12}, maximum_sessions=6, **NON_ASF).body()
    body["queues"].insert(0, {**body["queues"][0], "name": "first"})
    body["queues"][0]["settings"] = {**body["queues"][0]["settings"], "maximum_sessions": 10}
    spec = parse(body)
    metrics = seen(wait__destination=1.0, latency__mean=2.0, threads__busy=1.9).queues["orders"]
    summary = empty_summary(queues={"first": metrics, "orders": metrics})
    sentences = {claim.id: claim.sentence for claim in WEBSPHERE.explain(spec.system, summary)}
    assert sentences["orders.pool_shortage"].endswith(
        "of the 2 threads that 'orders' holds for 6 sessions are busy: the listener pool has 12 for 16 sessions."
    )
    assert "first.pool_shortage" not in sentences
    most = WEBSPHERE.largest_throughputs(spec.system)
    assert most["first"] / most["orders"] == 10 / 2
    first, orders = (formulas.rate_per_session(spec.system, queue) for queue in spec.system.queues)
    assert (first, orders) == (20 / 10, 20 / 2)
    found = {item.queue: item for item in WEBSPHERE.derive(spec.system).findings if item.rule == "websphere.stable"}
    assert (found["first"].status, found["orders"].status) == ("ok", "violated")
    assert dict(found["orders"].fix) == {
        "queues.orders.settings.maximum_sessions": 5,
        "servers.payments.settings.listener_pool_maximum": 15,
    }


def test_an_unstable_queue_says_what_it_carries() -> None:
    (claim,) = WEBSPHERE.explain(port(maximum_sessions=3).system, empty_summary(growth={"orders": 1.0}))
    assert claim.id == "orders.unstable"
    assert "15" in claim.sentence
    assert claim.proof == {"queues.orders.arrivals": {"kind": "saturated"}}


def test_a_formula_that_the_run_stays_far_below_is_not_told() -> None:
    queues = {"orders": {"throughput": Estimate(1.8, 1.7, 1.9, "/s")}}
    summary = empty_summary(growth={"orders": 1.0}, queues=queues)
    assert WEBSPHERE.explain(port(maximum_sessions=3).system, summary) == ()


def test_what_a_late_rollback_costs() -> None:
    rare = {"service": constant(30.0), "arrivals": poisson(0.01)}
    rolled = parse(scenario_body("websphere", queue=NON_ASF, **rare))
    findings = WEBSPHERE.derive(rolled.system).findings
    counted = {item.rule: WEBSPHERE.with_cost(item, seen(rollbacks=4.0)).cost for item in findings}
    for rule in ("websphere.transaction-timeout", "websphere.quiet-time-rollbacks"):
        assert {name: item.value for name, item in counted[rule].items()} == {"rollbacks": 4.0}, "the run's own count"
