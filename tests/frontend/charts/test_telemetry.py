"""Charts of a calibration."""

from typing import Any

from frontend.charts.telemetry import (
    TABLE_ROWS,
    checks_chart,
    course_chart,
    dispersion_chart,
    rate_chart,
    service_chart,
    week_chart,
)

ARRIVALS = {"minutes": [[0.0, 10.0], [60.0, 14.0]], "rate": 12.0, "steady": True, "local": 1.1, "week": []}
SERVICE = {"kind": "lognormal", "goodness": "good", "distance": 0.0123}
QUEUE: dict[str, Any] = {
    "name": "orders",
    "arrivals": ARRIVALS,
    "curve": {"time": [0.1, 0.2, 0.4], "measured": [1.0, 0.5, 0.01], "fitted": [1.0, 0.48, 0.0]},
    "percentiles": {"p95": 0.3},
    "service": SERVICE,
    "service_mean": {"value": 0.2, "low": 0.19, "high": 0.21, "unit": "s"},
    "service_cv": {"value": 0.5},
    "provenance": "assumed",
    "course": {"time": [0.0, 60.0], "present": [3.0, 4.0], "waiting": [None, None], "busy": [2.0, None]},
}


def check(**changes: Any) -> dict[str, Any]:
    bounds = {"predicted": 0.9, "low": 0.8, "high": 1.1, "observed": 1.0, "validated": True}
    return {"queue": "orders", "kind": "last fifth", **bounds, **changes}


def test_arrivals_are_told_with_their_rate_and_how_regular_they_are() -> None:
    chart = rate_chart(QUEUE)
    assert chart.sentence == (
        "12/s on average, steady; messages come as irregularly as independent ones (index of dispersion 1.10)."
    )
    assert chart.rows == (("0", "10"), ("60", "14"))
    bursts = {**QUEUE, "arrivals": {**ARRIVALS, "steady": False, "local": 3.0}}
    assert "changing with time; messages come in bursts" in rate_chart(bursts).sentence


def test_the_dispersion_of_the_log_stands_beside_that_of_the_fitted_process() -> None:
    log = {"0.1": 1.1, "0.2": 1.4, "10.0": 3.0}
    shown = {**ARRIVALS, "dispersion": log, "expected": {"0.1": 1.2, "0.2": 1.3, "10.0": 2.8}}
    chart = dispersion_chart({**QUEUE, "arrivals": shown})
    assert chart is not None
    assert [trace["y"] for trace in chart.figure["data"]] == [[1.1, 1.4, 3.0], [1.2, 1.3, 2.8]]
    assert (
        "largest in windows of 10 s: 3, where independent arrivals have 1; the fitted process has 2.8" in chart.sentence
    )
    alone = dispersion_chart({**QUEUE, "arrivals": {**shown, "expected": {}}})
    assert alone is not None
    assert len(alone.figure["data"]) == 1
    assert "no formula tells" in alone.sentence
    assert dispersion_chart({**QUEUE, "arrivals": {**ARRIVALS, "dispersion": {}}}) is None


def test_a_week_needs_a_day_of_hours() -> None:
    assert week_chart(QUEUE) is None
    week = [5.0] * 24 + [None] * 143 + [9.0]
    chart = week_chart({**QUEUE, "arrivals": {**ARRIVALS, "week": week}})
    assert chart is not None
    assert chart.sentence == "The busiest hour of the week begins Sun 23:00 UTC with 9/s."
    assert len(chart.rows) == 25


def test_the_fit_is_drawn_over_what_was_measured() -> None:
    chart = service_chart(QUEUE)
    assert [trace["name"] for trace in chart.figure["data"]] == ["measured", "fitted: lognormal"]
    assert chart.sentence.endswith("; fit of lognormal: good (largest distance 1.2 %).")
    empirical = {**QUEUE, "service": {"kind": "empirical"}, "curve": {**QUEUE["curve"], "fitted": []}}
    alone = service_chart(empirical)
    assert [trace["name"] for trace in alone.figure["data"]] == ["measured"]
    assert alone.rows[0][-1] == "–"
    assert "no family fits well" in alone.sentence


def test_a_course_shows_only_what_was_sampled() -> None:
    chart = course_chart(QUEUE)
    assert [trace["name"] for trace in chart.figure["data"]] == ["in the system", "in process"]
    assert chart.rows[1] == ("60", "4", "–")
    assert "200 ± 10 ms" in chart.sentence


def test_predictions_are_compared_with_what_was_observed() -> None:
    chart = checks_chart([check(), check(predicted=None, validated=False)])
    assert chart is not None
    predicted, observed = chart.figure["data"]
    assert (predicted["x"], observed["x"], predicted["y"]) == ([0.9], [1.0], ["orders, last fifth: p95"])
    assert [round(predicted["error_x"][side][0], 6) for side in ("array", "arrayminus")] == [0.2, 0.1]
    assert chart.rows == (("orders, last fifth: p95", "0.9", "0.8", "1.1", "1"),)
    assert chart.sentence.startswith("1 of 2 predictions lie within 10 %")
    assert checks_chart([check(observed=None)]) is None


def test_a_table_is_thinned_to_its_most_rows() -> None:
    arrivals = {"steady": True, "local": 1.0, "rate": 1.0}
    for count, shown in ((1, 1), (TABLE_ROWS, TABLE_ROWS), (2 * TABLE_ROWS - 1, TABLE_ROWS)):
        minutes = [[60.0 * at, 1.0] for at in range(count)]
        assert len(rate_chart({"name": "orders", "arrivals": {**arrivals, "minutes": minutes}}).rows) == shown
