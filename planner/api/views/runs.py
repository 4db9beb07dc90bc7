"""Runs: start, where they stand, cancel, pause, go on, try again."""

import re
import time
from collections.abc import Callable
from typing import Any, ClassVar, cast

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import RETRY_AFTER, Listed, Store, answer, idempotent, under_way
from planner.api.examples import RUN_EXAMPLES
from planner.api.lists import RunFilter
from planner.api.reading import pointing, read_body
from planner.api.schemas.common import Out
from planner.api.schemas.runs import RunIn, RunOut
from planner.models import Job, Run, RunKind
from simulations.declarations.problems import InvalidInput, problem

LONGEST_WAIT = 30.0
POLL_SECONDS = 0.2
WAIT = OpenApiParameter("wait", str, description="Wait for the end, at most 30s, for example 20s.")
COMPUTING: dict[str, str] = {"GET": "read", "POST": "run"}
"""Scopes of what computes."""


class JobViewSet(Listed):
    """Base of what workers compute: ``again`` is the service that sends it once more."""

    body: ClassVar[type[Out]]
    scopes = COMPUTING
    again: ClassVar[Callable[..., Job]] = services.job_retry

    def out(self, job: Any) -> Out:
        """Return the body of a job as it is now."""
        return self.body.of(job)

    @extend_schema(parameters=[WAIT])
    def retrieve(self, request: Request, **_: str) -> HttpResponse:
        """Show it; with ``wait`` the answer comes when it is over or paused, or when the time is."""
        job = self._finished(request)
        return answer(self.out(job), headers={} if job.at_rest else RETRY_AFTER)

    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, **_: str) -> HttpResponse:
        """Ask for its end; asking again changes nothing. It says cancelled once the Spark job has stopped."""
        return answer(self.out(services.job_cancel(self.get_object(), actor=self.caller)), 202)

    @action(detail=True, methods=["post"])
    def retry(self, request: Request, **_: str) -> HttpResponse:
        """Send it again where it failed or was cancelled."""
        return self.goes_on(type(self).again(self.get_object(), actor=self.caller))

    def goes_on(self, job: Job) -> HttpResponse:
        """Answer that it is being computed."""
        return under_way(self.out(job), f"/api/v1/{self.basename}s/{job.pk}")

    def _finished(self, request: Request) -> Job:
        """The job once it is over or paused, or as it is when ``wait`` has passed."""
        until = time.monotonic() + _wait_of(request)
        while not (job := self.get_object()).at_rest and time.monotonic() < until:
            time.sleep(POLL_SECONDS)
        return cast("Job", job)


class RunViewSet(JobViewSet):
    """The caller's runs."""

    lookup_url_kwarg = "run_id"
    selector: ClassVar[Callable[..., Run]] = selectors.run_get
    line: ClassVar[type[Out]] = RunOut
    body: ClassVar[type[Out]] = RunOut
    filterset_class = RunFilter
    again = services.run_retry

    def rows(self) -> QuerySet[Run]:
        """Return the runs, not the experiments."""
        return selectors.runs_list(user=self.caller).filter(kind=RunKind.RUN)

    @action(detail=True, methods=["post"])
    def pause(self, request: Request, **_: str) -> HttpResponse:
        """Pause a run after its present round; asking again changes nothing. All that was computed is kept."""
        return answer(self.out(services.job_pause(self.get_object(), actor=self.caller)), 202)

    @action(detail=True, methods=["post"])
    def resume(self, request: Request, **_: str) -> HttpResponse:
        """Let a paused run go on; one that goes on already stays as it is. Nothing is computed twice."""
        return self.goes_on(services.job_resume(self.get_object(), actor=self.caller))


class ScenarioRunViewSet(Listed):
    """The runs of all versions of a scenario."""

    scopes = COMPUTING
    line = RunOut

    def rows(self) -> QuerySet[Run]:
        """Return the scenario's."""
        return selectors.runs_of_scenario(scenario=self.parent_scenario())

    @extend_schema(operation_id="run_start", request=RunIn, responses={202: RunOut}, examples=RUN_EXAMPLES)
    @idempotent
    def create(self, request: Request, scenario_id: str) -> Store:
        """Start a run, or answer with the run that has computed the same before (``cached``)."""
        scenario = self.parent_scenario()
        body = read_body(request, RunIn)
        version = selectors.version_get(scenario=scenario, number=body.version)
        # The body holds the settings of the run without ``run``.
        with pointing(lambda pointer: pointer.removeprefix("/run")):
            start = services.run_prepare(version=version, owner=self.caller, **body.model_dump(exclude={"version"}))

        def store() -> HttpResponse:
            started = start()
            return under_way(RunOut.of(started.run, cached=started.cached), f"/api/v1/runs/{started.run.pk}")

        return store


def _wait_of(request: Request) -> float:
    """Return the seconds that ``wait`` asks for; raises InvalidInput."""
    text = request.query_params.get("wait", "0")
    match = re.fullmatch(r"(\d{1,4}(?:\.\d{1,3})?)s?", text)
    if match is None:
        raise InvalidInput([problem(("wait",), "must be seconds, for example 20s", value=text)])
    return min(float(match.group(1)), LONGEST_WAIT)
