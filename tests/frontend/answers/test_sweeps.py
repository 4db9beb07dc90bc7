"""Where rules turn along a sweep, and which values nothing beats."""

from dataclasses import replace
from typing import Any

import pytest

from frontend.answers.sweeps import best_zone, rule_turns, sweep_charts
from frontend.charts.curves import Turn
from frontend.charts.swept import stretches
from frontend.wording.numbers import metric_title
from planner.answers.choice import asked_metric, asked_queue, verdict_word
from planner.answers.quick import paired_answers
from planner.selectors import StoredPoint
from simulations.analysis.estimates.summary import Estimate, Finding, PointSummary, Source
from simulations.experiment import expansion
from simulations.scenario.spec import ScenarioSpec, parse
from tests.frontend.answers.mechanism.test_picture import preset
from tests.frontend.charts.drawn import legend
from tests.planner.conftest import summary_of

TITLES = {"low": "The limit covers the pool", "high": "Nobody hoards", "other": "Something else", "twice": "Both ends"}
BROKEN = (("low", "other"), ("other", "twice"), ("other",), ("other", "twice", "high"))
"""By place: the rules that are broken there."""
OWN, WHOLE = Estimate(0.2, 0.2, 0.2, "s"), Estimate(0.9, 0.9, 0.9, "s")


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
    chart, *_ = sweep_charts(preset("surge-backlog"), points)
    assert chart.figure["layout"]["xaxis"]["tickvals"] == [18, 36]
    assert legend(chart.figure) == ["objective 800 ms (p95)", "unstable at 18: +13.4 messages/s"]


FIRST = {
    "surge-backlog": ("curve", "Latency over Maximum sessions", "objective 800 ms (p95)"),
    "saturated": ("throughput", "Throughput over Maximum sessions", ""),
    "surge": ("drain", "Drain time over Maximum sessions", ""),
    "slow-mdb": ("risk", "Queue timeouts over Maximum sessions", "objective 0 messages"),
    "order": ("asked", "Overtaken over Maximum sessions", "objective 0 %"),
    "non-asf": ("asked", "Transaction timeouts over Non-ASF receive timeout", "objective 0 events"),
    "limit-of-16": ("drain", "Drain time over Work manager", "objective 2 s"),
    "bursts": ("curve", "Latency over Fair share of mdb", "objective 10 s (p95)"),
    "batches": ("curve", "Latency over Max threads constraint · Max messages in transaction", "objective 60 ms (p95)"),
    "flow-control": ("asked", "Largest backlog over Flow interval", "objective 5,000 messages"),
    "balance": ("drain", "Drain time over Consumer flow limit of the factory", "objective 20 s"),
    "flow-limit": ("asked", "Busy threads over Consumer flow limit of the factory", "objective 31.5 threads"),
    "chain": ("asked", "p95 end-to-end latency of ledger over Maximum sessions of orders", "objective 18 s"),
}
"""Preset -> key, title and line of the first chart of its sweep."""


def simulated(spec: ScenarioSpec) -> list[StoredPoint]:
    summaries = paired_answers(expansion(spec).points, events=60_000)
    return [StoredPoint(item.index, item.overrides, partial=False, summary=item) for item in summaries]


@pytest.mark.parametrize("key", FIRST)
def test_the_first_chart_of_a_preset_is_about_its_question_and_none_is_drawn_twice(key: str) -> None:
    spec = preset(key)
    points = simulated(spec)
    charts = sweep_charts(spec, points)
    assert len({chart.title for chart in charts}) == len({chart.key for chart in charts}) == len(charts)
    first, title, line = FIRST[key]
    assert (charts[0].key, charts[0].title) == (first, title)
    assert metric_title(asked_metric(spec)) in charts[0].columns
    assert line in legend(charts[0].figure) or not line
    met = [place for place, point in enumerate(points) if verdict_word(spec.objectives, point.summary) == "met"]
    zones = [shape for shape in charts[0].figure["layout"]["shapes"] if shape.get("fillcolor") == "@green/12"]
    assert len(zones) == len(stretches(met))
    assert ("Objectives met (shaded): " in charts[0].sentence) == bool(met)


def test_of_several_queues_the_first_chart_shows_the_one_that_was_asked_for() -> None:
    body = preset("surge-backlog").body()
    other = {**body["queues"][0], "name": "slow", "arrivals": {"kind": "poisson", "rate": 1.0}}
    spec = parse(
        {**body, "queues": [*body["queues"], other], "objectives": [{**body["objectives"][0], "queue": "slow"}]}
    )
    own, whole = (replace(summary_of(0), metrics={"latency.p95": item}) for item in (OWN, WHOLE))
    summary = replace(whole, queues={"slow": own.metrics})
    point = StoredPoint(0, {"queues.orders.settings.maximum_sessions": 36}, partial=False, summary=summary)
    chart, *_ = sweep_charts(spec, [point])
    assert chart.title == "Latency of slow over Maximum sessions of orders"
    assert chart.rows == (("36", "200 ms"),)
    assert asked_queue(spec) == "slow"


def test_without_a_sweep_there_is_no_curve() -> None:
    spec = preset("saturated")
    assert sweep_charts(spec, []) == ()
    assert sweep_charts(spec.unswept, [StoredPoint(0, {}, partial=False, summary=summary_of(0))]) == ()
