"""Workers take runs in turns between people, small ones first, and everybody learns their place."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from planner import services
from planner.jobs.leases import job_claim
from planner.jobs.turns import places, runs_in_turn
from planner.models import Run, RunStatus, Scenario
from planner.tasks import run_execute
from tests.claims import dead_on_spark

pytestmark = pytest.mark.django_db(transaction=True)


def started(scenario: Scenario, owner: User, *, seed: int, seconds: float = 0.0, waits: float = 0.0) -> Run:
    run = services.run_start(version=scenario.version, owner=owner, seed=seed).run
    plan = {**run.plan, "work": {**run.plan["work"], "first_cpu_s": seconds}}
    Run.objects.filter(pk=run.pk).update(plan=plan, created_at=timezone.now() - timedelta(seconds=waits))
    run.refresh_from_db()
    return run


def order(key: str = "run_gone") -> list[str]:
    return list(runs_in_turn(key))[:-1]


def test_a_person_with_many_runs_does_not_make_the_others_wait(scenario: Scenario, owner: User, stranger: User) -> None:
    many = [started(scenario, owner, seed=seed, waits=100 - seed) for seed in range(5)]
    one = started(scenario, stranger, seed=9)
    assert order()[:3] == [many[0].pk, one.pk, many[1].pk]
    job_claim(Run, key=many[0].pk, worker="w1")
    assert order()[0] == one.pk, "nobody else has a worker"


def test_who_was_served_last_comes_last(scenario: Scenario, owner: User, stranger: User) -> None:
    first = started(scenario, owner, seed=1)
    Run.objects.filter(pk=first.pk).update(status=RunStatus.CANCELLED, started_at=timezone.now())
    second, other = started(scenario, owner, seed=2, waits=60), started(scenario, stranger, seed=3, seconds=1e6)
    assert order() == [other.pk, second.pk], "however large it is"


def test_small_runs_pass_large_ones_that_have_not_waited_long(scenario: Scenario, owner: User) -> None:
    large = started(scenario, owner, seed=1, seconds=1e5, waits=60)
    small = started(scenario, owner, seed=2, seconds=1.0, waits=10)
    assert order() == [small.pk, large.pk]
    Run.objects.filter(pk=large.pk).update(created_at=timezone.now() - timedelta(days=30))
    assert order() == [large.pk, small.pk]


def test_what_a_dead_worker_left_on_spark_is_stopped_first(scenario: Scenario, owner: User) -> None:
    left = dead_on_spark(started(scenario, owner, seed=1))
    services.job_cancel(left, actor=owner)
    started(scenario, owner, seed=2)
    assert next(runs_in_turn(left.pk)) == left.pk


def test_a_message_computes_the_run_whose_turn_it_is(
    scenario: Scenario, owner: User, stranger: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = started(scenario, owner, seed=1, seconds=1e5)
    first = started(scenario, owner, seed=2)
    asked: list[str] = []

    def computed(*, run_id: str, **_: str) -> bool:
        asked.append(run_id)
        return len(asked) == 2

    monkeypatch.setattr("planner.tasks.run_compute", computed)
    run_execute.apply(args=(later.pk,), throw=True)
    assert asked == [first.pk, later.pk], "the next one where another worker was faster"


def test_the_start_is_estimated_from_the_work_before_it(scenario: Scenario, owner: User) -> None:
    busy = [started(scenario, owner, seed=seed) for seed in (1, 2)]
    for run, left in zip(busy, (30.0, 50.0), strict=True):
        job_claim(Run, key=run.pk, worker="w1")
        Run.objects.filter(pk=run.pk).update(progress={"eta_s": left})
    first = started(scenario, owner, seed=3, seconds=10.0)
    second = started(scenario, owner, seed=4, seconds=20.0)
    standing = places([first, second])
    assert (standing[first.pk].ahead, standing[first.pk].starts_in_s) == (0, 30.0)
    assert standing[second.pk].ahead == 1
    assert 30.0 < standing[second.pk].starts_in_s <= 50.0


def test_a_place_says_what_person_and_team_have_under_way(
    scenario: Scenario, owner: User, stranger: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    runs = [started(scenario, owner, seed=seed) for seed in (1, 2)]
    own = services.scenario_store(owner=owner, spec=scenario.version.parsed)
    services.run_start(version=own.version, owner=owner)
    team = services.team_create(actor=owner, name="Payments")
    services.member_set(team=team, actor=owner, name=stranger.username, role="planner")
    services.hand_over(row=scenario, actor=owner, team=team)
    runs.append(started(scenario, stranger, seed=3))
    services.job_pause(runs[1], actor=owner)
    with django_assert_num_queries(4):
        found = places(runs)
    seconds = {run.pk: run.plan["work"]["cpu_s"] for run in Run.objects.all()}
    for run, person, count in ((runs[0], "ada", 3), (runs[2], "eve", 1)):
        mine, ours = found[run.pk].shares
        assert (mine.kind, mine.name, mine.runs, mine.most_runs) == ("person", person, count, 200)
        assert (ours.kind, ours.name, ours.runs, ours.most_runs) == ("team", "Payments", 3, 1000)
        assert ours.cpu_s == pytest.approx(sum(seconds[run.pk] for run in runs))


def test_nobody_waits_who_is_not_queued(run: Run) -> None:
    services.job_cancel(run, actor=run.owner)
    assert places([run]) == {}
