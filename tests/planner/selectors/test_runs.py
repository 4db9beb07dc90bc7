"""Where runs stand."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.utils import timezone

from planner import selectors, services
from planner.errors import NotFound
from planner.models import JOB_ERROR, Run, RunStatus, Scenario, audit
from simulations.scenario.spec import revised
from tests.scenarios import FEWEST_SESSIONS


@pytest.fixture
def experiment(scenario: Scenario) -> Run:
    """A queued experiment."""
    return services.experiment_prepare(version=scenario.version, owner=scenario.owner, question=FEWEST_SESSIONS)().run


def test_runs_and_experiments_are_told_apart(run: Run, experiment: Run, scenario: Scenario) -> None:
    assert list(selectors.runs_of_scenario(scenario=scenario)) == [run]
    assert list(selectors.experiments_list(user=run.owner)) == [experiment]
    assert selectors.experiment_get(user=run.owner, experiment_id=experiment.pk) == experiment
    with pytest.raises(NotFound, match="experiment"):
        selectors.experiment_get(user=run.owner, experiment_id=run.pk)


def test_the_newest_experiment_of_each_kind_counts(experiment: Run, scenario: Scenario) -> None:
    later = services.experiment_prepare(
        version=scenario.version, owner=scenario.owner, question=FEWEST_SESSIONS, force=True
    )().run
    assert selectors.experiments_newest(version=scenario.version) == {"optimize": later}
    first, owner = scenario.version.parsed, scenario.owner
    for other in (revised(first, [(("run", "seed"), 7)]), first):  # away, and back to the same content
        scenario = services.scenario_replace(scenario=scenario, author=owner, spec=other)
        known = {"optimize": later} if other == first else {}
        assert selectors.experiments_newest(version=scenario.version) == known


def test_runs_are_counted_by_every_status_but_success(run: Run) -> None:
    expected = {status: int(status == "queued") for status in RunStatus.values if status != "succeeded"}
    assert selectors.runs_counted(user=run.owner) == expected


def test_runs_are_listed_by_status(run: Run, stranger: User) -> None:
    assert list(selectors.runs_list(user=run.owner).filter(status="queued")) == [run]
    assert not selectors.runs_list(user=run.owner).filter(status="failed").exists()
    assert not selectors.runs_list(user=stranger).exists()


def test_a_waiting_run_knows_its_place(run: Run, stranger: User) -> None:
    other = services.scenario_store(owner=stranger, spec=run.version.parsed)
    first = services.run_start(version=other.version, owner=stranger).run
    Run.objects.filter(pk=first.pk).update(created_at=timezone.now() - timedelta(minutes=1))
    place = selectors.run_place(run=run)
    assert place is not None
    assert place.ahead == 1, "whoever owns it"
    Run.objects.filter(pk=first.pk).update(status=RunStatus.PAUSED)
    place = selectors.run_place(run=run)
    assert place is not None and (place.ahead, place.starts_in_s) == (0, 0.0)
    run.status = RunStatus.PAUSED
    assert selectors.run_place(run=run) is None


def test_the_log_of_a_failure_is_for_those_who_read_the_audit_record(run: Run) -> None:
    audit(actor=None, action=JOB_ERROR, row=run, log=["first", "second"])
    assert selectors.job_log(user=run.owner, key=run.pk) == ()
    run.owner.user_permissions.add(Permission.objects.get(codename="view_auditevent"))
    reader = User.objects.get(pk=run.owner_id)
    assert selectors.job_log(user=reader, key=run.pk) == ("first", "second")
    assert selectors.job_log(user=reader, key="run_other") == ()


def test_an_experiment_is_read_whole_or_in_part(experiment: Run) -> None:
    found = selectors.experiment_read(run=experiment)
    assert (found.answers, found.partial, found.question.type) == ({}, frozenset(), "optimize")
    assert found.spec == experiment.asked
