"""Runs and experiments: start or ask, where they stand, cancel, pause, go on, try again; cells and the choice."""

import re
import time
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, cast

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import BY_INDEX, RETRY_AFTER, Listed, Store, answer, idempotent, under_way
from planner.api.examples import EXPERIMENT_EXAMPLES, RUN_EXAMPLES
from planner.api.lists import ExperimentFilter, RunFilter
from planner.api.outcomes import outcome_body
from planner.api.reading import body_of, pointing, read_body
from planner.api.schemas import experiments as bodies
from planner.api.schemas.common import Out, Page, page_of
from planner.api.schemas.runs import RunIn, RunOut
from planner.errors import NotFound
from planner.models import Job, PointResult, Run, RunKind
from simulations.declarations.problems import InvalidInput
from simulations.experiment.verdicts import verdict_of

LONGEST_WAIT = 30.0
POLL_SECONDS = 0.2
SECONDS = r"(\d{1,4}(?:\.\d{1,3})?)s?"
WAIT = OpenApiParameter("wait", {"type": "string", "pattern": f"^{SECONDS}$"}, description="At most 30s, such as 20s.")
COMPUTING: dict[str, str] = {"GET": "read", "POST": "run"}
"""Scopes of what computes."""
_ADDRESSED = ("scenario", "version", "force")


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
        """Send it again where it failed or was canceled."""
        return self.goes_on(type(self).again(self.get_object(), actor=self.caller))

    def goes_on(self, job: Job) -> HttpResponse:
        """Answer that it is being computed."""
        return under_way(self.out(job), f"/api/v1/{self.basename}s/{job.pk}")

    def _finished(self, request: Request) -> Job:
        """The job once it is over or paused, or as it is when ``wait`` has passed; raises InvalidInput."""
        text = request.query_params.get("wait", "0")
        match = re.fullmatch(SECONDS, text)
        if match is None:
            raise InvalidInput.at(("wait",), "must be seconds, for example 20s", value=text)
        until = time.monotonic() + min(float(match.group(1)), LONGEST_WAIT)
        while not (job := self.get_object()).at_rest and time.monotonic() < until:
            time.sleep(POLL_SECONDS)
        return cast("Job", job)


class RunViewSet(JobViewSet):
    """The caller's runs."""

    lookup_url_kwarg = "run_id"
    selector: ClassVar[Callable[..., Run]] = selectors.run_get
    line: ClassVar[type[Out]] = RunOut
    body: ClassVar[type[Out]] = RunOut
    lister: ClassVar[Callable[..., QuerySet[Run]]] = partial(selectors.runs_list, kind=RunKind.RUN)
    filterset_class = RunFilter
    again = services.run_retry

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
        return _starting(start, RunOut.of, "runs")


class ExperimentViewSet(RunViewSet):
    """The caller's experiments: runs with a question of their own."""

    lookup_url_kwarg = "experiment_id"
    selector, lister = selectors.experiment_get, selectors.experiments_list
    filterset_class = ExperimentFilter
    line, body = bodies.ExperimentLine, bodies.ExperimentOut

    def out(self, job: Run, *, cached: bool = False) -> bodies.ExperimentOut:
        """Return the experiment's body."""
        outcome = outcome_body(selectors.experiment_read(run=job))
        return bodies.ExperimentOut.of(job, cached=cached, outcome=outcome)

    @extend_schema(
        operation_id="experiment_start",
        request=bodies.ExperimentIn,
        responses={202: bodies.ExperimentOut},
        examples=EXPERIMENT_EXAMPLES,
    )
    @idempotent
    def create(self, request: Request) -> Store:
        """Ask a question about a scenario, or answer with the experiment that asked the same before (``cached``)."""
        body = read_body(request, bodies.ExperimentIn)
        scenario = self.allowed(selectors.scenario_get(user=self.caller, scenario_id=body.scenario))
        version = selectors.version_get(scenario=scenario, number=body.version)
        question = {key: value for key, value in body_of(request).items() if key not in _ADDRESSED}
        start = services.experiment_prepare(version=version, owner=self.caller, question=question, force=body.force)
        return _starting(start, self.out, "experiments")

    @extend_schema(responses=page_of(bodies.CellOut))
    @action(detail=True, sorts=BY_INDEX)
    def cells(self, request: Request, experiment_id: str) -> HttpResponse:
        """Show points with their verdict, their metrics and their paired differences, page by page."""
        run = self.get_object()
        return self.paged(run.points.all(), partial(_cells, run))

    @extend_schema(responses=bodies.RecommendationOut)
    @action(detail=True)
    def recommendation(self, request: Request, experiment_id: str) -> HttpResponse:
        """Show the setting that an optimisation recommends, how sure that is, and what comes next."""
        run = self.get_object()
        if run.kind != RunKind.OPTIMIZE:
            raise NotFound("recommendation of experiment", experiment_id)
        known = {"experiment": run.pk, "final": run.final, "kpi": run.question["kpi"]}
        return answer(bodies.RecommendationOut(**known | outcome_body(selectors.experiment_read(run=run))))


def _starting(start: Callable[[], services.Started], out: Callable[..., Out], collection: str) -> Store:
    def store() -> HttpResponse:
        started = start()
        return under_way(out(started.run, cached=started.cached), f"/api/v1/{collection}/{started.run.pk}")

    return store


def _cells(run: Run, rows: list[PointResult], following: str | None) -> Page[bodies.CellOut]:
    experiment = selectors.experiment_read(run=run, points=[selectors.point_read(row) for row in rows])
    cells = [
        bodies.CellOut.of(
            summary,
            verdict=verdict_of(experiment.spec.objectives, summary),
            partial=summary.index in experiment.partial,
            paired_vs_baseline=summary.differences,
        )
        for summary in experiment.answers.values()
    ]
    return page_of(bodies.CellOut)(items=cells, next=following)
