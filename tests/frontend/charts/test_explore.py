"""The figures of a search: pure, each axis with its unit, marks where they belong, doubtful cells apart."""

import json
import math
from typing import Any

import pytest

from frontend.charts.explore_choice import Bar, Paid, front_chart, frontier, tornado_chart
from frontend.charts.explore_lines import Along, along_chart, headroom_chart
from frontend.charts.explore_map import Axis, MapCell, MapMarks, map_chart
from frontend.charts.explore_runs import Column, runs_chart
from simulations.analysis.estimates.summary import Estimate
from tests.frontend.charts.painting import paint


def seconds(value: float, half: float = 0.0) -> Estimate:
    return Estimate(value, value - half, value + half, "s")


CELLS = {
    (0, 0): MapCell(1, seconds(0.5, 0.01), "met", partial=False),
    (1, 0): MapCell(2, seconds(0.8, 0.1), "unsure", partial=True),
    (0, 1): MapCell(3, seconds(2.0, 0.1), "missed", partial=False),
    (1, 1): MapCell(4, None, "unstable", partial=False),
}
MAP = map_chart(
    Axis("Maximum sessions [messages]", ("18", "36", "50")),
    Axis("Arrival rate [/s]", ("40", "80")),
    CELLS,
    metric="Latency of 95 %",
    unit="s",
    marks=MapMarks(objective=0.8, chosen=(0, 0), current=(0.5, 1.0)),
    sentence="Four cells.",
)
PAID = (
    Paid(4, seconds(0.087, 0.001), "4 threads", "missed"),
    Paid(8, seconds(0.048, 0.001), "8 threads", "met", "recommended"),
    Paid(16, seconds(0.051), "16 threads, batch 2", "met"),
    Paid(16, seconds(0.035), "16 threads", "met"),
)
FRONT = front_chart(PAID, cost="Threads", metric="Latency of 95 %", unit="s", sentence="The front.")
BARS = (
    Bar("Arrivals", seconds(-0.08, 0.04), None, "× 0.8", "× 1.2", "unstable at × 1.2"),
    Bar("CPUs", seconds(0.02), seconds(-0.01), "1", "3"),
)
TORNADO = tornado_chart(BARS, metric="Latency of 95 %", unit="s", sentence="Inputs.")
PLACES = (
    Along(40.0, "40/s", seconds(0.2, 0.01)),
    Along(80.0, "80/s", seconds(0.9, 0.05)),
    Along(95.0, "95/s", None),
)
HEADROOM = headroom_chart(
    PLACES,
    title="arrival rate",
    metric="Latency of 95 %",
    unit="s",
    objective=0.8,
    marks={"today": 60.0, "1.5 × today": 90.0},
    axis_unit="messages/s",
    sentence="Headroom.",
)
CURVE = along_chart(
    PLACES,
    title="Arrival rate",
    metric="Latency of 95 %",
    unit="s",
    objective=0.8,
    axis_unit="/s",
    chosen=PLACES[0],
    sentence="A curve.",
)
RUNS = runs_chart(
    (Column("Threads", (4.0, 8.0), ("4", "8")), Column("Latency", (100.0, None), ("100 ms", "–"), "ms")),
    ("met", "missed"),
    sentence="Two runs.",
)
ALL = (MAP, FRONT, TORNADO, HEADROOM, CURVE, RUNS)


def traces(chart: Any, **wanted: Any) -> list[dict[str, Any]]:
    return [trace for trace in chart.figure["data"] if all(trace.get(key) == value for key, value in wanted.items())]


@pytest.mark.parametrize("chart", ALL, ids=lambda chart: chart.key)
def test_every_chart_is_json_in_both_themes_with_a_sentence_and_a_table(chart: Any) -> None:
    for theme in ("light", "dark"):
        assert "@" not in json.dumps(paint(chart.figure, theme), allow_nan=False)
    assert chart.sentence
    assert all(len(row) == len(chart.columns) for row in chart.rows)


def test_the_map_has_logarithmic_colours_and_an_index_for_each_cell() -> None:
    heat = traces(MAP, type="heatmap")[0]
    assert heat["z"][0][:2] == [pytest.approx(math.log10(0.5), abs=1e-4), pytest.approx(math.log10(0.8), abs=1e-4)]
    assert heat["z"][1][1] is None
    assert MAP.figure["layout"]["meta"]["cells"] == [[1, 2, None], [3, 4, None]]
    assert heat["text"][0][1] == "800 ± 100 ms so far"
    assert heat["text"][0][2] == "between points that agree"


def test_no_map_asks_plotly_for_a_style_attribute() -> None:
    for heat in traces(MAP, type="heatmap"):
        assert heat["xgap"] > 0
        assert heat["showscale"] is False


def test_the_map_marks_objective_choice_current_doubt_and_instability() -> None:
    (contour,) = traces(MAP, type="contour")
    assert contour["contours"]["start"] == pytest.approx(math.log10(0.8))
    assert traces(MAP, name="undecided")[0]["x"] == [1]
    assert (traces(MAP, name="unstable")[0]["x"], traces(MAP, name="unstable")[0]["y"]) == ([1], [1])
    assert traces(MAP, name="recommended")[0]["x"] == [0]
    assert traces(MAP, name="current")[0]["x"] == [0.5]


def test_the_frontier_holds_what_nothing_cheaper_beats() -> None:
    assert [item.label for item in frontier(PAID)] == ["4 threads", "8 threads", "16 threads"]
    met = traces(FRONT, name="meets the objectives")[0]
    assert met["error_y"]["array"][0] == pytest.approx(1.0)
    assert traces(FRONT, name="recommended")[0]["x"] == [8]


def test_the_tornado_puts_the_first_input_on_top_and_says_what_is_unstable() -> None:
    low = traces(TORNADO, name="input lower")[0]
    assert low["y"][-1] == "Arrivals"
    assert low["x"][-1] == pytest.approx(-80.0)
    assert "unstable at × 1.2" in json.dumps(TORNADO.figure["layout"]["annotations"], ensure_ascii=False)
    assert TORNADO.rows[0][4] == "unstable at × 1.2"


def test_headroom_marks_stand_upright_and_unstable_rates_have_no_value() -> None:
    uprights = [shape for shape in HEADROOM.figure["layout"]["shapes"] if shape.get("x0") == shape.get("x1")]
    assert [shape["x0"] for shape in uprights] == [60.0, 90.0]
    assert traces(HEADROOM, mode="lines+markers")[0]["y"][-1] is None
    assert HEADROOM.rows[-1] == ("95/s", "unstable")
    objective = HEADROOM.figure["layout"]["annotations"][0]
    assert objective["y"] == pytest.approx(math.log10(800))


def test_lines_of_runs_run_from_the_smallest_to_the_largest_value() -> None:
    met = traces(RUNS, name="meets the objectives")[0]
    assert met["y"] == [0.0, 0.5, None]
    missed = traces(RUNS, name="misses")[0]
    assert missed["y"] == [1.0, None, None]


def test_the_browser_gets_what_it_narrows_runs_by() -> None:
    meta = RUNS.figure["layout"]["meta"]
    assert [axis["values"] for axis in meta["brush"]] == [(4.0, 8.0), (100.0, None)]
    assert [axis["ends"] for axis in meta["brush"]] == [(4.0, 8.0), (100.0, 100.0)]
    assert meta["verdicts"] == ["met", "missed"]
    assert [(item.title, item.unit) for item in RUNS.ranges] == [("Threads", ""), ("Latency", "ms")]
