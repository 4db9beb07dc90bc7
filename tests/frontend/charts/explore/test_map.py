"""The map: logarithmic colors, marks where they belong, undecided cells apart."""

import math

import pytest

from frontend.charts.explore.map import Axis, MapCell, MapMarks, along_chart, headroom_chart, map_chart
from frontend.charts.swept import Sweep, Swept
from tests.frontend.charts.drawn import legend
from tests.frontend.charts.explore.drawn import seconds, traces

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
    metric="latency.p95",
    marks=MapMarks(objective=0.8, chosen=(0, 0), current=(0.5, 1.0)),
    sentence="Four cells.",
)


def test_the_map_has_logarithmic_colors_and_an_index_for_each_cell() -> None:
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


PLACES = (
    Swept("40/s", {"latency.p95": seconds(0.2, 0.01)}, number=40.0),
    Swept("80/s", {"latency.p95": seconds(0.9, 0.05)}, number=80.0),
    Swept("95/s", {}, "unstable", 95.0, 3.0),
)
SWEEP = Sweep("arrival rate", "messages/s", PLACES)
MARKS = {"today": 60.0, "1.5 × today": 90.0}
HEADROOM = headroom_chart(SWEEP, "latency.p95", objective=0.8, marks=MARKS, sentence="Headroom.")
CURVE = along_chart(SWEEP, "latency.p95", objective=0.8, chosen=0, sentence="A curve.")


def test_headroom_marks_stand_upright_and_unstable_rates_have_no_value() -> None:
    uprights = [shape for shape in HEADROOM.figure["layout"]["shapes"] if shape.get("x0") == shape.get("x1")]
    assert [shape["x0"] for shape in uprights] == [60.0, 90.0]
    assert traces(HEADROOM, mode="lines+markers")[0]["y"][-1] is None
    assert HEADROOM.rows[-1] == ("95/s", "unstable")
    assert HEADROOM.figure["layout"]["shapes"][0]["y0"] == 800
    assert legend(HEADROOM.figure) == ["objective 800 ms", "today", "1.5 × today"]


def test_the_recommended_value_has_a_star_on_the_curve() -> None:
    (star,) = traces(CURVE, name="recommended")
    assert (star["x"], star["y"]) == ([40.0], [200.0])
    assert CURVE.figure["layout"]["xaxis"]["ticktext"] == ["40/s", "80/s", "95/s"]
    assert legend(CURVE.figure)[-1] == "unstable at 95/s: +3.00 messages/s"
    assert CURVE.rows[0] == ("40/s", "200 ± 10 ms")
