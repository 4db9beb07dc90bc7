"""Every sentence about a point is a claim: metric, condition, value, interval, origin, and the run behind a cause."""

from dataclasses import replace
from typing import Any

from planner.answers.claims import TOO_SHORT, growth_sentence, point_claims
from planner.answers.cures import cure_trials
from planner.answers.quick import quick_answer
from planner.answers.values import sentence_out
from planner.presets.files import presets
from simulations.analysis.estimates.summary import Estimate, PointSummary, estimate_text
from simulations.platforms.shared.family import Claim
from simulations.scenario.spec import ScenarioSpec, parse, revised
from tests.scenarios import listener_port
from tests.simulations.platforms.samples import scenario_body


def preset(key: str) -> ScenarioSpec:
    return next(item.spec for item in presets() if item.key == key).unswept


def of(spec: ScenarioSpec) -> tuple[PointSummary, dict[str, Claim]]:
    """The answer of a scenario, and its claims by id."""
    summary = quick_answer(spec, events=200_000).summary
    trials = cure_trials(spec, summary, events=200_000)
    return summary, {claim.id: claim for claim in point_claims(spec, summary, trials)}


def test_a_cause_is_told_with_the_run_that_shows_it() -> None:
    summary, claims = of(preset("saturated"))
    idle = sentence_out(claims["orders.idle_while_blocked"])
    ((name, server),) = summary.servers.items()
    measured = server["threads.idle_given_blocked"]
    assert (idle.about, idle.metric, idle.condition) == (
        {"server": name},
        "threads.idle_given_blocked",
        "gate blocked",
    )
    assert (idle.value, idle.ci95, idle.unit) == (measured.value, measured.ci95, "threads")
    assert (idle.origin, idle.counterfactual) == ("simulated", None)
    (cause,) = (sentence_out(claim) for name, claim in claims.items() if name.endswith("cure.0.throughput"))
    assert cause.counterfactual is not None
    assert cause.counterfactual.metric == cause.metric == "throughput"
    assert cause.counterfactual.overrides == {"queues.orders.settings.maximum_sessions": 36}
    low, high = cause.counterfactual.difference.ci95
    assert low is not None
    assert high is not None
    assert 0 < low < high
    assert cause.text.startswith("With Maximum sessions 36: Throughput ")


def test_nothing_causal_is_said_without_its_run() -> None:
    spec = preset("saturated")
    summary = quick_answer(spec, events=200_000).summary
    texts = [claim.sentence for claim in point_claims(spec, summary)]
    assert not [
        text for text in texts if "lost" in text or "would" in text or "Raise" in text or text.startswith("With ")
    ]


def test_what_a_formula_says_of_a_full_queue_says_so() -> None:
    summary, claims = of(parse(listener_port("Flood", rate="500/s")))
    formula = sentence_out(claims["orders.unstable"])
    assert (formula.origin, formula.metric) == ("formula", "throughput")
    assert "by formula" in formula.text
    grows = sentence_out(claims["orders.grows"])
    assert (grows.metric, grows.origin) == ("backlog.growth", "simulated")
    assert grows.value == summary.queues["orders"]["backlog.growth"].value


def test_an_objective_is_judged_by_a_claim_of_its_own_metric() -> None:
    body = listener_port("Order", objectives=[{"metric": "overtaken_fraction", "queue": "orders", "equals": 0}])
    _, claims = of(parse(body))
    judged = sentence_out(claims["point.objective"])
    assert (judged.metric, judged.about) == ("overtaken_fraction", {"queue": "orders"})
    assert "misses the objective of exactly 0 %" in judged.text


def test_of_a_point_that_cannot_be_nothing_is_claimed() -> None:
    spec = parse(listener_port("None"))
    assert point_claims(spec, PointSummary(0, {}, "invalid", problems=("impossible",))) == ()


def test_only_a_run_that_drains_shows_when_everything_is_done() -> None:
    body = listener_port("Surge")
    body["queues"][0]["arrivals"] = {"kind": "surge", "count": 200}
    for horizon, said in (({"until": "drained"}, True), ({"messages": 100}, False)):
        _, claims = of(parse({**body, "run": {"horizon": horizon}}))
        assert ("point.drain_time" in claims) is said


