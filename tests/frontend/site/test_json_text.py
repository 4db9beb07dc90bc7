"""Values that people type: JSON where it is JSON, else the text itself."""

import pytest

from frontend.site.json_text import json_or_text, values_read, values_text


@pytest.mark.parametrize(("text", "value"), [("36", 36), ("true", True), ("250ms", "250ms"), ("[1, 2]", [1, 2])])
def test_what_is_no_json_stays_a_text(text: str, value: object) -> None:
    assert json_or_text(text) == value


@pytest.mark.parametrize("text", ["NaN", '{"a": 1, "a": 2}', "{"])
def test_json_is_read_as_strictly_as_a_body(text: str) -> None:
    assert json_or_text(text) == text


def test_a_list_with_commas_reads_back() -> None:
    values = values_read(" 18, 36 ,, 250ms, true")
    assert values == [18, 36, "250ms", True]
    assert values_text(values) == "18, 36, 250ms, true"
    assert values_read(values_text(values)) == values
