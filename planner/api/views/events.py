"""A run's progress as server-sent events, so that nobody has to ask again and again."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from http import HTTPStatus

from asgiref.sync import sync_to_async
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_GET
from rest_framework.exceptions import APIException, NotAuthenticated, PermissionDenied

from planner import selectors
from planner.api.auth import SCHEME, token_of_header
from planner.api.problems import problem_of
from planner.api.schemas.written import run_out
from planner.errors import NotFound
from planner.models import RunStatus, Scope

POLL_SECONDS = 0.4
KEEP_ALIVE_SECONDS = 15.0
LONGEST_STREAM = 3600.0
"""Then the browser connects again by itself."""


@login_not_required
@require_GET
async def run_events(request: HttpRequest, run_id: str) -> HttpResponseBase:
    """Stream a run: an event ``progress`` with the run's body whenever it changes, ``done`` at the end."""
    try:
        user = await sync_to_async(_caller)(request)
        await sync_to_async(selectors.run_get)(user=user, run_id=run_id)
    except (APIException, NotFound) as error:
        return _refused(error, request)
    answer = StreamingHttpResponse(_events(user, run_id), content_type="text/event-stream")
    answer["Cache-Control"] = "no-store"
    answer["X-Accel-Buffering"] = "no"
    return answer


def _caller(request: HttpRequest) -> User:
    token = token_of_header(request.headers.get("Authorization", ""))
    if token is not None:
        if Scope.READ not in token.scopes:
            raise PermissionDenied
        return token.owner
    if isinstance(request.user, AnonymousUser):
        raise NotAuthenticated
    return request.user


def _refused(error: Exception, request: HttpRequest) -> HttpResponse:
    answer = problem_of(error, request)
    if answer.status_code == HTTPStatus.UNAUTHORIZED:
        answer["WWW-Authenticate"] = f'{SCHEME} realm="sluice"'
    return answer


async def _events(user: User, run_id: str) -> AsyncIterator[str]:
    """A short query a few times a second for each stream; the database knows the truth, whichever worker computes."""
    started = spoken = time.monotonic()
    last = ""
    while time.monotonic() - started < LONGEST_STREAM:
        status, body = await sync_to_async(_state)(user, run_id)
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


def _state(user: User, run_id: str) -> tuple[str, str]:
    run = selectors.run_get(user=user, run_id=run_id)
    return run.status, run_out(run).model_dump_json()
