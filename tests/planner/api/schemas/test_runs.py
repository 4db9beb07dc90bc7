"""Runs as bodies: how many points have an answer, counted for all of them at once."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from planner import services
from planner.api.schemas.runs import RunOut
from planner.jobs.execute import run_points_save
from planner.models import Run
from tests.claims import taken
from tests.planner.conftest import summary_of


def test_a_run_says_what_it_computes_and_how_far_it_is(run: Run) -> None:
    run_points_save(run=taken(run), summaries=[summary_of(0)], partial=True)
    body = RunOut.of(Run.objects.get(pk=run.pk), cached=True)
    assert (body.scenario, body.scenario_name, body.version) == (run.version.scenario_id, "Surge backlog", 1)
    assert (body.points, body.points_answered, body.partial_results) == (2, 1, True)
    assert body.model_rules == {"websphere-zos": run.rules_version}
    assert body.cached


def test_many_runs_are_counted_in_one_query(run: Run) -> None:
    other = services.run_start(version=run.version, owner=run.owner, seed=7).run
    with CaptureQueriesContext(
        connection,
    ) as queries:
        bodies = RunOut.all_of([run, other])
    assert [(body.id, body.points_answered, body.cached) for body in bodies] == [
        (run.pk, 0, False),
        (other.pk, 0, False),
    ]
    assert sum("pointresult" in query["sql"] for query in queries.captured_queries) == 1


def test_no_runs_no_bodies(db: None) -> None:
    assert RunOut.all_of([]) == []
