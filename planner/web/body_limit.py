"""The end of a request's body: Django would keep any amount of it on the disk before it asks who sends it."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

from planner.configuration.uploads import MAX_TOTAL_BYTES
from planner.web.problems import problem_response

AROUND_FILES = 100_000
"""Bytes that multipart adds around files, with the fields sent along."""

LOGS = ("api:calibrations", "calibrations")
"""Addresses that take logs of messages."""
FILES = ("api:imports", "api:reports", "api:scenario-drifts", "import-new", "report-new", "scenario-drift")
"""Addresses that take configuration files."""

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]


class BodyLimit:
    """An ASGI application that answers 413 where the body of a request for ``application`` is too large. A body that
    announces its size is not read at all, another one until it is too large."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        left = most = most_bytes(scope["path"])

        async def counted() -> Message:
            """End a body that is too large like a broken connection; the application then answers nothing."""
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            return message if left >= 0 else {"type": "http.disconnect"}

        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if not announced.isdigit() or int(announced) <= most:
            await self._application(scope, counted, send)
            if left >= 0:
                return
        await _refuse(scope["path"], most, send)


def most_bytes(path: str) -> int:
    """Return the size of the largest body that is read at this address."""
    environment = settings.ENVIRONMENT
    try:
        address = resolve(path).view_name
    except Resolver404:
        address = ""
    if address in LOGS:
        return int(environment.max_upload_bytes) + AROUND_FILES
    of_files = MAX_TOTAL_BYTES + AROUND_FILES if address in FILES else 0
    return max(of_files, int(environment.max_body_bytes))


async def _refuse(path: str, most: int, send: Send) -> None:
    request, text = HttpRequest(), f"the body is larger than {most} bytes"
    request.path = path
    answer = HttpResponse(text, status=413, content_type="text/plain; charset=utf-8")
    if path.startswith("/api/"):
        answer = problem_response(request, 413, "too_large", text)
    headers = [(b"content-type", answer["Content-Type"].encode()), (b"content-length", b"%d" % len(answer.content))]
    headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": answer.content})
