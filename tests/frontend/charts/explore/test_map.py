"""The map: logarithmic colors, marks where they belong, undecided cells apart."""

import math

import pytest

from frontend.charts.explore.map import Axis, MapCell, MapMarks, map_chart
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
