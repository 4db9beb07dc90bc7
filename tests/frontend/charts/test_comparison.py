"""Figures of a comparison: paired differences on one relative axis, overlaid tails."""

import json
import re
from collections.abc import Sequence

import pytest

from frontend.charts.comparison import LOOKS, Dot, Dots, differences_chart, tails_chart
from frontend.charts.parts import Figure
from simulations.analysis.estimates.summary import Estimate
from tests.frontend.charts.painting import paint

P95 = Dot("p95 latency", 2.0, Estimate(-0.1, -0.15, -0.05, "s"), "better")
RATE = Dot("Throughput", 400.0, Estimate(1.0, -1.0, 3.0, "/s"), "not resolved")
NONE = Dot("Timeouts", 0.0, Estimate(3.0, 2.0, 4.0, "messages"), "worse")
SERIES = (Dots("v2", 1, (P95, RATE, NONE)), Dots("v3", 2, (P95,)))
CURVE: dict[str, list[float | None]] = {
    "latency": [0.01, 0.1, 0.5, 1.0],
    "survival": [1.0, 0.6, 0.05, 0.001],
    "low": [1.0, 0.58, 0.04, 0.0],
    "high": [1.0, 0.62, 0.06, 0.003],
}


def drawn(series: Sequence[Dots]) -> Figure:
    chart = differences_chart(series, baseline="v1")
    assert chart is not None
    return chart.figure


def test_differences_are_relative_to_the_baseline_with_their_intervals() -> None:
    first, second = drawn([Dots("v2", 1, (P95, RATE)), SERIES[1]])["data"]
    assert first["x"] == pytest.approx([-5, 0.25])
    assert first["error_x"]["array"] == pytest.approx([2.5, 0.5])
    assert first["error_x"]["arrayminus"] == pytest.approx([2.5, 0.5])
    assert first["y"][0] != second["y"][0]
    assert abs(first["y"][0] - second["y"][0]) < 1


def test_what_is_not_resolved_is_hollow() -> None:
    (trace,) = drawn([Dots("v2", 1, (P95, RATE))])["data"]
    assert trace["marker"]["symbol"] == ["diamond", "diamond-open"]


def test_the_zero_line_is_drawn_and_the_axis_has_its_unit() -> None:
    layout = drawn(SERIES[1:])["layout"]
    assert (layout["shapes"][0]["x0"], layout["shapes"][0]["x1"]) == (0, 0)
    assert layout["xaxis"]["title"]["text"].endswith("[% of the baseline]")


def test_a_baseline_of_nothing_has_no_relative_difference() -> None:
    chart = differences_chart(SERIES, baseline="v1")
    assert chart is not None
    assert [row[0] for row in chart.rows] == ["v2: p95 latency", "v2: Throughput", "v3: p95 latency"]
    assert chart.rows[0][2:] == ("-5 %", "better")
    assert "to v1 with its 95 % interval: 2 better, 1 with no measurable difference" in chart.sentence
    assert differences_chart([Dots("v2", 1, (NONE,))], baseline="v1") is None


def test_tails_are_told_apart_without_color() -> None:
    figure = tails_chart([("v1", 0, CURVE), ("v2", 1, CURVE)], objective=0.8).figure
    lines = [trace for trace in figure["data"] if trace.get("showlegend", True)]
    assert [trace["line"]["dash"] for trace in lines] == ["solid", "dash"]
    assert len(figure["data"]) == 6
    assert figure["layout"]["shapes"][0]["x0"] == 0.8
    assert re.search(r"\[m?s\]$", figure["layout"]["xaxis"]["title"]["text"])


def test_tails_have_a_sentence_and_a_table() -> None:
    chart = tails_chart([("v1", 0, CURVE)], objective=None)
    assert chart.rows == (("v1", "0.5 s", "0.5 s", "1 s", "1 s"),)
    assert chart.sentence == "1 % of the messages take at least 1 s (v1)."


def test_every_subject_has_its_own_look() -> None:
    for part in zip(*LOOKS, strict=True):
        assert len(set(part)) == len(LOOKS)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_theme_names_every_color(theme: str) -> None:
    assert "@" not in json.dumps(paint(drawn(SERIES[1:]), theme))
    assert "@" not in json.dumps(paint(tails_chart([("v1", 0, CURVE)], objective=None).figure, theme))
