"""The curve of a setting, and a gain that other random numbers confirm."""

import pytest

from planner.answers import quick
from planner.answers.choice import asked_metric
from planner.answers.cures import fix_key
from planner.answers.curves import curve_of, gain_of
from planner.answers.quick import quick_answer
from planner.presets.files import presets
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.replications.rows import ReplicationRow
from simulations.declarations.problems import InvalidInput
from simulations.engine.network.model import NetworkSpec
from simulations.experiment import with_overrides
from simulations.experiment.verdicts import objective_verdicts
from simulations.scenario.spec import ScenarioSpec, parse

SESSIONS = "queues.orders.settings.maximum_sessions"


def preset(key: str) -> ScenarioSpec:
    return next(item.spec for item in presets() if item.key == key)


def test_a_curve_is_about_the_objective_or_what_means_something() -> None:
    assert [asked_metric(preset(key)) for key in ("balance", "saturated", "surge")] == [
        "drain_time",
        "throughput",
        "drain_time",
    ]


def test_sessions_that_cover_the_threads_are_worth_taking() -> None:
    curve = curve_of(preset("saturated"), SESSIONS, 18, (9, 18, 40, 100), 18)
    assert curve_of(preset("saturated"), SESSIONS, 18, (9, 18, 40, 100), 18) is curve  # nothing is simulated again
    assert [value for value, _ in curve.points] == [9, 18, 40, 100]
    assert curve.promising is not None
    assert curve.promising[0] == 40  # of equal ones the nearest
    trial = gain_of(preset("saturated"), fix_key({SESSIONS: 40}))
    assert trial is not None
    change = next(item for item in trial.changes if item.metric == "throughput")
    assert change.difference.low > 0


def test_of_values_that_are_as_good_the_cure_that_is_offered_is_taken() -> None:
    body = preset("surge-backlog").body()
    body["queues"][0]["settings"]["maximum_sessions"] = 8
    curve = curve_of(parse({**body, "sweep": []}), SESSIONS, 8, (8, 27, 36, 45), near=36)
    assert curve.promising is not None
    assert curve.promising[0] == 36


def test_the_present_value_is_on_the_curve_where_the_slider_reaches_it() -> None:
    for values, expected in (((9, 40), [9, 18, 40]), ((20, 40), [20, 40])):
        curve = curve_of(preset("saturated"), SESSIONS, 18, values, 18)
        assert [value for value, _ in curve.points] == expected


def test_a_setting_without_effect_gains_nothing() -> None:
    curve = curve_of(preset("saturated"), "servers.payments-full.settings.recovery_interval", 60, (10, 60, 100), 60)
    assert curve.promising is None


def test_values_that_are_unstable_or_forbidden_are_told_apart() -> None:
    curve = curve_of(preset("surge-backlog"), SESSIONS, 36, (0, 8, 36), 36)
    assert [(value, answer.status == "unstable") for value, answer in curve.points] == [(8, True), (36, False)]
    assert "latency.p95" not in curve.points[0][1].metrics


def test_an_objective_that_was_met_is_not_given_up() -> None:
    curve = curve_of(preset("order"), "queues.postings.settings.maximum_sessions", 1, (1, 4, 36), 1)
    assert curve.promising is None


@pytest.mark.parametrize(
    ("key", "path", "values"),
    [
        ("surge-backlog", SESSIONS, (1, 9, 36, 100)),
        ("slow-mdb", "queues.statements.settings.maximum_sessions", (36, 100, 200)),
        ("flow-control", "queues.trades.settings.flow_interval", (10, 60, 120)),
        ("member", "servers.members-outage.settings.max_pool_size", (8, 12, 16)),
    ],
)
def test_a_curve_shows_nothing_that_the_whole_answer_contradicts(
    key: str, path: str, values: tuple[float, ...]
) -> None:
    spec = preset(key).unswept
    curve = curve_of(spec, path, values[0], values, values[0])
    for value, answer in curve.points:
        whole = quick_answer(with_overrides(spec, {path: value})).summary
        assert (answer.status == "unstable") == (whole.status == "unstable"), value
        if curve.metric in whole.metrics and not BY_NAME[curve.metric].is_extreme:
            shown, known = answer.metrics[curve.metric], whole.metrics[curve.metric]
            assert shown.low <= known.high, value
            assert known.low <= shown.high, value
        verdicts = objective_verdicts(spec.objectives, answer), objective_verdicts(spec.objectives, whole)
        for one, other in zip(*verdicts, strict=True):
            assert one.met == other.met or one.unresolved or other.unresolved, (value, one.objective.metric)


def test_what_a_formula_calls_hopeless_is_simulated_twice_and_what_is_compared_with_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec, plain = preset("surge-backlog").unswept, quick._replications
    asked: list[int] = []

    def counting(network: NetworkSpec, seed: int, count: int) -> list[ReplicationRow]:
        asked.append(count)
        return plain(network, seed, count)

    quick._first_rows.cache_clear()
    monkeypatch.setattr(quick, "_replications", counting)
    for most in (100, 101):
        curve_of(spec, SESSIONS, 36, (8, 36, most), 36)
    assert asked == [5, 2, 5, 2, 5]


def test_of_a_course_with_periods_whole_ones_are_simulated() -> None:
    spec = preset("flow-control").unswept
    for _, answer in curve_of(spec, "queues.trades.settings.flow_interval", 60, (60,), 60).points:
        assert answer.metrics["throughput"].value == pytest.approx((60 * 500 + 540 * 20) / 600, rel=0.02)


def test_what_is_too_large_is_refused() -> None:
    body = preset("surge").body()
    body["queues"][0]["arrivals"]["count"] = 1_000_000
    with pytest.raises(InvalidInput, match="too many for a quick answer"):
        curve_of(parse({**body, "sweep": []}), SESSIONS, 100, (50, 100), 100)
