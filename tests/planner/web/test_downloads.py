"""Files that a browser saves: their header, and no formulas in their cells."""

import csv
import io

import pytest

from planner.web.downloads import csv_text, saved_as


@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("run.csv", 'attachment; filename="run.csv"'),
        ('a"b.csv', 'attachment; filename="a\\"b.csv"'),
        ("Größe.csv", "attachment; filename*=utf-8''Gr%C3%B6%C3%9Fe.csv"),
    ],
)
def test_any_name_reaches_the_browser_whole(name: str, header: str) -> None:
    assert saved_as(name) == {"Content-Disposition": header}


def test_no_cell_is_a_formula() -> None:
    row = ["=1+1", "+cmd", "-x", "@sum", "\tx", "plain", -1.5, "-1.5", None, "a=b"]
    text = csv_text([row])
    read = next(csv.reader(io.StringIO(text, newline="")))
    assert read[:6] == ["'=1+1", "'+cmd", "'-x", "'@sum", "'\tx", "plain"]
    assert read[6:] == ["-1.5", "-1.5", "", "a=b"], "numbers stay numbers"
