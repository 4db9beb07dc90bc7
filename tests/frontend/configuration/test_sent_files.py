"""What a form sends: files and text under names that tell their kinds apart."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import RequestFactory

from frontend.configuration.sent_files import problem_lines, uploads_sent
from planner.configuration import uploads
from simulations.declarations.problems import InvalidInput


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("<a/>", "pasted.xml"),
        ("imq.autocreate.destination.maxNumMsgs=5", "pasted.txt"),
        ("@MessageDriven\nclass Orders {}", "pasted.java"),
        ("sluice: 1", "pasted.yaml"),
    ],
)
def test_pasted_text_gets_a_name_of_its_kind(text: str, name: str) -> None:
    assert uploads_sent(RequestFactory().post("/", {"text": text})) == [(name, text.encode())]


def test_files_and_text_come_together() -> None:
    sent = {"files": [SimpleUploadedFile("a.xml", b"<a/>")], "text": "<b/>\r\n", "text_name": "b.xml"}
    assert uploads_sent(RequestFactory().post("/", sent)) == [("a.xml", b"<a/>"), ("b.xml", b"<b/>\n")]


def test_too_much_is_refused_and_said_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MAX_TOTAL_BYTES", 3)
    with pytest.raises(InvalidInput) as refused:
        uploads_sent(RequestFactory().post("/", {"files": [SimpleUploadedFile("a.xml", b"<a/>")]}))
    assert problem_lines(refused.value.problems) == [("Files", "the files have 4 bytes together, at most 3 are read")]
