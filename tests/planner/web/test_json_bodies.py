"""Bodies are strict JSON of limited size and depth; patches merge as RFC 7396 says."""

import io
from typing import Any

import pytest
from django.test import RequestFactory
from rest_framework.request import Request

from planner.web.json_bodies import (
    MOST_LEVELS,
    BadBody,
    BodyTooLarge,
    StrictJsonParser,
    merge_patch,
    storable,
    strict_json,
)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff", "not UTF-8"),
        (b'{"a": 1,\n "b": }', "line 2, column 7"),
        (b"[NaN]", "NaN is not a number"),
        (b"[-Infinity]", "-Infinity is not a number"),
        (b'{"a": 1, "a": 2}', "the key 'a' is there twice"),
        (b"9" * 5000, "more than"),
        (b'["\\u0000"]', "null character"),
        (b'{"\\ud800": 1}', "surrogate"),
    ],
)
def test_what_json_does_not_know_is_refused_with_the_reason(content: bytes, message: str) -> None:
    with pytest.raises(BadBody, match=message):
        strict_json(content)


@pytest.mark.parametrize(("opened", "closed"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_values_may_be_nested_64_levels_deep(opened: bytes, closed: bytes) -> None:
    strict_json(opened * MOST_LEVELS + b"1" + closed * MOST_LEVELS)
    for levels in (MOST_LEVELS + 1, 100_000):
        with pytest.raises(BadBody, match="deeper than 64 levels"):
            strict_json(opened * levels + b"1" + closed * levels)


@pytest.mark.parametrize("announced", [None, "11", "1000", "many"])
def test_a_body_above_the_limit_is_refused_whatever_it_announces(announced: str | None, settings: Any) -> None:
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"max_body_bytes": 10})
    request = Request(RequestFactory().post("/", data=b"", content_type="application/json"))
    request.META.pop("CONTENT_LENGTH", None)
    if announced:
        request.META["CONTENT_LENGTH"] = announced
    with pytest.raises(BodyTooLarge, match="larger than 10 bytes"):
        StrictJsonParser().parse(io.BytesIO(b'["12345678"]'), parser_context={"request": request})
    request.META["CONTENT_LENGTH"] = "10"
    assert StrictJsonParser().parse(io.BytesIO(b'["123456"]'), parser_context={"request": request}) == ["123456"]


def test_storable_texts_are_checked_at_every_place() -> None:
    assert storable({"a": ["ä", 1, None, True]})
    assert not storable({"a": [{"b": "\0"}]})
    assert not storable({"\udfff": 1})


@pytest.mark.parametrize(
    ("target", "patch", "merged"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": "foo"}, None, None),
        ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_patches_merge_as_the_examples_of_rfc_7396(target: Any, patch: Any, merged: Any) -> None:
    assert merge_patch(target, patch) == merged
