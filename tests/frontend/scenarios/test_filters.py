"""The view of the table: read from an address, written back, turned into filters."""

import pytest
from django.http import QueryDict

from frontend.scenarios.filters import COLUMNS, TableView, table_view


def test_unknown_words_are_left_out() -> None:
    view = table_view(QueryDict("q= orders &slo=missed&made=nobody&group=color&col=answer&col=color&archived=1"))
    assert view == TableView(q="orders", slo="missed", archived=True, columns=("answer",))
    assert table_view(QueryDict("")) == TableView(columns=tuple(COLUMNS))


def test_a_query_names_only_what_differs_from_the_default() -> None:
    assert TableView().query == ""
    assert TableView(tag="eu", awaiting=True).query == "tag=eu&awaiting=1"
    assert TableView(columns=()).query == "col=name"
    assert table_view(QueryDict("col=name")).columns == ()


@pytest.mark.parametrize(
    ("view", "chosen"),
    [
        (TableView(), {"verdict": None, "shipped": None, "archived": False}),
        (TableView(slo="none", made="me"), {"verdict": "", "shipped": False}),
        (
            TableView(slo="missed", made="product", awaiting=True),
            {"verdict": "missed", "shipped": True, "awaiting": True},
        ),
    ],
)
def test_a_view_is_the_filters_of_the_list(view: TableView, chosen: dict[str, object]) -> None:
    assert view.selection.items() >= chosen.items()


def test_the_archive_alone_narrows_nothing() -> None:
    assert not TableView(archived=True, group="tags").narrowed
    assert TableView(platform="weblogic").narrowed
