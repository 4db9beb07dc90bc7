"""Where an objective turns along a sweep: read off, searched between two values, and not told where it cannot be."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.experiment.points import Point, value_at
from simulations.experiment.turns import found_turn, turn_of
from simulations.experiment.words import measured_turn, turn_sentence
from simulations.scenario.spec import ScenarioSpec, parse
from tests.planner.conftest import summary_of
from tests.scenarios import listener_port

SESSIONS, SERVICE = "queues.orders.settings.maximum_sessions", "queues.orders.service.mean"


def swept(path: str, values: Sequence[object], objective: object = None) -> ScenarioSpec:
    objectives = [objective or {"metric": "timeouts.queue", "equals": 0}]
    return parse(listener_port("Turns", sweep=[{"path": path, "values": values}], objectives=objectives))


def answer(path: str, value: float, timeouts: float, half: float = 0.0) -> PointSummary:
    counted = Estimate(timeouts, timeouts - half, timeouts + half, "messages")
    summary = summary_of(0)
    return replace(summary, overrides={path: value}, metrics={**summary.metrics, "timeouts.queue": counted})


@pytest.mark.parametrize("edge", [61, 63, 79, 80])
def test_whole_numbers_are_searched_one_by_one(edge: int) -> None:
    spec = swept(SESSIONS, [36, 60, 80, 100])
    tried: list[int] = []

    def simulate(points: Sequence[Point]) -> list[PointSummary]:
        tried.extend(point.overrides[SESSIONS] for point in points)
        assert all(point.spec.run.replications.max == spec.run.replications.min for point in points)
        assert all(value_at(point.spec, SESSIONS) == point.overrides[SESSIONS] for point in points)
        return [answer(SESSIONS, value, max(0, value - edge + 1)) for value in tried[-len(points) :]]

    grid = [answer(SESSIONS, value, max(0, value - edge + 1)) for value in (36, 60, 80, 100)]
    turn = found_turn(spec, grid, simulate)
    assert turn is not None
    assert (turn.last, turn.first, turn.met_below, turn.found) == (edge - 1, edge, True, True)
    assert len(tried) == len(set(tried)) <= 9
    assert all(60 < value < 80 for value in tried)
    text = f"met up to {edge - 1} and missed from {edge} on (0 messages and 1 message in 2 replications)"
    assert measured_turn(spec, turn) == text
    assert turn_sentence(spec, turn) == f"Queue timeouts exactly 0 messages, by Maximum sessions: {text}."


def test_a_time_is_searched_to_a_hundredth_and_may_be_met_from_a_value_on() -> None:
    spec = swept(SERVICE, ["104ms", "110ms", "115ms"], {"metric": "timeouts.queue", "at_least": 3})

    def at(value: float) -> PointSummary:
        return answer(SERVICE, value, 3 if value > 0.1065 else 0)

    turn = found_turn(
        spec, [at(0.104), at(0.110), at(0.115)], lambda points: [at(p.overrides[SERVICE]) for p in points]
    )
    assert turn is not None
    assert (turn.last, turn.first, turn.met_below) == (0.106, 0.107, False)
    assert measured_turn(spec, turn).startswith("missed up to 106 ms and met from 107 ms on")


def test_what_is_too_close_to_call_stays_between_the_ends() -> None:
    spec = swept(SESSIONS, [60, 80], {"metric": "timeouts.queue", "at_most": 10})

    def at(value: int) -> PointSummary:
        return answer(SESSIONS, value, value - 60, half=2.3)

    turn = found_turn(spec, [at(60), at(80)], lambda points: [at(point.overrides[SESSIONS]) for point in points])
    assert turn is not None
    assert (turn.last, turn.first, turn.found) == (67, 73, False)
    assert measured_turn(spec, turn).endswith("in 2 replications, too few to tell in between)")


def test_no_turn_is_told_that_is_not_one() -> None:
    spec = swept(SESSIONS, [36, 60, 80])
    values = (36, 60, 80)

    def told(*timeouts: float) -> object:
        return turn_of(spec, [answer(SESSIONS, *pair) for pair in zip(values, timeouts, strict=True)])

    assert told(0, 0, 0) is None
    assert told(5, 0, 5) is None
    assert told(0, 5, 5) is not None
    at_most = swept(SESSIONS, [36, 60, 80], {"metric": "timeouts.queue", "at_most": 10})
    unsure = [answer(SESSIONS, 36, 9.5, half=3), answer(SESSIONS, 60, 0, half=1), answer(SESSIONS, 80, 40, half=1)]
    assert turn_of(at_most, unsure) is None
    unlimited = swept("queues.orders.settings.maximum_retries", [0, 5])
    rows = [answer("queues.orders.settings.maximum_retries", value, value) for value in (0, 5)]
    assert turn_of(unlimited, rows) is None


def test_a_search_that_refutes_the_turn_tells_none() -> None:
    spec = swept(SESSIONS, [60, 80])
    grid = [answer(SESSIONS, 60, 0), answer(SESSIONS, 80, 40)]

    def jagged(points: Sequence[Point]) -> list[PointSummary]:
        return [answer(SESSIONS, point.overrides[SESSIONS], float(place == 0)) for place, point in enumerate(points)]

    assert found_turn(spec, grid, jagged) is None
