"""A run's progress as server-sent events, so that nobody has to ask again and again."""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator
from importlib import import_module
from typing import cast

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import User
from django.db import Error, connections
from django.http import HttpRequest, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from planner import selectors
from planner.api.base import READ, ApiViewSet, ByAddress, forms
from planner.api.schemas.runs import RunOut
from planner.errors import NotFound
from planner.models import ApiToken, RunStatus

EVENTS = "text/event-stream"
POLL_SECONDS = 0.4
KEEP_ALIVE_SECONDS = 15.0
LONGEST_STREAM = 3600.0
"""Then the browser connects again by itself."""
OpenedBy = ApiToken | str | None
"""A token, the key of a session, or nothing but the person."""

logger = logging.getLogger(__name__)


class RunEventViewSet(ApiViewSet):
    """Progress as it happens."""

    scopes = READ
    renderer_classes = forms(EVENTS)
    content_negotiation_class = ByAddress
    http_method_names = ["get", "options"]  # noqa: RUF012 - the framework's own form; HEAD would never end

    @extend_schema(operation_id="run_events", responses={(200, EVENTS): OpenApiTypes.STR})
    def list(self, request: Request, run_id: str) -> StreamingHttpResponse:
        """Stream a run: an event ``progress`` with the run's body whenever it changes, ``done`` at the end."""
        selectors.run_get(user=self.caller, run_id=run_id)
        # Without a token it was the session that opened the stream.
        opened_by = cast("ApiToken | None", request.auth) or request.session.session_key
        events = _events(self.caller, run_id, opened_by)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingHttpResponse(events, content_type=EVENTS, headers=headers)


async def _events(user: User, run_id: str, opened_by: OpenedBy = None) -> AsyncIterator[str]:
    """A short query a few times a second for each stream; the database knows the truth, whichever worker computes. The
    stream ends with the right to read it."""
    started = spoken = time.monotonic()
    last = ""
    while time.monotonic() - started < LONGEST_STREAM:
        try:
            status, body = await sync_to_async(_state)(user, run_id, opened_by)
        except NotFound:
            return
        except Error as error:
            logger.warning("the stream of %s waits for the database: %s", run_id, error)
            status, body = RunStatus.RUNNING, last
        if body != last:
            yield f"event: progress\ndata: {body}\n\n"
            last, spoken = body, time.monotonic()
        if RunStatus(status).final:
            yield f"event: done\ndata: {json.dumps({'status': status})}\n\n"
            return
        if time.monotonic() - spoken > KEEP_ALIVE_SECONDS:
            yield ": still here\n\n"
            spoken = time.monotonic()
        await asyncio.sleep(POLL_SECONDS)


def _state(user: User, run_id: str, opened_by: OpenedBy = None) -> tuple[str, str]:
    """The run's status and body; raises NotFound, also where nothing may be read any more with what opened the stream.
    The connection is given back: a stream lasts up to an hour and rarely needs it."""
    try:
        if not _is_open(user, opened_by):
            raise NotFound("run", run_id)
        run = selectors.run_get(user=user, run_id=run_id)
        return run.status, RunOut.of(run).model_dump_json()
    finally:
        connections.close_all()


def _is_open(user: User, opened_by: OpenedBy) -> bool:
    """Whether the token is valid, or the person is still signed in with the session and the password of then."""
    if isinstance(opened_by, ApiToken):
        return selectors.tokens_valid().filter(pk=opened_by.pk).exists()
    if opened_by is None:
        return User.objects.filter(pk=user.pk, is_active=True).exists()
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(opened_by)
    return bool(get_user(request).pk == user.pk)
