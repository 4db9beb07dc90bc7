"""The table of a course: thinned rows, written when they are asked for."""

from frontend.charts.chart import TABLE_ROWS, CourseRows, cell


def test_a_short_course_has_a_row_for_each_instant() -> None:
    rows = CourseRows([0.5, 1.5], [[3.0, None], [0.25, 0.5]], units=("messages", "1"))
    assert list(rows) == [("500 ms", "3 messages", "25 %"), ("1.5 s", "–", "50 %")]
    assert rows[-1] == rows[1]
    assert rows[:1] == [("500 ms", "3 messages", "25 %")]


def test_a_long_course_is_thinned_and_its_numbers_stay() -> None:
    x = [float(at) for at in range(1000)]
    rows = CourseRows(x, [x], units=("messages",))
    assert len(rows) == TABLE_ROWS == len(list(rows))
    assert rows[1] == ("25 s", "25 messages")
    assert len(CourseRows([], [[]], units=("1",))) == 0


def test_no_number_is_a_dash() -> None:
    assert (cell(None, "s"), cell(0.2, "s")) == ("–", "200 ms")
