"""The decision line: every axis with its unit, what is missed, and what nobody knows."""

from dataclasses import replace
from typing import Any

from frontend.answers.sentences import run_sentences
from frontend.reports.decision import Decision, decision, three_numbers
from planner.answers.choice import choice_of
from planner.selectors import StoredPoint
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import Estimate
from simulations.scenario.spec import parse
from tests.planner.conftest import summary_of
from tests.scenarios import listener_port

SESSIONS, TIMEOUT = "queues.orders.settings.maximum_sessions", "servers.payments.settings.mdb_request_timeout"


def decided(points: list[StoredPoint], **more: Any) -> tuple[Decision, tuple[str, ...]]:
    """The decision and the sentences of a run over two settings; the scenario has 36 sessions and 120 s."""
    sweep = [{"path": SESSIONS, "values": [18, 36]}, {"path": TIMEOUT, "values": [60, 120]}]
    body = listener_port("Decision", settings={"maximum_sessions": 36}, sweep=sweep, **more)
    spec = parse(body)
    changes: dict[str, Any] = {"baseline": None, "points": {}, "notes": []}
    payload = {"points": [{"derived": []} for _ in points], "changes": changes, "choice": {"probability": 0.97}}
    said = run_sentences(spec, points, (), "Maximum sessions")
    return decision(payload, spec, points, choice_of(spec, points), said[0]), said


def point(index: int, sessions: int, timeout: float, p95: float) -> StoredPoint:
    """A point of both settings."""
    told = {"latency.p95": Estimate(p95, p95 - 0.001, p95 + 0.001, "s")}
    summary = replace(summary_of(0), index=index, overrides={SESSIONS: sessions, TIMEOUT: timeout}, metrics=told)
    return StoredPoint(index=index, overrides=summary.overrides, partial=False, summary=summary)


def test_the_numbers_of_a_full_queue_begin_with_what_is_carried_not_with_latency() -> None:
    names = ("latency.p95", "throughput", "threads.busy", "threads.idle_blocked")
    metrics = {name: Estimate(1.0, 1.0, 1.0, BY_NAME[name].unit) for name in names}
    found = replace(summary_of(0), metrics=metrics)
    stored = StoredPoint(index=0, overrides={}, partial=False, summary=found)
    for arrivals, titles in (
        ({"kind": "saturated"}, ["Throughput", "Busy threads", "Idle, held back"]),
        ({"kind": "poisson", "rate": 10}, ["p95 latency", "Throughput", "Busy threads"]),
    ):
        body = listener_port("Full")
        spec = parse({**body, "queues": [{**body["queues"][0], "arrivals": arrivals}]})
        numbers = three_numbers(spec, choice_of(spec, [stored]))
        assert [title for title, _, _ in numbers] == titles


def test_what_is_too_close_to_call_is_not_settled_however_likely() -> None:
    points = [point(0, 18, 60, 0.2), point(1, 36, 120, 0.5)]
    for bound, settled in (("200.5ms", False), ("300ms", True)):
        found, said = decided(points, objectives=[{"metric": "latency.p95", "at_most": bound}])
        assert ("too close to call" in said[0], "It is not settled" in found.confidence) == (not settled, not settled)
        assert found.confidence.startswith("Confidence: 97 % that it meets every objective")


def test_every_axis_is_named_with_its_unit() -> None:
    found, said = decided([point(0, 18, 60, 0.2), point(1, 36, 120, 0.5)])
    assert found.line == said[0]
    assert found.changes
    assert "Confidence: 97 % that no other simulated point is better" in found.confidence
    assert found.nothing_done.startswith("Maximum sessions 36 messages, MDB request timeout 120 s stays, and with it")
    assert said[0].startswith("Set Maximum sessions to 18 messages and MDB request timeout to 60 s: p95 latency 200")


def test_an_axis_that_does_not_change_is_not_told_as_a_change() -> None:
    found, _ = decided([point(0, 36, 60, 0.2), point(1, 36, 120, 0.5)])
    assert found.line.startswith("Set Maximum sessions to 36 messages and MDB request timeout to 60 s: p95 latency")


def test_nothing_that_meets_the_objectives_is_said_so() -> None:
    objective = {"metric": "latency.p95", "at_most": "100ms"}
    found, said = decided([point(0, 18, 60, 0.2), point(1, 36, 120, 0.5)], objectives=[objective])
    assert found.line.startswith("No simulated point meets every objective; nearest is Maximum sessions 18 messages, ")
    assert found.confidence == ""
    assert said[0].startswith("No simulated point meets every objective")


def test_present_settings_that_were_not_simulated_are_not_guessed() -> None:
    found, _ = decided([point(0, 18, 60, 0.2), point(1, 36, 60, 0.5)])
    assert "Set Maximum sessions to 18 messages" in found.line
    assert found.nothing_done.startswith("not known: the present settings were not simulated")
