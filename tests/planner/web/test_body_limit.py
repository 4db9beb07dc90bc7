"""A body that is too large is refused before it is kept, whoever sends it."""

import json
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import pytest
from django.conf import settings

from planner.configuration.uploads import MAX_TOTAL_BYTES
from planner.web.body_limit import BodyLimit, Message, Receive, Send, most_bytes
from tests.waiting import awaited

LIMIT = settings.ENVIRONMENT.max_body_bytes


async def read_it(scope: Any, receive: Receive, send: Send) -> None:
    """Read the body as Django does, and answer its size."""
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size, more = size + len(message["body"]), message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(size).encode()})


def sent(path: str, parts: Sequence[bytes], announced: str = "") -> tuple[Message, bytes, int]:
    """Return the answer's start and body, and how many parts were left unread."""
    last = len(parts) - 1
    unread: list[Message] = [{"type": "http.request", "body": p, "more_body": n < last} for n, p in enumerate(parts)]
    answered: list[Message] = []

    async def receive() -> Message:
        return unread.pop(0)

    async def send(message: Message) -> None:
        answered.append(message)

    headers = [(b"content-length", announced.encode())] if announced else []
    awaited(BodyLimit(read_it)({"type": "http", "path": path, "headers": headers}, receive, send))
    start, body = answered
    return start, body["body"], len(unread)


def test_a_body_within_the_limit_is_read() -> None:
    start, body, _ = sent("/api/v1/scenarios", [b"x" * (LIMIT - 1), b"x"], str(LIMIT))
    assert (start["status"], body) == (200, str(LIMIT).encode())


def test_what_announces_too_much_is_not_read_at_all() -> None:
    start, body, unread = sent("/api/v1/scenarios", [b"x"], str(LIMIT + 1))
    assert (start["status"], json.loads(body)["type"], unread) == (413, "urn:sluice:problem:too_large", 1)


def test_what_announces_nothing_is_read_up_to_the_limit() -> None:
    start, body, unread = sent("/scenarios/new/", [b"x" * LIMIT, b"x", b"x", b"x"])
    assert (start["status"], unread) == (413, 2)
    assert str(LIMIT) in body.decode()


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("/api/v1/calibrations", settings.ENVIRONMENT.max_upload_bytes),
        ("/telemetry/", settings.ENVIRONMENT.max_upload_bytes),
        ("/api/v1/imports", MAX_TOTAL_BYTES),
        ("/imports/new/", MAX_TOTAL_BYTES),
    ],
)
def test_files_have_limits_of_their_own(path: str, most: int) -> None:
    assert most < most_bytes(path) < most + 1_000_000


def test_the_web_application_has_the_limit() -> None:
    assert isinstance(import_module("planner.web.asgi").application, BodyLimit)
