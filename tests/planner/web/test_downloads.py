"""The header of a file that a browser saves."""

import pytest

from planner.web.downloads import saved_as


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
