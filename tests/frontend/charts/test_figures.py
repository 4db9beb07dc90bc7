"""Figures are pure: data in, dictionary out, every axis with its unit, nothing that JSON cannot say."""

import copy
import json
import re
from typing import Any

import pytest

from frontend.charts.curves import SHOWN, Swept, percentile_curve, throughput_curve
from frontend.charts.figures import latency_over_time, tail
from frontend.charts.theme import COLOURS, paint, themes
from frontend.charts.throttle import Thresholds, throttle_timeline
from simulations.analysis.summary import Estimate

TIMELINE: dict[str, list[float | None]] = {
    "time": [0.0, 1.0, 2.0, 3.0],
    "backlog": [0.0, 40.0, 10.0, 0.0],
    "prepared": [0.0, 80.0, 40.0, 0.0],
    "running": [0.0, 18.0, 18.0, 4.0],
    "blocked": [0.0, 1.0, 0.0, 0.0],
    "idle_blocked": [0.0, 2.0, 0.0, 0.0],
    "band_time": [0.5, 1.5, 2.5],
    "p50": [0.1, 0.2, None],
    "p95": [0.4, 0.5, None],
    "p95_low": [0.3, None, None],
    "p95_high": [0.5, None, None],
    "p99": [0.9, 1.2, None],
}
TAIL: dict[str, list[float | None]] = {
    "latency": [0.01, 0.1, 0.5, 1.0],
    "survival": [1.0, 0.6, 0.05, 0.001],
    "low": [1.0, 0.58, 0.04, 0.0],
    "high": [1.0, 0.62, 0.06, 0.003],
}
SWEPT = (
    Swept("18", {}, "unstable"),
    Swept("36", {name: Estimate(0.7, 0.69, 0.71, "s") for name in SHOWN} | {"throughput": Estimate(81, 80, 82, "/s")}),
)
UNITS = re.compile(r"\[.+\]$")


def figures() -> dict[str, dict[str, Any]]:
    """Return one of each."""
    return {
        "curve": percentile_curve(SWEPT, setting="Maximum sessions", unit="messages", objective=0.8),
        "throughput": throughput_curve(SWEPT, setting="Maximum sessions", unit="messages"),
        "latency": latency_over_time(TIMELINE, objective=0.8),
        "throttle": throttle_timeline(TIMELINE, thresholds=Thresholds(high=100, low=50)),
        "no gate": throttle_timeline(TIMELINE, thresholds=Thresholds()),
        "tail": tail(TAIL, objective=0.8, marks={"latency.p95": Estimate(0.5, 0.45, 0.56, "s")}),
    }


@pytest.mark.parametrize("name", figures())
def test_every_axis_says_its_unit(name: str) -> None:
    layout = figures()[name]["layout"]
    for axis, settings in layout.items():
        if axis.startswith(("xaxis", "yaxis")) and settings.get("showticklabels", True):
            assert UNITS.search(settings["title"]["text"]), axis


@pytest.mark.parametrize("name", figures())
def test_equal_data_give_equal_figures_and_stay_untouched(name: str) -> None:
    before = copy.deepcopy((TIMELINE, TAIL, SWEPT))
    assert figures()[name] == figures()[name]
    assert before == (TIMELINE, TAIL, SWEPT)
    assert json.loads(json.dumps(figures()[name], allow_nan=False)) == figures()[name]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", figures())
def test_a_theme_names_every_colour(name: str, theme: str) -> None:
    assert "@" not in json.dumps(paint(figures()[name], theme))


def luminance(colour: str) -> float:
    """Return the relative luminance that WCAG 2 defines."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["blue", "sky", "green", "orange", "vermillion", "purple", "grey"])
def test_lines_stand_out_from_their_ground(name: str, theme: str) -> None:
    line, ground = luminance(COLOURS[theme][name]), luminance(COLOURS[theme]["surface"])
    assert (max(line, ground) + 0.05) / (min(line, ground) + 0.05) >= 3


def test_the_browser_gets_both_themes() -> None:
    assert set(themes()["colours"]) == {"light", "dark"}
    assert themes()["colours"]["light"].keys() == themes()["colours"]["dark"].keys()


def test_an_unstable_point_is_named_and_has_no_percentile() -> None:
    figure = figures()["curve"]
    assert [note["text"] for note in figure["layout"]["annotations"]] == ["objective 800 ms", "▲ unstable"]
    p95 = next(
        trace
        for trace in figure["data"]
        if trace["name" if "name" in trace else "legendgroup"] == "p95" and "markers" in trace["mode"]
    )
    assert p95["y"] == [None, 700.0]


def test_both_thresholds_are_labelled_lines() -> None:
    layout = figures()["throttle"]["layout"]
    assert [shape["y0"] for shape in layout["shapes"]] == [100, 50]
    assert [note["text"] for note in layout["annotations"]][:2] == ["high threshold 100", "low threshold 50"]


def test_blocked_time_and_idle_threads_are_drawn() -> None:
    traces = {trace["name"]: trace for trace in figures()["throttle"]["data"]}
    assert traces["throttle blocked"]["y"] == [0.0, 1.0, 0.0, 0.0]
    assert traces["idle while blocked"]["y"] == [0.0, 2.0, 0.0, 0.0]
    assert traces["in flight"]["y"] == [0.0, 98.0, 58.0, 4.0]


def test_the_band_leaves_gaps_out() -> None:
    low, high = figures()["latency"]["data"][:2]
    assert (low["x"], low["y"], high["y"]) == ([0.5], [0.3], [0.5])
