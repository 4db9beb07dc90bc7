"""The table of scenarios, as far as it needs no page."""

from frontend.scenarios.page import EDGE, HEIGHT, WIDTH, factor_text, sparkline


def test_a_headroom_beyond_what_was_tried_is_a_bound() -> None:
    for found, text in (
        ({"carried": 3.0, "low": 3.0, "high": None, "missed": None}, "≥ 3×"),
        ({"carried": 0.0, "low": 0.0, "high": 0.5, "missed": 0.5}, "< 0.5×"),
        ({"carried": 1.42, "low": 1.4, "high": 1.43, "missed": 1.43}, "1.420 ± 0.020×"),
    ):
        assert factor_text(**found) == text


def test_one_number_is_no_line() -> None:
    assert sparkline([]) is None
    assert sparkline([("v1", 0.2)]) is None


def test_the_line_goes_from_edge_to_edge_and_higher_numbers_lie_higher() -> None:
    drawn = sparkline([("v1", 0.1), ("v2", 0.3), ("v4", 0.2)])
    assert drawn is not None
    low, middle, high = HEIGHT - EDGE, HEIGHT / 2, EDGE
    assert drawn.points == f"{EDGE}.0,{low}.0 {WIDTH / 2},{high}.0 {WIDTH - EDGE}.0,{middle}"
    assert (drawn.x, drawn.y) == (WIDTH - EDGE, middle)
    assert drawn.text == "p95 latency by version: v1 100 ms, v2 300 ms, v4 200 ms"


def test_equal_numbers_are_a_line_in_the_middle() -> None:
    drawn = sparkline([("v1", 0.2), ("v2", 0.2)])
    assert drawn is not None
    assert {point.split(",")[1] for point in drawn.points.split()} == {f"{HEIGHT / 2}"}
