"""The web application while `up` still installs: it is there, and answers as soon as it can."""

import asyncio
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from planner.web.body_limit import Message
from tests.waiting import awaited

LIVE: dict[str, Any] = {
    "type": "http",
    "method": "GET",
    "path": "/api/v1/health/live",
    "query_string": b"",
    "headers": [(b"host", b"localhost")],
}


async def asked(answered: list[Message]) -> None:
    """Ask whether it lives and keep what comes back."""
    body: list[Message] = [{"type": "http.request"}]

    async def receive() -> Message:
        return body.pop() if body else await asyncio.Future()

    async def send(message: Message) -> None:
        answered.append(message)

    await import_module("planner.web.asgi").application(LIVE, receive, send)


@pytest.mark.django_db
def test_requests_wait_for_the_installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed, answered = tmp_path / "installed", list[Message]()
    monkeypatch.setenv("INSTALLED_FILE", str(installed))
    import_module("planner.web.asgi")._handler.cache_clear()

    async def waiting() -> None:
        question = asyncio.create_task(asked(answered))
        await asyncio.wait([question], timeout=0.2)
        assert not answered
        installed.touch()
        await question
        installed.unlink()
        await asked(answered)  # who has served once waits for nothing

    awaited(waiting())
    assert [message["status"] for message in answered if "status" in message] == [200, 200]
