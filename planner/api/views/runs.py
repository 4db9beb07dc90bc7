"""Runs: where they stand, cancel, pause, go on, try again."""

import re
import time
from collections.abc import Callable
from typing import ClassVar, TypeVar

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import RETRY_AFTER, ApiView, answer, under_way
from planner.api.paging import page
from planner.api.schemas.runs import RunOut, RunsPage
from planner.api.schemas.written import run_out, runs_out
from planner.models import Job, Run, RunKind, RunStatus
from simulations.problems import InvalidInput, nearest, problem

LONGEST_WAIT = 30.0
POLL_SECONDS = 0.2
WAIT = OpenApiParameter("wait", str, description="Wait for the end, at most 30s, for example 20s.")
J = TypeVar("J", bound=Job)


class RunsView(ApiView):
    """Runs."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(
        operation_id="runs",
        parameters=[OpenApiParameter("status", str, enum=RunStatus.values)],
        responses=RunsPage,
    )
    def get(self, request: Request) -> HttpResponse:
        """List the caller's runs, newest first."""
        status = one_of(request, "status", RunStatus.values)
        rows = selectors.runs_list(user=request.user, status=status).filter(kind=RunKind.RUN)
        return page(request, rows, runs_page)


class RunView(ApiView):
    """One run."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="run", parameters=[WAIT], responses=RunOut)
    def get(self, request: Request, run_id: str) -> HttpResponse:
        """Show a run; with ``wait`` the answer comes when it is over or paused, or when the time is."""
        run = finished_run(request, run_id)
        return answer(run_out(run), headers={} if run.at_rest else RETRY_AFTER)


class RunCancelView(ApiView):
    """Cancelling."""

    scopes: ClassVar = {"POST": "run"}

    @extend_schema(operation_id="run_cancel", request=None, responses={202: RunOut})
    def post(self, request: Request, run_id: str) -> HttpResponse:
        """Ask for the end of a run; asking again changes nothing. It says cancelled once the Spark job has stopped."""
        run = services.run_cancel(run=selectors.run_get(user=request.user, run_id=run_id), actor=self.caller)
        return answer(run_out(run), 202)


class RunPauseView(ApiView):
    """Pausing."""

    scopes: ClassVar = {"POST": "run"}

    @extend_schema(operation_id="run_pause", request=None, responses={202: RunOut})
    def post(self, request: Request, run_id: str) -> HttpResponse:
        """Pause a run after its present round; asking again changes nothing. All that was computed is kept."""
        run = services.run_pause(run=selectors.run_get(user=request.user, run_id=run_id), actor=self.caller)
        return answer(run_out(run), 202)


class RunResumeView(ApiView):
    """Going on after a pause."""

    scopes: ClassVar = {"POST": "run"}

    @extend_schema(operation_id="run_resume", request=None, responses={202: RunOut})
    def post(self, request: Request, run_id: str) -> HttpResponse:
        """Let a paused run go on; one that goes on already stays as it is. Nothing is computed twice."""
        run = services.run_resume(run=selectors.run_get(user=request.user, run_id=run_id), actor=self.caller)
        return under_way(run_out(run), f"/api/v1/runs/{run.pk}")


class RunRetryView(ApiView):
    """Trying again."""

    scopes: ClassVar = {"POST": "run"}

    @extend_schema(operation_id="run_retry", request=None, responses={202: RunOut})
    def post(self, request: Request, run_id: str) -> HttpResponse:
        """Send a failed or cancelled run again."""
        run = services.run_retry(run=selectors.run_get(user=request.user, run_id=run_id), actor=self.caller)
        return under_way(run_out(run), f"/api/v1/runs/{run.pk}")


def finished_run(request: Request, run_id: str) -> Run:
    """Return the run once it is over, or as it is when the request's ``wait`` has passed."""
    return finished(request, lambda: selectors.run_get(user=request.user, run_id=run_id))


def finished(request: Request, read: Callable[[], J]) -> J:
    """Return the job that ``read`` gives once it is over or paused, or as it is when ``wait`` has passed."""
    until = time.monotonic() + _wait_of(request)
    while not (job := read()).at_rest and time.monotonic() < until:
        time.sleep(POLL_SECONDS)
    return job


def one_of(request: Request, name: str, known: list[str]) -> str:
    """Return the value of a parameter that may have ``known`` ones, empty when left out; raises InvalidInput."""
    value = request.query_params.get(name, "")
    if value and value not in known:
        raise InvalidInput([problem((name,), f"unknown {name}; {nearest(value, known)}", value=value)])
    return value


def _wait_of(request: Request) -> float:
    """Return the seconds that ``wait`` asks for; raises InvalidInput."""
    text = request.query_params.get("wait", "0")
    match = re.fullmatch(r"(\d{1,4}(?:\.\d{1,3})?)s?", text)
    if match is None:
        raise InvalidInput([problem(("wait",), "must be seconds, for example 20s", value=text)])
    return min(float(match.group(1)), LONGEST_WAIT)


def runs_page(rows: list[Run], following: str | None) -> RunsPage:
    """Return one page of runs."""
    return RunsPage(items=runs_out(rows), next=following)
