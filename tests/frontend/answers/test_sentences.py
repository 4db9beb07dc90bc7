"""The opening sentence of a surge: what is judged, then when everything is done."""

from dataclasses import replace
from typing import Any

from frontend.answers.sentences import point_sentences, run_sentences
from planner.answers.claims import growth_sentence
from planner.presets.files import presets
from planner.selectors import StoredPoint
from simulations.analysis.estimates.summary import Estimate
from simulations.experiment import with_overrides
from simulations.experiment.turns import turn_of
from simulations.platforms.shared.claims import explained
from simulations.platforms.shared.family import Claim
from simulations.scenario.spec import ScenarioSpec, parse
from tests.planner.conftest import summary_of
from tests.scenarios import listener_port


def test_a_surge_ends_with_a_sentence_of_its_own() -> None:
    body = listener_port("Surge", objectives=[{"metric": "latency.p95", "at_most": "1s"}])
    body["queues"][0]["arrivals"] = {"kind": "surge", "count": 1000}
    body["run"] = {"horizon": {"until": "drained"}}
    drained = {"drain_time": Estimate(30.0, 29.0, 31.0, "s"), "latency.p95": Estimate(0.5, 0.4, 0.6, "s")}
    summary = replace(summary_of(0), overrides={}, metrics=drained)
    assert point_sentences(parse(body), summary, ())[0] == (
        "95 % of the messages are done within 0.50 ± 0.10 s; this meets the objective of at most 1 s. "
        "After 30.0 ± 1.0 s everything is done."
    )
    without = parse({**body, "objectives": []})
    assert point_sentences(without, summary, ())[0] == (
        "After 30.0 ± 1.0 s everything is done. 95 % of the messages are done within 500 ± 100 ms."
    )
    drain = [{"metric": "drain_time", "at_most": "20s"}]
    assert point_sentences(parse({**body, "objectives": drain}), summary, ())[0] == (
        "Drain time: 30.0 ± 1.0 s, which misses the objective of at most 20 s. "
        "95 % of the messages are done within 500 ± 100 ms."
    )


def test_an_objective_that_is_no_latency_says_what_it_judges() -> None:
    spec = parse(listener_port("Order", objectives=[{"metric": "overtaken_fraction", "equals": 0}]))
    estimates = {
        "latency.p95": Estimate(0.5, 0.4, 0.6, "s"),
        "overtaken_fraction": Estimate(0.185, 0.183, 0.187, "1"),
    }
    summary = replace(summary_of(0), overrides={}, metrics=estimates)
    assert point_sentences(spec, summary, ())[0] == (
        "Overtaken: 18.50 ± 0.20 %, which misses the objective of exactly 0 %. "
        "95 % of the messages are done within 500 ± 100 ms."
    )


def test_what_the_verdict_says_of_urgent_messages_is_said_once() -> None:
    objective = {"metric": "latency.urgent", "queue": "orders", "at_most": "230ms"}
    body = listener_port("Urgent", objectives=[objective])
    body["queues"][0]["settings"]["urgent_share"] = 0.2
    mean = {"latency.urgent": Estimate(0.25, 0.24, 0.26, "s")}
    summary = replace(summary_of(0), overrides={}, metrics=mean, queues={"orders": mean})
    for spec, times in ((parse(body), 0), (parse({**body, "objectives": []}), 1)):
        sentences = point_sentences(spec, summary, explained(spec.family, spec.system, summary))
        assert sum("Urgent messages take" in item for item in sentences) == times


def test_a_listener_that_stopped_is_said_instead_of_what_its_settings_carry() -> None:
    note = "its listener stopped in 3 of 4 replications"
    growth = Estimate(60.0, 59.0, 61.0, "/s", note=note)
    summary = replace(
        summary_of(0),
        status="unstable",
        growth={"orders": 60.0, "carried": 3.0},
        derived={"carried_rate": 90.0},
        queues={"orders": {"backlog.growth": growth}},
    )
    assert growth_sentence(summary) == f"Unstable: orders grows by 60.0 ± 1.0 messages per second ({note})."
    going = replace(summary, queues={"orders": {"backlog.growth": replace(growth, note="")}})
    assert growth_sentence(going).endswith("per second; these settings, by formula, carry at most 90/s.")


def test_of_two_swept_settings_both_are_named_with_their_units() -> None:
    paths = ("queues.orders.settings.maximum_sessions", "queues.orders.service.mean")
    axes = [{"path": paths[0], "values": [36]}, {"path": paths[1], "values": ["100ms", "200ms"]}]
    spec = parse(listener_port("Two", sweep=axes))

    def point(index: int, mean: float) -> StoredPoint:
        overrides = {paths[0]: 36, paths[1]: mean}
        summary = replace(summary_of(index, 0.25 + mean), overrides=overrides)
        return StoredPoint(index, overrides, partial=False, summary=summary)

    first = run_sentences(spec, [point(0, 0.1), point(1, 0.2)], (), "Maximum sessions")[0]
    assert first.startswith("Set Maximum sessions to 36 messages and Mean service time to 100 ms: p95 latency 350")


