"""Server-sent events: progress as it happens, the end, and nothing for strangers."""

import asyncio
import json
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.db import OperationalError, connections
from django.test import AsyncClient, Client

from planner import services
from planner.api.views import events as streaming
from planner.jobs.execute import run_finish, run_points_save
from planner.jobs.leases import job_touch
from planner.models import ApiToken, Run
from simulations.scenario.spec import parse
from tests.claims import taken
from tests.planner.conftest import SURGE, summary_of
from tests.waiting import awaited

if TYPE_CHECKING:
    from django.http import StreamingHttpResponse

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def running() -> Iterator[tuple[Run, str]]:
    """A run of a person with a token, committed, so that all threads see it."""
    owner = User.objects.create_user("grace")
    scenario = services.scenario_store(owner=owner, spec=parse(SURGE))
    run = services.run_start(version=scenario.version, owner=owner).run
    secret = services.token_create(owner=owner, name="t", scopes=["read"]).secret
    yield run, secret


def compute(run: Run) -> None:
    claimed = taken(run)
    job_touch(claimed, progress={"fraction": 0.5})
    run_points_save(run=claimed, summaries=[summary_of(0), summary_of(1)], partial=False)
    run_finish(run=claimed)
    connections.close_all()


async def read_all(run: Run, secret: str) -> list[tuple[str, dict[str, object]]]:
    answer = await AsyncClient().get(f"/api/v1/runs/{run.pk}/events", headers={"Authorization": f"Bearer {secret}"})
    assert answer["Content-Type"] == "text/event-stream"
    found = []
    worker = threading.Thread(target=compute, args=(run,))
    async for chunk in cast("StreamingHttpResponse", answer):
        event, data = chunk.decode().strip().split("\n")
        found.append((event.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
        if len(found) == 1:
            worker.start()
    worker.join()
    return found


def test_a_stream_starts_at_once_and_ends_with_the_run(running: tuple[Run, str]) -> None:
    events = awaited(read_all(*running))
    assert (events[0][0], events[0][1]["status"]) == ("progress", "queued")
    assert (events[-2][0], events[-2][1]["status"]) == ("progress", "succeeded")
    assert events[-1] == ("done", {"status": "succeeded"})


@pytest.mark.parametrize(("who", "status"), [("nobody", 401), ("stranger", 404), ("without scope", 403)])
def test_a_stream_is_its_owners(running: tuple[Run, str], who: str, status: int) -> None:
    run, _ = running
    headers = {}
    if who != "nobody":
        user = User.objects.create_user("eve") if who == "stranger" else run.owner
        scopes = ["read"] if who == "stranger" else ["write"]
        secret = services.token_create(owner=user, name="t", scopes=scopes).secret
        headers = {"Authorization": f"Bearer {secret}"}
    answer = awaited(AsyncClient().get(f"/api/v1/runs/{run.pk}/events", headers=headers))
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")


async def _open(run: Run, secret: str, method: str = "get") -> "StreamingHttpResponse":
    headers = {"Authorization": f"Bearer {secret}", "X-Request-ID": "r-1"}
    asked = getattr(AsyncClient(), method)
    return cast("StreamingHttpResponse", await asked(f"/api/v1/runs/{run.pk}/events", headers=headers))


@pytest.mark.parametrize("method", ["post", "head"])
def test_a_stream_is_only_read_and_refuses_in_the_words_of_the_api(running: tuple[Run, str], method: str) -> None:
    answer = awaited(_open(*running, method=method))
    assert (answer.status_code, answer["Content-Type"]) == (405, "application/problem+json")


def test_a_stream_carries_the_headers_of_the_api(running: tuple[Run, str]) -> None:
    answer = awaited(_open(*running))
    assert answer["X-Request-ID"] == "r-1"
    assert int(answer["RateLimit-Remaining"]) > 0


def test_a_stream_outlives_a_database_that_is_away(
    running: tuple[Run, str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    run, _ = running
    found = streaming._state
    away = iter([True, False])

    def state(user: User, run_id: str, token: ApiToken | None) -> tuple[str, str]:
        if next(away, False):
            raise OperationalError("server closed the connection")
        return found(user, run_id, token)

    monkeypatch.setattr(streaming, "_state", state)
    services.job_cancel(run, actor=run.owner)
    seen = awaited(_texts(run.owner, run.pk))
    assert "waits for the database" in caplog.text
    assert [text.partition("\n")[0] for text in seen] == ["event: progress", "event: done"]


def test_a_stream_gives_its_connection_back_after_each_look(
    running: tuple[Run, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run, _ = running
    closed: list[bool] = []
    monkeypatch.setattr(connections, "close_all", lambda: closed.append(True))
    streaming._state(run.owner, run.pk)
    assert closed == [True]


@pytest.mark.parametrize("end", ["token", "person"])
def test_a_stream_ends_with_the_right_to_read_it(running: tuple[Run, str], end: str) -> None:
    run, _ = running
    token = services.token_create(owner=run.owner, name="t", scopes=["read"]).row

    def revoke() -> None:
        services.token_revoke(token=token) if end == "token" else User.objects.update(is_active=False)
        connections.close_all()

    async def seen() -> list[str]:
        found = []
        async for text in streaming._events(run.owner, run.pk, token if end == "token" else None):
            found.append(text.partition("\n")[0])
            await sync_to_async(revoke)()
        return found

    assert awaited(seen()) == ["event: progress"]


@pytest.mark.parametrize("end", ["signs out", "new password"])
def test_a_stream_of_a_session_ends_with_it(running: tuple[Run, str], end: str) -> None:
    run, _ = running
    browser = AsyncClient()
    browser.force_login(run.owner)

    def leave() -> None:
        if end == "signs out":
            elsewhere = Client()
            elsewhere.cookies = browser.cookies
            assert elsewhere.post("/logout/").status_code == 302
        else:
            run.owner.set_password("another long secret")
            run.owner.save()
        connections.close_all()

    async def seen() -> list[str]:
        found = []
        answer = await browser.get(f"/api/v1/runs/{run.pk}/events")
        async for chunk in cast("StreamingHttpResponse", answer):
            found.append(chunk.decode().partition("\n")[0])
            await asyncio.sleep(3 * streaming.POLL_SECONDS)
            assert len(found) < 2
            await sync_to_async(leave)()
        return found

    assert awaited(seen()) == ["event: progress"]


def test_a_stream_of_a_session_goes_on_while_it_lasts(running: tuple[Run, str]) -> None:
    run, _ = running
    browser = AsyncClient()
    browser.force_login(run.owner)

    async def seen() -> list[str]:
        found = []
        answer = await browser.get(f"/api/v1/runs/{run.pk}/events")
        async for chunk in cast("StreamingHttpResponse", answer):
            found.append(chunk.decode().partition("\n")[0])
            if len(found) == 1:
                await sync_to_async(compute)(run)
        return found

    assert awaited(seen())[-1] == "event: done"


async def _texts(owner: User, run_id: str) -> list[str]:
    return [text async for text in streaming._events(owner, run_id)]
