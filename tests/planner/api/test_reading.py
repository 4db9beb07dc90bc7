"""Queries, bodies and uploads as checked values."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from planner.api.reading import body_of, fields_of, files_of, fingerprint_of, pointing, read_values, whole_of
from planner.api.schemas.runs import PrecisionIn, RunIn
from simulations.declarations.problems import InvalidInput, problem


def posted(body: object) -> Request:
    return Request(APIRequestFactory().post("/", body, format="json"), parsers=[JSONParser()])


def sent(parts: dict[str, object]) -> Request:
    return Request(APIRequestFactory().post("/", parts, format="multipart"), parsers=[MultiPartParser()])


def file_of(content: bytes, name: str = "a.xml") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def test_a_body_is_an_object_and_nothing_is_an_empty_one() -> None:
    assert body_of(posted({"seed": 1})) == {"seed": 1}
    assert body_of(Request(APIRequestFactory().post("/"), parsers=[JSONParser()])) == {}
    with pytest.raises(InvalidInput, match="must be a JSON object"):
        body_of(posted([1]))


def test_a_body_is_read_as_its_model() -> None:
    assert read_values({"precision": {"kpi": "latency.p99", "relative": "1%"}}, RunIn) == RunIn(
        precision=PrecisionIn.model_validate({"metric": "latency.p99", "relative": 0.01})
    )


def test_every_wrong_field_is_named_once() -> None:
    with pytest.raises(InvalidInput) as refused:
        read_values({"seed": True, "version": 0, "colour": "red"}, RunIn)
    assert sorted(item.pointer for item in refused.value.problems) == ["/colour", "/seed", "/version"]


def test_problems_of_a_part_point_into_the_whole() -> None:
    with pytest.raises(InvalidInput) as caught, pointing("/spec{}".format):
        raise InvalidInput([problem(("queues", 0, "name"), "wrong")])
    assert [item.pointer for item in caught.value.problems] == ["/spec/queues/0/name"]


@pytest.mark.parametrize(("query", "value"), [("", 50), ("limit=1", 1), ("limit=200", 200), ("limit=007", 7)])
def test_a_whole_number_of_the_query(query: str, value: int) -> None:
    request = Request(APIRequestFactory().get(f"/?{query}"))
    assert whole_of(request, "limit", 50, least=1, most=200) == value


@pytest.mark.parametrize("text", ["0", "201", "-1", "1.5", "", "\u0661", "0001"])
def test_what_is_no_whole_number_in_its_limits_is_named(text: str) -> None:
    request = Request(APIRequestFactory().get("/", {"limit": text}))
    with pytest.raises(InvalidInput, match="must be a whole number from 1 to 200") as refused:
        whole_of(request, "limit", 50, least=1, most=200)
    assert refused.value.problems[0].value == repr(text)


def test_fields_and_files_of_an_upload_are_kept_apart() -> None:
    request = sent({"name": ["first", "last"], "files": [file_of(b"one"), file_of(b"two", "b.xml")]})
    assert fields_of(request) == {"name": "last"}
    assert files_of(request) == [("a.xml", b"one"), ("b.xml", b"two")]
    assert files_of(request) == [("a.xml", b"one"), ("b.xml", b"two")], "a second time, too"


def test_a_fingerprint_tells_uploads_apart_by_fields_names_and_content() -> None:
    prints = [
        fingerprint_of(sent({"name": name, "files": file_of(content, file)}))
        for name, file, content in (
            ("x", "a", b"1"),
            ("x", "a", b"1"),
            ("y", "a", b"1"),
            ("x", "b", b"1"),
            ("x", "a", b"2"),
        )
    ]
    assert prints[0] == prints[1]
    assert all(prints[0] != other for other in prints[2:])