def test_a_queue_that_grows_has_what_it_completes_unless_a_formula_knows_more() -> None:
    body = listener_port("Flood", rate="500/s")
    _, claims = of(parse(body))
    assert "these settings, by formula, carry at most" in claims["orders.grows"].sentence
    queue = {**body["queues"][0], "arrivals": {"kind": "poisson", "rate": "1/s"}, "name": "bills"}
    summary, claims = of(parse({**body, "queues": [*body["queues"], queue]}))
    done = estimate_text(summary.queues["orders"]["throughput"])
    assert claims["orders.grows"].sentence.endswith(f"; it completes {done}.")


def test_what_a_queue_completes_in_another_stretch_than_it_grows_in_says_so() -> None:
    body = listener_port("Flood", rate="500/s")
    body["queues"].append({**body["queues"][0], "name": "bills"})
    spec = parse(body)
    summary, claims = of(spec)
    assert "; it completes " in claims["orders.grows"].sentence
    slow = {**summary.queues["orders"], "backlog.growth": Estimate(3.0, 2.9, 3.1, "/s")}
    told = growth_sentence(replace(summary, queues={**summary.queues, "orders": slow}))
    assert "orders grows by 3.00 ± 0.10 messages per second; over the whole run, it completes " in told


def test_no_ceiling_is_told_where_messages_time_out() -> None:
    """The formula is one of messages that are all completed."""
    spec = parse(listener_port("Load", rate="20/s"))
    summary, claims = of(spec)
    assert "carry at most" in claims["orders.ceiling"].sentence
    late = Estimate(0.1, 0.1, 0.1, "1")
    queues = {"orders": {**summary.queues["orders"], "timeouts.share": late}}
    assert "orders.ceiling" not in {claim.id for claim in point_claims(spec, replace(summary, queues=queues))}


def test_an_exact_value_is_that_of_so_many_replications() -> None:
    body = listener_port("One", rate="1/s", objectives=[{"metric": "rollbacks", "equals": 0}])
    summary, claims = of(parse(body))
    said = f"Rollbacks: 0 events in all {summary.replications} replications, which meets the objective of exactly 0"
    assert claims["point.objective"].sentence.startswith(said)


def test_a_run_that_is_too_short_says_so() -> None:
    spec = parse(listener_port("Short"))
    summary, claims = of(spec)
    assert "point.short" not in claims
    warmup = {**summary.warmup, "at_limit": 1.0}
    assert point_claims(spec, replace(summary, warmup=warmup)).count(TOO_SHORT) == 1


def test_a_run_too_short_for_its_load_and_variation_says_so() -> None:
    """M/G/16 at 97 % with cv 10 forgets its start after hours: 2,000 messages have a p99 of 4 s, 300,000 of minutes."""
    wild = {"kind": "hyperexponential", "mean": "1s", "cv": 10}
    body = scenario_body("weblogic", arrivals={"kind": "poisson", "rate": "15.5/s"}, queue={"messages_maximum": 1})
    body |= {"run": {"horizon": {"messages": 2000}}}
    for service, told in ((wild, 1), ({"kind": "exponential", "mean": "100ms"}, 0)):
        body["queues"][0]["service"] = service
        spec = parse(body)
        assert point_claims(spec, quick_answer(spec).summary).count(TOO_SHORT) == told


def test_a_window_that_was_seldom_filled_up_is_said_to_tell_little() -> None:
    spec = preset("flow-limit")
    summary = quick_answer(spec, events=200_000).summary
    assert TOO_SHORT not in point_claims(spec, summary)
    (queue,) = spec.queues
    wide = revised(spec, [(("queues", 0, "settings", "consumer_flow_limit"), 5000)])
    told = quick_answer(wide, events=200_000).summary
    assert 0 < told.queues[queue.name]["window.topups"].value < 20
    assert TOO_SHORT in point_claims(wide, told)