def test_where_an_objective_turns_along_a_sweep_is_said() -> None:
    path = "queues.orders.settings.maximum_sessions"
    objectives = [{"metric": "timeouts.queue", "equals": 0}]
    spec = parse(listener_port("Turns", sweep=[{"path": path, "values": [36, 60, 80]}], objectives=objectives))

    def point(index: int, sessions: int, timeouts: float) -> StoredPoint:
        counted = Estimate(timeouts, timeouts, timeouts, "messages")
        summary = replace(summary_of(0, 0.5), index=index)
        metrics = {**summary.metrics, "timeouts.queue": counted}
        summary = replace(summary, overrides={path: sessions}, metrics=metrics)
        return StoredPoint(index, {path: sessions}, partial=False, summary=summary)

    rows = [point(0, 36, 0), point(1, 60, 0), point(2, 80, 45)]
    turn = turn_of(spec, [row.summary for row in rows])
    said = run_sentences(spec, rows, (), "Maximum sessions", turn)
    assert said[0] == (
        "Keep Maximum sessions at 36: queue timeouts 0 messages, which meets the objective of exactly 0 messages; it "
        "is met up to 60 and missed from 80 on. Other values bring no measurable gain."
    )
    assert turn_of(spec, [row.summary for row in rows[:2]]) is None


SESSIONS = "queues.orders.settings.maximum_sessions"


def swept(*latencies: float, half: float = 0.02, **more: Any) -> tuple[ScenarioSpec, list[StoredPoint]]:
    """A sweep of the sessions from 36 on, the first of them the scenario's own, with a p95 latency each."""
    values = [36 + 12 * index for index in range(len(latencies))]
    spec = parse(
        listener_port("Swept", settings={"maximum_sessions": 36}, sweep=[{"path": SESSIONS, "values": values}], **more)
    )
    points = []
    for index, (sessions, p95) in enumerate(zip(values, latencies, strict=True)):
        told = {"latency.p95": Estimate(p95, p95 - half, p95 + half, "s")}
        summary = replace(summary_of(0), index=index, overrides={SESSIONS: sessions}, metrics=told)
        points.append(StoredPoint(index, summary.overrides, partial=False, summary=summary))
    return spec, points


def test_what_other_values_seem_to_gain_is_said_unless_pairs_show_none() -> None:
    spec, points = swept(4.130, 4.107, 4.131)
    assert run_sentences(spec, points, (), "Maximum sessions")[0].endswith("Other values gain about 0.56 % at most.")
    doubtful = {"latency.p95": Estimate(-0.023, -0.05, 0.004, "s")}
    points[1] = replace(points[1], summary=replace(points[1].summary, differences=doubtful))
    assert run_sentences(spec, points, (), "Maximum sessions")[0].endswith("Other values bring no measurable gain.")


def test_the_least_value_that_is_as_good_would_be_enough_too() -> None:
    spec, points = swept(0.4, 0.4)
    first = run_sentences(with_overrides(spec, {SESSIONS: 48}), points, (), "Maximum sessions")[0]
    assert first.startswith("Keep Maximum sessions at 48:")
    assert first.endswith("Maximum sessions 36 would be enough, too.")


def test_that_the_present_settings_meet_the_objectives_too_is_said() -> None:
    asked = [{"metric": "latency.p95", "at_most": "1s"}]
    spec, points = swept(0.8, 0.4, objectives=asked)
    first = run_sentences(spec, points, (), "Maximum sessions")[0]
    assert first.endswith("(now, at 36: 0.800 ± 0.020 s, which meets every objective too).")
    spec, points = swept(1.8, 0.4, objectives=asked)
    assert "too" not in run_sentences(spec, points, (), "Maximum sessions")[0]


def test_of_several_objectives_a_sweep_judges_the_one_that_is_missed() -> None:
    asked = [{"metric": "throughput", "at_least": "1/s"}, {"metric": "latency.p95", "at_most": "1s"}]
    spec, points = swept(1.8, 1.4, objectives=asked)
    done = {"throughput": Estimate(2.0, 2.0, 2.0, "/s")}
    points = [replace(it, summary=replace(it.summary, metrics={**it.summary.metrics, **done})) for it in points]
    first = run_sentences(spec, points, (), "Maximum sessions")[0]
    assert first == (
        "No simulated point meets every objective; nearest is Maximum sessions 48: p95 latency 1.400 ± 0.020 s, which "
        "misses the objective of at most 1 s (now, at 36: 1.800 ± 0.020 s)."
    )


def test_where_another_queue_grows_that_is_told_too() -> None:
    spec = next(item.spec for item in presets() if item.key == "chain")
    path = spec.sweep[0].path
    names = {5: "orders", 10: "orders", 20: "ledger", 40: "ledger"}
    points = []
    for index, (value, name) in enumerate(names.items()):
        queues = {name: {"backlog.growth": Estimate(50.0, 49.0, 51.0, "/s")}}
        growth = {name: 50.0, "carried": 25.0}
        summary = replace(
            summary_of(0), index=index, status="unstable", growth=growth, queues=queues, overrides={path: value}
        )
        points.append(StoredPoint(index, summary.overrides, partial=False, summary=summary))
    told = run_sentences(spec, points, (), "Maximum sessions of orders")[1]
    for start in (
        "Messages pile up at Maximum sessions of orders 5, 10: orders grows",
        ". Messages pile up at Maximum sessions of orders 20, 40: ledger grows",
    ):
        assert start in told


def test_what_is_compared_in_one_sentence_has_one_unit() -> None:
    path = "queues.orders.settings.maximum_sessions"
    objectives = [{"metric": "latency.p95", "at_most": "1.2s"}]
    spec = parse(listener_port("Units", sweep=[{"path": path, "values": [36, 18]}], objectives=objectives))

    def point(index: int, sessions: int, mean: float) -> StoredPoint:
        summary = replace(summary_of(index, mean), overrides={path: sessions}, differences={})
        return StoredPoint(index, {path: sessions}, partial=False, summary=summary)

    rows = [point(0, 36, 0.95), point(1, 18, 0.9)]
    first, *_, why = run_sentences(spec, rows, [Claim("x", "They wait.")], "Maximum sessions", shown=rows[0])
    assert why == "Maximum sessions 36: They wait."
    assert " ms" not in first
    assert "which meets the objective of at most 1.2 s" in first
