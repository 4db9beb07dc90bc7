"""Traces and shapes that figures share."""

import pytest

from frontend.charts.parts import (
    band,
    level,
    line,
    linked,
    scaled,
    sides,
    spans,
    timed,
    upright,
    whiskers,
)
from simulations.analysis.estimates.summary import Estimate, Scale
from tests.frontend.charts.drawn import figures, legend

UNEVEN = Estimate(1.0, 0.9, 1.3, "s")


def test_scaling_keeps_gaps_and_six_digits() -> None:
    assert scaled([0.12345678, None], 1e3) == [123.457, None]


def test_both_sides_of_an_uneven_interval_are_drawn() -> None:
    bars = whiskers([UNEVEN, None], 1e3, "ink")
    assert bars["array"] == pytest.approx([300, 0])
    assert bars["arrayminus"] == pytest.approx([100, 0])
    assert [list(side) for side in sides([UNEVEN, None], 1.0)] == [[1.0, None], [0.9, None], [1.3, None]]


def test_a_band_leaves_out_places_without_an_end() -> None:
    low, high = band([1, 2, 3], [0.1, None, 0.3], [0.2, 0.3, None], name="p95", color="blue")
    assert (low["x"], low["y"], high["y"]) == ([1], [0.1], [0.2])
    assert high["fill"] == "tonexty"


def test_a_band_does_not_bridge_a_gap() -> None:
    ends: list[float | None] = [0.1, 0.2, None, 0.4, 0.5]
    assert [trace["x"] for trace in band([1, 2, 3, 4, 5], ends, ends, name="p95", color="blue")] == [[1, 2]] * 2 + [
        [4, 5]
    ] * 2
    assert band([1], [None], [None], name="p95", color="blue") == []


def test_a_line_without_a_unit_says_nothing_under_the_pointer() -> None:
    silent, told = line([1], [2], name="a", color="blue"), line([1], [2], name="a", color="blue", unit="")
    assert ("hoverinfo" in silent, "hovertemplate" in silent) == (True, False)
    assert ("hoverinfo" in told, "hovertemplate" in told) == (False, True)


def test_spans_begin_and_end_where_the_flag_changes() -> None:
    assert spans([0, 1, 2, 3], [False, True, True, False]) == [(1, 3)]
    assert spans([0, 1], [True, True]) == [(0, 1)]
    assert spans([0, 1], [False, False]) == []
    assert spans([0, 1, 2, 3, 4], [True, True, False, False, True]) == [(0, 2), (4, 4)]
    assert spans([], []) == []


@pytest.mark.parametrize(("time", "unit"), [([0.0, 2.0], "s"), ([0.0, 0.02], "ms"), ([None, 5.0], "s"), ([], "s")])
def test_courses_shorter_than_a_second_get_a_smaller_unit(time: list[float | None], unit: str) -> None:
    assert timed(time)[1].unit == unit


def test_lines_without_words_are_not_in_the_legend() -> None:
    lines = [level(3, text="limit", color="green"), upright(1, text="", color="ink")]
    assert [shape["y0"] for shape in lines] == [3, 0]
    assert legend({"layout": {"shapes": lines}}) == ["limit"]


@pytest.mark.parametrize("name", [name for name in figures() if name != "budget"])
def test_no_words_lie_on_what_is_drawn(name: str) -> None:
    assert all(note["x"] < 0 for note in figures()[name]["layout"].get("annotations", []))


def test_only_figures_of_a_group_are_linked() -> None:
    assert linked("", Scale(1e3, "ms")) == {}
    assert linked("run", Scale(1e3, "ms")) == {"meta": {"link": "run", "unit": 1e-3}}
