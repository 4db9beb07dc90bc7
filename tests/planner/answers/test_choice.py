"""Which point is chosen, and how sure that is."""

from dataclasses import replace
from typing import Any

import pytest

from planner.answers.choice import asked_queue, choice_of, deciding_metric, good_points, probability_of
from planner.presets.files import presets
from planner.selectors import StoredPoint
from simulations.analysis.estimates.summary import Estimate
from simulations.scenario.spec import ScenarioSpec, parse
from tests.planner.conftest import summary_of
from tests.scenarios import listener_port

PATH = "queues.orders.settings.maximum_sessions"
ORDER = {"metric": "overtaken_fraction", "equals": 0}


def spec_of(values: list[int], **more: Any) -> ScenarioSpec:
    """A sweep of the sessions; the scenario's own value is 36."""
    body = listener_port("Choice", settings={"maximum_sessions": 36}, sweep=[{"path": PATH, "values": values}], **more)
    return parse(body)


def point(index: int, sessions: int, p95: float, half: float = 0.01, *, overtaken: float | None = None) -> StoredPoint:
    """A point with a latency, and the share of messages that were overtaken."""
    told = {"latency.p95": Estimate(p95, p95 - half, p95 + half, "s")}
    if overtaken is not None:
        told["overtaken_fraction"] = Estimate(overtaken, overtaken, overtaken, "1")
    summary = replace(summary_of(0), index=index, overrides={PATH: sessions}, metrics=told, replications=10)
    return StoredPoint(index=index, overrides=summary.overrides, partial=False, summary=summary)


def test_what_misses_an_objective_is_not_chosen_however_fast_it_is() -> None:
    points = [
        point(0, 1, 0.9, overtaken=0),
        point(1, 36, 0.2, overtaken=0.3),
        point(2, 50, 0.1, overtaken=0.4),
    ]
    spec = spec_of([1, 36, 50], objectives=[ORDER])
    choice = choice_of(spec, points)
    assert choice.chosen == points[0]
    assert choice.word == "met"
    assert choice.present == points[1]
    assert choice.runner_up == points[2]
    assert choice_of(spec_of([1, 36, 50]), points).chosen == points[2]


def test_where_nothing_meets_the_objectives_the_choice_says_so() -> None:
    points = [point(0, 18, 0.9), point(1, 50, 0.5)]
    choice = choice_of(spec_of([18, 50], objectives=[{"metric": "latency.p95", "at_most": "100ms"}]), points)
    assert (choice.chosen, choice.word) == (points[1], "missed")
    assert choice.present is None


def test_of_a_chain_the_latency_from_end_to_end_decides() -> None:
    """That of all hops mixed falls where only the first queue got faster."""
    spec = next(item.spec for item in presets() if item.key == "chain")
    assert deciding_metric(spec) == "end_to_end.p95"
    points = []
    for index, (sessions, mixed, whole) in enumerate([(20, 9.0, 16.0), (40, 4.8, 16.1)]):
        known = {"latency.p95": Estimate(mixed, mixed, mixed, "s"), "end_to_end.p95": Estimate(whole, 15.9, 16.2, "s")}
        queues = {"ledger": known}
        summary = replace(summary_of(0), index=index, overrides={PATH: sessions}, metrics=known, queues=queues)
        points.append(StoredPoint(index, summary.overrides, partial=False, summary=summary))
    assert choice_of(spec, points).chosen == points[0]


def test_the_present_settings_stay_where_nothing_is_better() -> None:
    points = [point(0, 18, 0.5, 0.05), point(1, 36, 0.5, 0.05), point(2, 50, 0.49, 0.05)]
    assert choice_of(spec_of([18, 36, 50]), points).chosen == points[1]


def test_a_paired_difference_to_the_first_point_is_sharper_than_two_intervals() -> None:
    first, second = point(0, 36, 0.50, 0.05), point(1, 50, 0.47, 0.05)
    spec = spec_of([36, 50])
    assert choice_of(spec, [first, second]).chosen == first
    sharp = {"latency.p95": Estimate(-0.03, -0.031, -0.029, "s")}
    paired = replace(second, summary=replace(second.summary, differences=sharp))
    assert [item for item, _ in good_points(spec, [first, paired])] == [paired]


@pytest.mark.parametrize(
    ("change", "low", "high"),
    [
        (Estimate(0.0, 0.0, 0.0, "s"), 1.0, 1.0),
        (Estimate(-0.2, -0.21, -0.19, "s"), 0.0, 0.001),
        (Estimate(0.2, 0.19, 0.21, "s"), 0.999, 1.0),
        (Estimate(-0.01, -0.05, 0.03, "s"), 0.4, 0.6),
    ],
)
def test_the_probability_follows_the_paired_differences(change: Estimate, low: float, high: float) -> None:
    points = [point(0, 36, 0.5, 0.2), point(1, 50, 0.5, 0.2)]
    spec = spec_of([36, 50])
    choice = choice_of(spec, points)
    assert low <= probability_of(spec, points, choice, {1: change}) <= high
    assert 0.3 < probability_of(spec, points, choice, {}) < 0.7


def test_a_rival_that_misses_an_objective_takes_nothing_from_the_probability() -> None:
    points = [point(0, 36, 0.5, overtaken=0), point(1, 50, 0.1, overtaken=0.4)]
    spec = spec_of([36, 50], objectives=[ORDER])
    assert probability_of(spec, points, choice_of(spec, points), {}) == 1.0


def test_a_question_names_its_queue_only_where_there_are_several() -> None:
    asked = [{**ORDER, "queue": "orders"}]
    one = spec_of([36], objectives=asked)
    assert (asked_queue(one), asked_queue(spec_of([36]))) == ("", "")
    queues = [*one.body()["queues"], {**one.body()["queues"][0], "name": "more"}]
    assert asked_queue(parse({**one.body(), "queues": queues})) == "orders"
