"""Where rules turn along a sweep, and which values nothing beats."""

from dataclasses import replace
from typing import Any

from frontend.answers.sweeps import best_zone, rule_turns, sweep_chart
from frontend.charts.curves import Turn
from planner.selectors import StoredPoint
from simulations.analysis.estimates.summary import Estimate, Finding, PointSummary, Source
from tests.frontend.answers.mechanism.test_picture import preset
from tests.planner.conftest import summary_of

TITLES = {"low": "The limit covers the pool", "high": "Nobody hoards", "other": "Something else", "twice": "Both ends"}
BROKEN = (("low", "other"), ("other", "twice"), ("other",), ("other", "twice", "high"))
"""By place: the rules that are broken there."""


def summary(rules: tuple[str, ...]) -> PointSummary:
    """A point where these rules are broken and ``low`` was looked at in any case."""
    states: list[tuple[str, Any]] = [(rule, "violated") for rule in rules]
    found = [Finding(rule, state, "error", "", Source("", "")) for rule, state in [*states, ("low", "ok")]]
    return replace(summary_of(0), findings=tuple(found))


def estimates(*values: float | None) -> list[Estimate | None]:
    return [None if value is None else Estimate(value, value - 0.4, value + 0.4, "s") for value in values]


def test_a_rule_turns_where_it_changes_once() -> None:
    turns = rule_turns([summary(rules) for rules in BROKEN], TITLES)
    assert turns == (
        Turn("low", "The limit covers the pool", 1, onwards=True),
        Turn("high", "Nobody hoards", 2, onwards=False),
    )


def test_the_best_values_are_those_nothing_beats_and_that_keep_the_turning_rules() -> None:
    summaries = [summary(rules) for rules in BROKEN]
    turns = rule_turns(summaries, TITLES)
    assert best_zone(estimates(24.0, 19.8, 19.2, 19.3), summaries, turns) == (2,)
    assert best_zone(estimates(24.0, 19.5, 19.2, 19.3), summaries, turns) == (1, 2)
    assert best_zone(estimates(24.0, None, None, 19.3), summaries, turns) == (3,)
    assert best_zone(estimates(None, None, None, None), summaries, turns) == ()


def test_a_value_at_which_messages_pile_up_is_drawn_with_the_growth_of_the_queues() -> None:
    path = "queues.orders.settings.maximum_sessions"
    lost = replace(summary_of(0), status="unstable", metrics={}, growth={"orders": 13.41, "carried": 67.5})
    points = [
        StoredPoint(place, {path: 18 * (place + 1)}, partial=False, summary=item)
        for place, item in enumerate((lost, summary_of(1)))
    ]
    chart = sweep_chart(preset("surge-backlog"), points)
    assert chart
    assert chart.figure["layout"]["xaxis"]["tickvals"] == [18, 36]
    assert chart.figure["layout"]["annotations"][-1]["text"] == "▲ unstable<br>+13.4 messages/s"
