"""The curve of a setting, and a gain that other random numbers confirm."""

import pytest

from planner.answers.choice import asked_metric
from planner.answers.curves import curve_of
from planner.presets.files import presets
from simulations.declarations.problems import InvalidInput
from simulations.scenario.spec import ScenarioSpec, parse

SESSIONS = "queues.orders.settings.maximum_sessions"


def preset(key: str) -> ScenarioSpec:
    return next(item.spec for item in presets() if item.card.key == key)


def test_a_curve_is_about_the_objective_or_what_means_something() -> None:
    assert [asked_metric(preset(key)) for key in ("balance", "saturated", "surge")] == [
        "drain_time",
        "throughput",
        "drain_time",
    ]


def test_sessions_that_cover_the_threads_are_worth_taking() -> None:
    curve = curve_of(preset("saturated"), SESSIONS, 18, [9, 18, 40, 100], 18)
    assert [value for value, _ in curve.points] == [9, 18, 40, 100]
    assert curve.best is not None
    value, trial = curve.best
    assert value == 40  # of equal ones the nearest
    change = next(item for item in trial.changes if item.metric == "throughput")
    assert change.difference.low > 0


def test_of_values_that_are_as_good_the_cure_that_is_offered_is_taken() -> None:
    body = preset("surge-backlog").body()
    body["queues"][0]["settings"]["maximum_sessions"] = 8
    curve = curve_of(parse({**body, "sweep": []}), SESSIONS, 8, [8, 27, 36, 45], near=36)
    assert curve.best is not None
    assert curve.best[0] == 36


def test_the_present_value_is_on_the_curve_where_the_slider_reaches_it() -> None:
    for values, expected in (([9, 40], [9, 18, 40]), ([20, 40], [20, 40])):
        curve = curve_of(preset("saturated"), SESSIONS, 18, values, 18)
        assert [value for value, _ in curve.points] == expected


def test_a_setting_without_effect_gains_nothing() -> None:
    curve = curve_of(preset("saturated"), "servers.payments-full.settings.recovery_interval", 60, [10, 60, 100], 60)
    assert curve.best is None


def test_values_that_are_unstable_or_forbidden_are_told_apart() -> None:
    curve = curve_of(preset("surge-backlog"), SESSIONS, 36, [0, 8, 36], 36)
    assert [(value, answer.status == "unstable") for value, answer in curve.points] == [(8, True), (36, False)]
    assert "latency.p95" not in curve.points[0][1].metrics


def test_an_objective_that_was_met_is_not_given_up() -> None:
    curve = curve_of(preset("order"), "queues.postings.settings.maximum_sessions", 1, [1, 4, 36], 1)
    assert curve.best is None


def test_what_is_too_large_is_refused() -> None:
    body = preset("surge").body()
    body["queues"][0]["arrivals"]["count"] = 1_000_000
    with pytest.raises(InvalidInput, match="too many for a quick answer"):
        curve_of(parse({**body, "sweep": []}), SESSIONS, 100, [50, 100], 100)
