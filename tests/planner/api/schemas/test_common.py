"""Bodies that are made of stored rows."""

from types import SimpleNamespace

import pytest
from pydantic import ValidationError

from planner.api.schemas.common import In, Out, Page, ProblemOut


class Line(Out):
    """A line of a list."""

    id: str
    size: int


class Asked(In):
    """A body that is sent."""

    size: float = 1.0


def test_a_row_gives_what_is_not_given() -> None:
    row = SimpleNamespace(id="a", size=1, secret="s")
    assert Line.of(row) == Line(id="a", size=1)
    assert Line.of(row, size=2) == Line(id="a", size=2)


def test_a_row_without_a_field_is_a_defect() -> None:
    with pytest.raises(AttributeError, match="size"):
        Line.of(SimpleNamespace(id="a"))


def test_unknown_keys_and_numbers_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ValidationError, match="Extra inputs"):
        Asked.model_validate({"colour": 1})
    with pytest.raises(ValidationError, match="finite"):
        Asked.model_validate({"size": float("nan")})


def test_a_page_names_the_next_one() -> None:
    page = Page[Line](items=[Line(id="a", size=1)], next=None)
    assert page.model_dump() == {"items": [{"id": "a", "size": 1}], "next": None}


def test_a_problem_may_say_more() -> None:
    about = {"type": "t", "title": "T", "status": 409, "detail": "d", "instance": "/x"}
    assert ProblemOut.model_validate({**about, "revision": 3}).model_dump() == {**about, "errors": [], "revision": 3}
