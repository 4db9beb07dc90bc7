"""Comparing answers: which settings differ, the paired differences of every metric, and baselines to compare with."""

from functools import partial
from typing import ClassVar
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from planner import selectors, services
from planner.answers.values import plain
from planner.api.base import NEWEST_FIRST, READ_WRITE, ApiViewSet, Store, answer, created, idempotent, under_way
from planner.api.examples import BASELINE_EXAMPLES
from planner.api.lists import BaselineFilter
from planner.api.reading import read_body, read_values
from planner.api.schemas import comparisons as bodies
from planner.api.schemas.common import page_of
from planner.models import Baseline, Run
from planner.selectors import Kpi, Subject
from simulations.declarations.problems import InvalidInput, nearest, problem


class ComparisonViewSet(ApiViewSet):
    """Comparisons."""

    scopes: ClassVar = {"GET": "read", "POST": "run"}

    @extend_schema(
        operation_id="comparison",
        parameters=[
            OpenApiParameter("subject", str, many=True, required=True, description="Two to six, in their order."),
            OpenApiParameter("baseline", int),
            OpenApiParameter("queue", str),
        ],
        responses=bodies.ComparisonOut,
    )
    def list(self, request: Request) -> HttpResponse:
        """Compare the answers there are; runs that are missing are not started."""
        query = request.query_params
        values = {name: query[name] for name in ("baseline", "queue") if name in query}
        body = read_values({"subjects": query.getlist("subject"), **values}, bodies.ComparisonIn)
        return answer(_comparison(request, body))

    @extend_schema(operation_id="comparison_create", request=bodies.ComparisonIn, responses={202: bodies.ComparisonOut})
    @idempotent
    def create(self, request: Request) -> Store:
        """Compare, and start the runs that are missing; ``Location`` is where the comparison fills in."""
        body = read_body(request, bodies.ComparisonIn)
        missing = [subject.version for subject in _subjects(request, body) if subject.run is None]
        starts = [services.run_prepare(version=version, owner=self.caller) for version in missing]
        keys = [("subject", key) for key in body.subjects]
        query = urlencode([*keys, ("baseline", body.baseline), ("queue", body.queue)])

        def store() -> HttpResponse:
            for start in starts:
                start()
            return under_way(_comparison(request, body), f"/api/v1/comparisons?{query}")

        return store


class BaselineViewSet(ApiViewSet):
    """Baselines: one pinned version for each application."""

    lookup_url_kwarg = "baseline_id"
    selector = selectors.baseline_get
    line = bodies.BaselineOut
    scopes = READ_WRITE
    filterset_class = BaselineFilter
    sorts = (*NEWEST_FIRST, "application")

    @extend_schema(responses=page_of(bodies.BaselineOut))
    def list(self, request: Request) -> HttpResponse:
        """List the caller's baselines, newest first."""
        rows = self.filter_queryset(selectors.baselines_list(user=self.caller))
        return self.paged(
            rows, lambda page, next: page_of(bodies.BaselineOut)(items=_baselines(self.caller, page), next=next)
        )

    @extend_schema(
        operation_id="baseline_pin",
        request=bodies.BaselineIn,
        responses={201: bodies.BaselineOut},
        examples=BASELINE_EXAMPLES,
    )
    @idempotent
    def create(self, request: Request) -> Store:
        """Pin a version as the baseline of an application; the one that was pinned before is taken off."""
        body = read_body(request, bodies.BaselineIn)
        scenario = selectors.scenario_get(user=self.caller, scenario_id=body.scenario)
        version = selectors.version_get(scenario=scenario, number=body.version)
        pin = partial(services.baseline_pin, owner=self.caller, version=version, application=body.application)
        return lambda: created(_baselines(self.caller, [pin()])[0], "baselines")

    @extend_schema(operation_id="baseline", responses=bodies.BaselineOut)
    def retrieve(self, request: Request, baseline_id: str) -> HttpResponse:
        """Show a baseline, also one that was taken off."""
        return answer(_baselines(self.caller, [self.get_object()])[0])

    @extend_schema(operation_id="baseline_unpin")
    def destroy(self, request: Request, baseline_id: str) -> HttpResponse:
        """Take a baseline off; the version and its runs stay."""
        services.baseline_unpin(baseline=self.get_object(), actor=self.caller)
        return HttpResponse(status=204)


def _baselines(user: User, rows: list[Baseline]) -> list[bodies.BaselineOut]:
    runs = selectors.newest_runs(user=user, versions=[row.version for row in rows])
    return [_baseline(row, runs.get(row.version_id)) for row in rows]


def _baseline(row: Baseline, run: Run | None) -> bodies.BaselineOut:
    return bodies.BaselineOut.of(
        row,
        scenario=row.version.scenario_id,
        scenario_name=row.version.scenario.name,
        version=row.version.number,
        content_hash=row.version.content_hash,
        run=run.pk if run else None,
        run_status=run.status if run else None,
        pinned_at=row.created_at,
    )


def _subjects(request: Request, body: bodies.ComparisonIn) -> list[Subject]:
    if body.baseline >= len(body.subjects):
        message = f"there are {len(body.subjects)} subjects, counted from 0"
        raise InvalidInput([problem(("baseline",), message, value=body.baseline)])
    subjects = [selectors.subject_get(user=request.user, key=key) for key in body.subjects]
    queues = sorted({queue.name for subject in subjects for queue in subject.spec.queues})
    if body.queue and body.queue not in queues:
        message = f"no subject has this queue; {nearest(body.queue, queues)}"
        raise InvalidInput([problem(("queue",), message, value=body.queue)])
    return subjects


def _comparison(request: Request, body: bodies.ComparisonIn) -> bodies.ComparisonOut:
    subjects = _subjects(request, body)
    comparison = selectors.compared(subjects=subjects, baseline=body.baseline, queue=body.queue)
    return bodies.ComparisonOut.of(
        comparison,
        complete=all(subject.point for subject in subjects),
        subjects=[_subject(subject) for subject in subjects],
        differing=[bodies.DifferingOut.of(item, values=plain(item.values)) for item in comparison.differing],
        equal=len(comparison.equal),
        kpis=[bodies.KpiOut.of(kpi, metric=kpi.metric.name, changes=_changes(kpi)) for kpi in comparison.kpis],
    )


def _subject(subject: Subject) -> bodies.SubjectOut:
    return bodies.SubjectOut(
        subject=subject.key,
        scenario=subject.version.scenario_id,
        version=subject.version.number,
        run=subject.run.pk if subject.run else None,
        status=subject.run.status if subject.run else "missing",
        point=subject.point.index if subject.point else None,
        replications=subject.point.summary.replications if subject.point else 0,
    )


def _changes(kpi: Kpi) -> list[bodies.ChangeOut | None]:
    return [
        None if change is None else bodies.ChangeOut.of(change, difference=change.estimate) for change in kpi.changes
    ]
