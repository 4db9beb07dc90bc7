"""What can be compared, and which run answers for a version."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from planner import selectors, services
from planner.errors import NotFound
from planner.jobs.execute import run_finish, run_points_save
from planner.models import Run, RunStatus, Scenario
from tests.claims import taken
from tests.planner.conftest import summary_of


@pytest.fixture
def finished(run: Run) -> Run:
    """A run that succeeded with two points."""
    claimed = taken(run)
    run_points_save(run=claimed, summaries=[summary_of(0), summary_of(1, 0.3)], partial=False)
    run_finish(run=claimed, timings={})
    run.refresh_from_db()
    return run


def newest(scenario: Scenario) -> Run | None:
    return selectors.newest_runs(versions=[scenario.version]).get(scenario.version.pk)


def test_nothing_answers_for_a_version_that_nobody_ran(scenario: Scenario) -> None:
    assert newest(scenario) is None
    subject = selectors.subject_get(user=scenario.owner, key=scenario.pk)
    assert (subject.run, subject.point, subject.version) == (None, None, scenario.version)
    assert subject.spec.sweep == ()


def test_a_run_under_way_answers_and_a_failed_one_does_not(run: Run, scenario: Scenario) -> None:
    assert newest(scenario) == run
    Run.objects.filter(pk=run.pk).update(status=RunStatus.FAILED)
    assert newest(scenario) is None


def test_a_finished_run_of_other_settings_comes_before_one_under_way(finished: Run, scenario: Scenario) -> None:
    other_seed = services.run_start(version=scenario.version, owner=scenario.owner, seed=7).run
    assert newest(scenario) == finished, "of the same content"
    Run.objects.filter(pk=finished.pk).update(content_hash="other")
    assert newest(scenario) == finished, "of the same version"
    Run.objects.filter(pk=finished.pk).update(status=RunStatus.CANCELLED)
    assert newest(scenario) is None, "another seed is another content"
    Run.objects.filter(pk=other_seed.pk).update(content_hash=scenario.version.parsed.content_hash())
    assert newest(scenario) == other_seed


def test_the_same_content_under_another_name_is_answered_already(finished: Run, scenario: Scenario) -> None:
    other = services.scenario_store(owner=scenario.owner, spec=scenario.version.parsed)
    assert newest(other) == finished
    mine = services.run_start(version=other.version, owner=other.owner, seed=7).run
    Run.objects.filter(pk=mine.pk).update(status=RunStatus.SUCCEEDED, result_hash="x")
    assert newest(other) == finished, "before a finished run of other content"


def test_of_equal_answers_the_newest_counts(finished: Run, scenario: Scenario) -> None:
    again = services.run_start(version=scenario.version, owner=scenario.owner, force=True).run
    hour = timezone.now() + timedelta(hours=1)
    Run.objects.filter(pk=again.pk).update(status=RunStatus.SUCCEEDED, result_hash="x", created_at=hour)
    assert newest(scenario) == again


def test_a_point_is_named_by_its_number(finished: Run) -> None:
    subject = selectors.subject_get(user=finished.owner, key=f"{finished.pk}:1")
    assert subject.point is not None
    assert subject.point.index == 1
    assert subject.spec.queues[0].settings.model_dump()["maximum_sessions"] == 36
    with pytest.raises(NotFound, match="point '9'"):
        selectors.subject_get(user=finished.owner, key=f"{finished.pk}:9")


@pytest.mark.parametrize("key", ["", "run_", "rep_1", "run_1:x", "scn_1:1:1", "RUN_1"])
def test_what_is_no_key_is_not_found(owner: User, key: str) -> None:
    with pytest.raises(NotFound):
        selectors.subject_get(user=owner, key=key)