def chain(*queues: tuple[str, list[str], str], objectives: tuple[dict[str, Any], ...] = ()) -> ScenarioSpec:
    """Queues of one server by name, what they send to, and the kind of their arrivals; 4 messages per second come."""
    body = listener_port("Chain", settings={"maximum_sessions": 20}, objectives=list(objectives))
    arrivals = {"poisson": {"kind": "poisson", "rate": 4}, "none": {"kind": "none"}}
    body["queues"] = [
        {**body["queues"][0], "name": name, "sends": [{"name": to} for to in sends], "arrivals": arrivals[kind]}
        for name, sends, kind in queues
    ]
    return parse(body)


def test_the_time_of_a_chain_is_told_where_it_ends_and_not_that_of_its_hops_mixed() -> None:
    spec = chain(("orders", ["payments"], "poisson"), ("payments", [], "none"))
    _, found = of(spec)
    start = "From the arrival at 'orders' to the end at 'payments', 95 % of the messages take at most "
    assert found["payments.end_to_end.p95"].sentence.startswith(start)
    assert not {"orders.end_to_end.p95", "point.latency.p95"} & found.keys()
    spec = chain(("orders", ["payments"], "poisson"), ("payments", ["mail"], "none"), ("mail", [], "poisson"))
    _, found = of(spec)
    start = "From the first arrival of their chain to the end at 'mail', 95 %"
    assert found["mail.end_to_end.p95"].sentence.startswith(start)
    assert "payments.end_to_end.p95" not in found


def test_an_objective_of_the_chain_tells_its_time_once() -> None:
    asked = {"metric": "end_to_end.p95", "queue": "payments", "at_most": "10s"}
    spec = chain(("orders", ["payments"], "poisson"), ("payments", [], "none"), objectives=(asked,))
    summary, found = of(spec)
    told = [claim for claim in found.values() if claim.metric == "end_to_end.p95"]
    assert [claim.estimate for claim in told] == [summary.metrics["end_to_end.p95"]]
    assert told[0].sentence.startswith("p95 end-to-end latency of payments: ")


def test_of_several_objectives_the_first_that_is_missed_is_judged() -> None:
    bounds = ({"queue": "orders", "at_most": "9s"}, {"queue": "mail", "at_most": "1ms"}, {"at_most": "2ms"})
    queues: list[tuple[str, list[str], str]] = [("orders", [], "poisson"), ("mail", [], "poisson")]
    _, found = of(chain(*queues, objectives=tuple({"metric": "latency.p95", **bound} for bound in bounds)))
    judged = found["point.objective"]
    assert judged.about == {"queue": "mail"}
    assert judged.sentence.startswith("p95 latency of mail: ")
    assert "misses the objective of at most 1 ms" in judged.sentence


def test_an_objective_that_on_message_alone_misses_is_beyond_every_setting_of_threads() -> None:
    """Of exponential work of 100 ms 5 % takes 299.6 ms or more, of constant work all takes 100 ms."""
    told = "By formula, onMessage of orders alone takes {} or more for at least 5 % of its messages: no setting of "
    cases = (("exponential", "290ms", "299.6 ms"), ("constant", "99ms", "100 ms"), ("exponential", "301ms", ""))
    for kind, bound, least in cases:
        body = listener_port("Beyond", rate="2/s", objectives=[{"metric": "latency.p95", "at_most": bound}])
        body["queues"][0]["service"] = {"kind": kind, "mean": "100ms"}
        spec = parse(body)
        summary, claims = of(spec)
        found = claims["point.beyond"].sentence if "point.beyond" in claims else ""
        assert found == (f"{told.format(least)}threads meets that." if least else "")
        ended = {**summary.queues["orders"], "timeouts.share": Estimate(0.1, 0.1, 0.1, "1")}
        cut = point_claims(spec, replace(summary, queues={"orders": ended}, metrics={**summary.metrics, **ended}))
        assert "point.beyond" not in {claim.id for claim in cut}, "a time limit makes completed ones shorter"
