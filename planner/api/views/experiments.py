"""Experiments: ask, look, cancel, pause, go on, and the cells and the choice."""

from functools import partial

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import BY_INDEX, Store, answer, idempotent, under_way
from planner.api.examples import EXPERIMENT_EXAMPLES
from planner.api.lists import ExperimentFilter
from planner.api.outcomes import outcome_body
from planner.api.reading import body_of, read_body
from planner.api.schemas import experiments as bodies
from planner.api.views.runs import RunViewSet
from planner.errors import NotFound
from planner.models import PointResult, Run, RunKind, RunStatus
from simulations.experiment.verdicts import verdict_of

_ADDRESSED = ("scenario", "version", "force")


class ExperimentViewSet(RunViewSet):
    """The caller's experiments: runs with a question of their own."""

    lookup_url_kwarg = "experiment_id"
    selector = selectors.experiment_get
    filterset_class = ExperimentFilter
    line, body = bodies.ExperimentLine, bodies.ExperimentOut

    def rows(self) -> QuerySet[Run]:
        """Return the experiments."""
        return selectors.experiments_list(user=self.caller)

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

        def store() -> HttpResponse:
            started = start()
            return under_way(self.out(started.run, cached=started.cached), f"/api/v1/experiments/{started.run.pk}")

        return store

    @extend_schema(responses=bodies.CellsOut)
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
        known = {"status": "open", "final": run.final, "kpi": run.question["kpi"], "reason": "no answer yet"}
        unknown = dict.fromkeys(("probability", "indifferent", "recommended", "runner_up"))
        outcome = outcome_body(selectors.experiment_read(run=run)) or {**known, **unknown}
        return answer(bodies.RecommendationOut(experiment=run.pk, **outcome))


def _cells(run: Run, rows: list[PointResult], following: str | None) -> bodies.CellsOut:
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
    return bodies.CellsOut(experiment=run.pk, status=RunStatus(run.status), cells=cells, next=following)
