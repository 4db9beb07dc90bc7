"""Runs on Spark: the same numbers, the jobs of dead workers, and a server that is away."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import override_settings

from planner import services
from planner.jobs import leases, spark_session
from planner.jobs.execute import run_compute
from planner.jobs.leases import jobs_reap
from planner.jobs.spark_session import close_link, spark_executor, spark_link
from planner.models import Run, RunStatus
from planner.settings.environment import Environment
from simulations.experiment import expansion, with_overrides
from simulations.pipeline.spark.executors import Cancelled, Executor
from simulations.pipeline.spark.server import ServerPlan
from simulations.pipeline.spark.session import SparkUnavailable
from simulations.pipeline.work import WorkItem
from simulations.scenario.spec import parse
from tests.claims import silent, taken
from tests.planner.computing import Watched, again, compute, ended_with, error_of, raiser

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def spark_installation(spark_server: ServerPlan) -> Iterator[None]:
    """Settings that name the tests' Spark server."""
    spark_session = {"spark_remote": spark_server.remote, "spark_token": spark_server.token}
    environment = Environment.model_validate({**settings.ENVIRONMENT.model_dump(), **spark_session})
    with override_settings(ENVIRONMENT=environment):
        yield
        close_link()


@pytest.mark.spark
@pytest.mark.usefixtures("spark_installation")
def test_spark_gives_the_same_hash_as_this_process_and_is_named_on_the_run(run: Run) -> None:
    named: list[str] = []

    def executor_of(claimed: Run) -> Executor:
        made = spark_executor(claimed)
        named.append(Run.objects.get(pk=claimed.pk).spark_session)
        return made

    inline = compute(again(run)).result_hash
    run_compute(run_id=run.pk, worker="w1", executor_of=executor_of)
    run.refresh_from_db()
    assert run.result_hash == inline
    assert named == [spark_link().session_id]
    assert run.spark_session == ""


@pytest.mark.spark
@pytest.mark.usefixtures("spark_installation")
@pytest.mark.nightly
def test_the_job_of_a_dead_worker_is_interrupted_before_the_run_goes_on(run: Run) -> None:
    run, orphan = _orphaned(run)
    compute(run)
    with pytest.raises(Cancelled):
        list(orphan)
    assert run.status == RunStatus.SUCCEEDED


@pytest.mark.spark
@pytest.mark.usefixtures("spark_installation")
def test_a_run_cancelled_after_its_worker_died_is_cancelled_once_spark_has_stopped(run: Run) -> None:
    run, orphan = _orphaned(run)
    assert services.job_cancel(run, actor=run.owner).status == RunStatus.CANCELLING
    assert compute(run, Watched(happens=raiser(ZeroDivisionError))).status == RunStatus.CANCELLED
    with pytest.raises(Cancelled):
        list(orphan)


def test_a_run_paused_while_spark_is_away_is_paused_at_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "BEAT_SECONDS", 0.05)
    monkeypatch.setattr(spark_session, "SPARK_PAUSE", 0.01)

    def away(claimed: Run) -> Executor:
        if claimed.status == RunStatus.RUNNING:
            services.job_pause(Run.objects.get(pk=run.pk), actor=run.owner)
        raise SparkUnavailable

    run_compute(run_id=run.pk, worker="w1", executor_of=away)
    run.refresh_from_db()
    assert run.status == RunStatus.PAUSED


def test_a_run_waits_for_spark_to_come_back(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark_session, "SPARK_PAUSE", 0.01)
    undisturbed = compute(again(run)).result_hash
    broken, whole = Watched(after=2, happens=raiser(SparkUnavailable)), Watched()
    executors = iter([broken, whole])
    run_compute(run_id=run.pk, worker="w1", executor_of=lambda _: next(executors))
    run.refresh_from_db()
    assert run.result_hash == undisturbed
    assert not set(broken.rows) & set(whole.rows)


def test_a_run_gives_up_when_spark_stays_away(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark_session, "SPARK_PATIENCE", 0.0)
    compute(run, Watched(happens=raiser(SparkUnavailable)))
    assert ended_with(run) == (RunStatus.FAILED, "spark_unavailable")


def test_without_a_spark_server_the_message_says_what_to_do(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark_session, "SPARK_PATIENCE", 0.0)
    run_compute(run_id=run.pk, worker="w1")
    run.refresh_from_db()
    assert "make up" in error_of(run)["message"]


def _orphaned(run: Run) -> tuple[Run, Iterator[object]]:
    """The run whose worker fell silent in the middle of minutes of work, and the job that it left on Spark."""
    run = taken(run)
    orphan = spark_executor(run).run(_minutes_of_work(run), should_stop=lambda: False)
    next(orphan)
    silent(run)
    jobs_reap(Run)
    return run, orphan


def _minutes_of_work(run: Run) -> list[WorkItem]:
    spec = with_overrides(parse(run.spec), {"run.horizon.messages": 5_000_000})
    return [WorkItem.of(expansion(spec).points[0], first=0, count=100, cost=1.0)]
