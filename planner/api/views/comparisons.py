"""Comparing answers: which settings differ, the paired differences of every metric, and baselines to compare with."""

from typing import ClassVar
from urllib.parse import urlencode

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from planner import selectors, services
from planner.api.base import NEWEST_FIRST, READ_WRITE, ApiViewSet, Store, answer, idempotent, under_way
from planner.api.examples import BASELINE_EXAMPLES
from planner.api.lists import BaselineFilter
from planner.api.reading import read_body, read_values
from planner.api.schemas import comparisons as bodies
from planner.api.tagged import Tagged, guarded
from planner.selectors import Subject
from simulations.declarations.problems import InvalidInput, nearest


class ComparisonViewSet(ApiViewSet):
    """Comparisons."""

    scopes: ClassVar = {"GET": "read", "POST": "run"}

    @extend_schema(
        operation_id="comparison",
        parameters=[
            OpenApiParameter("subject", str, many=True, required=True, description="Two to six, in their order."),
            OpenApiParameter("baseline", int, description="Place of the one compared with, from 0, the default."),
            OpenApiParameter("queue", str, description="Name of a queue; the whole system when left out."),
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
        for version in missing:
            self.allowed(version.scenario)
        starts = [services.run_prepare(version=version, owner=self.caller) for version in missing]
        keys = [("subject", key) for key in body.subjects]
        query = urlencode([*keys, ("baseline", body.baseline), ("queue", body.queue)])

        def store() -> HttpResponse:
            for start in starts:
                start()
            return under_way(_comparison(request, body), f"/api/v1/comparisons?{query}")

        return store


class BaselineViewSet(Tagged):
    """The caller's baselines: one pinned version for each application; one that was taken off is still shown."""

    lookup_url_kwarg = "baseline_id"
    selector, lister = selectors.baseline_get, selectors.baselines_list
    line = body = bodies.BaselineOut
    scopes = READ_WRITE
    filterset_class = BaselineFilter
    sorts = (*NEWEST_FIRST, "application")

    @extend_schema(operation_id="baseline_pin", request=bodies.BaselineIn, examples=BASELINE_EXAMPLES)
    @idempotent
    def create(self, request: Request) -> Store:
        """Pin a version as the baseline of an application; the one that was pinned before is taken off."""
        body = read_body(request, bodies.BaselineIn)
        scenario = self.allowed(selectors.scenario_get(user=self.caller, scenario_id=body.scenario))
        version = selectors.version_get(scenario=scenario, number=body.version)
        about = {"version": version, "application": body.application}
        return self.creates(services.baseline_pin, self.body, owner=self.caller, **about)

    @extend_schema(operation_id="baseline_unpin")
    @guarded
    def destroy(self, request: Request, baseline_id: str) -> None:
        """Take a baseline off; the version and its runs stay."""
        services.baseline_unpin(baseline=self.get_object(), actor=self.caller)


def _subjects(request: Request, body: bodies.ComparisonIn) -> list[Subject]:
    if body.baseline >= len(body.subjects):
        message = f"there are {len(body.subjects)} subjects, counted from 0"
        raise InvalidInput.at(("baseline",), message, value=body.baseline)
    subjects = [selectors.subject_get(user=request.user, key=key) for key in body.subjects]
    queues = sorted({queue.name for subject in subjects for queue in subject.spec.queues})
    if body.queue and body.queue not in queues:
        raise InvalidInput.at(("queue",), f"no subject has this queue; {nearest(body.queue, queues)}", value=body.queue)
    return subjects


def _comparison(request: Request, body: bodies.ComparisonIn) -> bodies.ComparisonOut:
    subjects = _subjects(request, body)
    comparison = selectors.compared(subjects=subjects, baseline=body.baseline, queue=body.queue)
    return bodies.ComparisonOut.of(
        comparison,
        complete=all(subject.point for subject in subjects),
        subjects=bodies.SubjectOut.all_of(subjects),
        equal=len(comparison.equal),
    )
