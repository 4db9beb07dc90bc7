"""Experiments: ask, look, cancel, pause, go on, and the cells and the choice."""

from functools import partial
from typing import ClassVar

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import RETRY_AFTER, ApiView, Store, answer, body_of, idempotent, read_body, under_way
from planner.api.examples import EXPERIMENT_EXAMPLES
from planner.api.outcomes import cell_body, outcome_body
from planner.api.paging import page
from planner.api.schemas.experiments import (
    CellOut,
    CellsOut,
    ExperimentIn,
    ExperimentLine,
    ExperimentOut,
    ExperimentsPage,
    RecommendationOut,
)
from planner.api.schemas.written import run_out, runs_out
from planner.api.views.runs import WAIT, finished_run, one_of
from planner.errors import NotFound
from planner.models import PointResult, Run, RunKind, RunStatus

KINDS = [kind for kind in RunKind.values if kind != RunKind.RUN]
_ADDRESSED = ("scenario", "version", "force")


class ExperimentsView(ApiView):
    """Experiments."""

    scopes: ClassVar = {"GET": "read", "POST": "run"}

    @extend_schema(
        operation_id="experiments",
        parameters=[
            OpenApiParameter("status", str, enum=RunStatus.values),
            OpenApiParameter("type", str, enum=KINDS),
        ],
        responses=ExperimentsPage,
    )
    def get(self, request: Request) -> HttpResponse:
        """List the caller's experiments, newest first."""
        status = one_of(request, "status", RunStatus.values)
        rows = selectors.experiments_list(user=request.user, status=status, kind=one_of(request, "type", KINDS))
        return page(request, rows, _experiments)

    @extend_schema(
        operation_id="experiment_start",
        request=ExperimentIn,
        responses={202: ExperimentOut},
        examples=EXPERIMENT_EXAMPLES,
    )
    @idempotent
    def post(self, request: Request) -> Store:
        """Ask a question about a scenario, or answer with the experiment that asked the same before (``cached``)."""
        asked = read_body(request, ExperimentIn)
        scenario = selectors.scenario_get(user=request.user, scenario_id=asked.scenario)
        version = selectors.version_get(scenario=scenario, number=asked.version)
        question = {key: value for key, value in body_of(request).items() if key not in _ADDRESSED}
        start = services.experiment_prepare(version=version, owner=self.caller, question=question, force=asked.force)

        def store() -> HttpResponse:
            started = start()
            return under_way(_experiment(started.run, cached=started.cached), f"/api/v1/experiments/{started.run.pk}")

        return store


class ExperimentView(ApiView):
    """One experiment."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="experiment", parameters=[WAIT], responses=ExperimentOut)
    def get(self, request: Request, experiment_id: str) -> HttpResponse:
        """Show an experiment with what it found so far; with ``wait`` the answer comes when it is over."""
        _found(request, experiment_id)
        run = finished_run(request, experiment_id)
        return answer(_experiment(run), headers={} if run.at_rest else RETRY_AFTER)


class ExperimentCancelView(ApiView):
    """Cancelling."""

    scopes: ClassVar = {"POST": "run"}

    @extend_schema(operation_id="experiment_cancel", request=None, responses={202: ExperimentOut})
    def post(self, request: Request, experiment_id: str) -> HttpResponse:
        """Ask for the end of an experiment; it says cancelled once the Spark job has stopped, and keeps its cells."""
        run = services.run_cancel(run=_found(request, experiment_id), actor=self.caller)
        return answer(_experiment(run), 202)


class ExperimentPauseView(ApiView):
    """Pausing."""

    scopes: ClassVar = {"POST": "run"}

    @extend_schema(operation_id="experiment_pause", request=None, responses={202: ExperimentOut})
    def post(self, request: Request, experiment_id: str) -> HttpResponse:
        """Pause an experiment after its present round; asking again changes nothing. All cells are kept."""
        run = services.run_pause(run=_found(request, experiment_id), actor=self.caller)
        return answer(_experiment(run), 202)


class ExperimentResumeView(ApiView):
    """Going on after a pause."""

    scopes: ClassVar = {"POST": "run"}

    @extend_schema(operation_id="experiment_resume", request=None, responses={202: ExperimentOut})
    def post(self, request: Request, experiment_id: str) -> HttpResponse:
        """Let a paused experiment go on; one that goes on already stays as it is. Nothing is computed twice."""
        run = services.run_resume(run=_found(request, experiment_id), actor=self.caller)
        return under_way(_experiment(run), f"/api/v1/experiments/{run.pk}")


class ExperimentRetryView(ApiView):
    """Going on."""

    scopes: ClassVar = {"POST": "run"}

    @extend_schema(operation_id="experiment_retry", request=None, responses={202: ExperimentOut})
    def post(self, request: Request, experiment_id: str) -> HttpResponse:
        """Go on with a cancelled or failed experiment; what was computed is not computed again."""
        run = services.run_retry(run=_found(request, experiment_id), actor=self.caller)
        return under_way(_experiment(run), f"/api/v1/experiments/{run.pk}")


class CellsView(ApiView):
    """Cells."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="experiment_cells", responses=CellsOut)
    def get(self, request: Request, experiment_id: str) -> HttpResponse:
        """Show points with their verdict, their metrics and their paired differences, page by page."""
        run = _found(request, experiment_id)
        return page(request, run.points.all(), partial(_cells, run), sorts=("index",))


class RecommendationView(ApiView):
    """The choice."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="experiment_recommendation", responses=RecommendationOut)
    def get(self, request: Request, experiment_id: str) -> HttpResponse:
        """Show the setting that an optimisation recommends, how sure that is, and what comes next."""
        run = _found(request, experiment_id)
        if run.kind != RunKind.OPTIMIZE:
            raise NotFound("recommendation of experiment", experiment_id)
        found = outcome_body(selectors.experiment_read(run=run)) or {
            "status": "open",
            "final": run.final,
            "kpi": run.question["kpi"],
            "probability": None,
            "indifferent": None,
            "reason": "no answer yet",
            "recommended": None,
            "runner_up": None,
        }
        return answer(RecommendationOut(experiment=run.pk, **found))


def _found(request: Request, experiment_id: str) -> Run:
    return selectors.experiment_get(user=request.user, experiment_id=experiment_id)


def _experiment(run: Run, *, cached: bool = False) -> ExperimentOut:
    about = run_out(run, cached=cached).model_dump()
    outcome = outcome_body(selectors.experiment_read(run=run))
    return ExperimentOut(**about, type=run.kind, question=run.question, outcome=outcome)


def _cells(run: Run, rows: list[PointResult], following: str | None) -> CellsOut:
    found = selectors.experiment_read(run=run, points=[selectors.point_read(row) for row in rows])
    cells = [CellOut(**cell_body(found, summary)) for summary in found.answers.values()]
    return CellsOut(experiment=run.pk, status=run.status, cells=cells, next=following)


def _experiments(rows: list[Run], following: str | None) -> ExperimentsPage:
    lines = [ExperimentLine(**out.model_dump(), type=run.kind) for run, out in zip(rows, runs_out(rows), strict=True)]
    return ExperimentsPage(items=lines, next=following)
