"""A few numbers as a small line: its points lie in the box, higher numbers higher."""

from frontend.scenarios.sparkline import EDGE, HEIGHT, WIDTH, sparkline


def test_one_number_is_no_line() -> None:
    assert sparkline([]) is None
    assert sparkline([(1, 0.2)]) is None


def test_the_line_goes_from_edge_to_edge_and_higher_numbers_lie_higher() -> None:
    drawn = sparkline([(1, 0.1), (2, 0.3), (4, 0.2)])
    assert drawn is not None
    low, middle, high = HEIGHT - EDGE, HEIGHT / 2, EDGE
    assert drawn.points == f"{EDGE}.0,{low}.0 {WIDTH / 2},{high}.0 {WIDTH - EDGE}.0,{middle}"
    assert (drawn.x, drawn.y) == (WIDTH - EDGE, middle)
    assert drawn.text == "95 % latency by version: v1 100 ms, v2 300 ms, v4 200 ms"


def test_equal_numbers_are_a_line_in_the_middle() -> None:
    drawn = sparkline([(1, 0.2), (2, 0.2)])
    assert drawn is not None
    assert {point.split(",")[1] for point in drawn.points.split()} == {f"{HEIGHT / 2}"}
