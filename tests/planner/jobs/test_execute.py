"""A run is computed once and ends in exactly one way, whatever happens on the way."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from planner import services
from planner.jobs import endings, leases
from planner.jobs.execute import run_finish, run_points_save, scenario_judge
from planner.jobs.leases import MAX_ATTEMPTS, job_claim, jobs_reap
from planner.models import Job, Run, RunStatus, Scenario
from planner.selectors import run_points
from simulations.pipeline.archive.store import Archive, run_folder
from simulations.scenario.spec import parse
from tests.claims import silent, taken
from tests.planner.computing import Watched, WorkerDied, again, compute, ended_with, error_of, raiser
from tests.planner.conftest import summary_of
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
SESSIONS = "queues.orders.settings.maximum_sessions"


def _throughput(run: Run) -> pa.Table:
    path = settings.ENVIRONMENT.store / run.store_path / "values.parquet"
    return pq.read_table(path, columns=["point"], filters=[("metric", "==", "throughput")])


def test_a_computed_run_has_its_points_its_hash_and_its_archive(run: Run) -> None:
    compute(run)
    assert run.status == RunStatus.SUCCEEDED
    assert run.result_hash
    assert [(point.index, point.partial) for point in run.points.all()] == [(0, False), (1, False)]
    assert (run.progress["fraction"], run.progress["points_done"], run.progress["eta_s"]) == (1.0, 2, 0.0)
    assert run.timings["total"] > 0
    rows = Archive(run_folder(settings.ENVIRONMENT.store, run.store_path), run.content_hash).read()
    assert sum(batch.num_rows for batch in rows) == run.progress["replications_done"]
    values = pq.read_table(
        settings.ENVIRONMENT.store / run.pk / "values.parquet",
        columns=["point"],
        filters=[("metric", "==", "throughput")],
    )
    assert set(values["point"].to_pylist()) == {0, 1}


def test_where_the_objective_turns_is_searched_and_kept_beside_the_points_of_the_sweep(
    owner: User, body: dict[str, Any]
) -> None:
    body["sweep"] = [{"path": SESSIONS, "values": [1, 9]}]
    body["queues"][0] |= {"arrivals": {"kind": "poisson", "rate": "3/s"}}
    body["objectives"] = [{"metric": "overtaken_fraction", "equals": 0}]
    version = services.scenario_store(owner=owner, spec=parse(body)).version
    run = compute(services.run_start(version=version, owner=owner).run)
    turn = run.headline["turn"]
    assert (turn["path"], turn["last"], turn["first"], turn["met_below"], turn["found"]) == (SESSIONS, 1, 2, True, True)
    assert turn["below"]["value"] == 0 < turn["above"]["value"]
    assert turn["text"].startswith(
        "Overtaken exactly 0 %, by Maximum sessions: met up to 1 and missed from 2 on (0 % and"
    )
    assert [point.overrides[SESSIONS] for point in run_points(run=run)] == [1, 9]
    assert run.plan["points"] == 2
    plain = compute(services.run_start(version=version, owner=owner, force=True).run)
    assert plain.result_hash == run.result_hash
    body["run"]["max_time"] = "1h"
    limited = services.scenario_store(owner=owner, spec=parse(body)).version
    assert "turn" not in compute(services.run_start(version=limited, owner=owner).run).headline


def test_a_point_whose_settings_do_not_fit_is_stored_as_invalid_and_the_others_are_computed(
    owner: User, body: dict[str, Any]
) -> None:
    body["sweep"] = [{"path": "servers.payments.settings.max_servants", "values": [2, 3, 4]}]
    version = services.scenario_store(owner=owner, spec=parse(body)).version
    run = compute(services.run_start(version=version, owner=owner).run)
    assert run.error is None
    assert (run.status, run.plan["points"]) == (RunStatus.SUCCEEDED, 3)
    stored = [(point.index, point.status) for point in run.points.order_by("index")]
    assert stored[0] == (0, "invalid")
    assert {status for _, status in stored[1:]} <= {"ok", "not_converged"}
    assert len(stored) == 3
    first, second, third = (point.summary for point in run_points(run=run))
    assert "servers.payments.settings" in first.problems[0]
    assert (bool(second.differences), bool(third.differences)) == (False, True)
    values = pq.read_table(
        settings.ENVIRONMENT.store / run.pk / "values.parquet",
        columns=["point"],
        filters=[("metric", "==", "throughput")],
    )
    assert set(values["point"].to_pylist()) == {1, 2}


def test_a_run_whose_time_is_up_succeeds_with_the_precision_that_it_has(run: Run) -> None:
    limited = services.run_start(version=run.version, owner=run.owner, max_time=1e-6).run
    assert limited.content_hash != run.content_hash, "a run without a limit is never answered by one with it"
    compute(limited)
    assert (limited.status, limited.time_is_up) == (RunStatus.SUCCEEDED, True)
    statuses = {point.index: point.status for point in limited.points.all()}
    assert statuses == {0: "unstable", 1: "not_converged"}
    assert limited.progress["replications_done"] == 4
    assert limited.progress["precision_now"] > limited.progress["precision_target"]
    repeated = services.run_start(version=run.version, owner=run.owner, max_time=1e-6, force=True).run
    assert compute(repeated).reproduced is None


def test_a_run_that_is_delivered_again_is_left_alone(run: Run) -> None:
    compute(run)
    watched = Watched()
    compute(run, watched)
    assert watched.rows == []
    assert run.attempt == 1


def test_computing_again_gives_the_same_hash(run: Run) -> None:
    first = compute(run).result_hash
    second = compute(again(run))
    assert (second.result_hash, second.reproduced) == (first, True)


def test_a_run_whose_workers_all_died_is_only_cleaned_up(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(attempt=MAX_ATTEMPTS, spark_session="s-1")
    watched = Watched()
    compute(run, watched)
    assert ended_with(run) == (RunStatus.FAILED, "workers_died")
    assert (watched.rows, run.spark_session) == ([], "")


def test_an_orphan_that_cannot_be_asked_about_fails_the_run_and_not_the_worker(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(job: Job) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(endings, "interrupt_orphan", broken)
    assert ended_with(compute(run)) == (RunStatus.FAILED, "internal")


def test_a_cancelled_run_stops_and_keeps_what_it_has(run: Run) -> None:
    def cancel() -> None:
        services.job_cancel(run, actor=run.owner)
        wait_until(watched.must_stop, "the worker hears of it")

    watched = Watched(after=1, happens=cancel)
    compute(run, watched)
    assert 2 <= len(watched.rows) < 4, "what was done when the run was cancelled is kept, and no more begins"
    assert run.status == RunStatus.CANCELLED
    assert run.claim_token == ""
    rows = Archive(run_folder(settings.ENVIRONMENT.store, run.pk), run.content_hash).read()
    assert sum(batch.num_rows for batch in rows) == len(watched.rows)


def hears_the_pause(run: Run) -> Callable[[], None]:
    """Pause the run and wait until its worker has renewed the lease twice: the first time it heard of the pause."""

    def happen() -> None:
        services.job_pause(run, actor=run.owner)
        for _ in range(2):
            before = Run.objects.get(pk=run.pk).heartbeat_at
            wait_until(lambda last=before: Run.objects.get(pk=run.pk).heartbeat_at != last, "a heartbeat")  # type: ignore[misc]

    return happen


def test_a_paused_run_ends_its_round_and_goes_on_to_the_same_numbers(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "BEAT_SECONDS", 0.05)
    whole = Watched()
    undisturbed = compute(again(run), whole)
    assert {replication for _, replication in whole.rows} == {0, 1, 2, 3}, "the test needs a second round"
    before, after = Watched(after=1, happens=hears_the_pause(run)), Watched()
    compute(run, before)
    assert (run.status, run.claim_token, run.result_hash) == (RunStatus.PAUSED, "", "")
    assert sorted(before.rows) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    stored = Archive(run_folder(settings.ENVIRONMENT.store, run.pk), run.content_hash).read()
    assert sum(batch.num_rows for batch in stored) == 4
    compute(run, after)
    assert after.rows == [], "nobody computes a paused run"
    services.job_resume(run, actor=run.owner)
    compute(run, after)
    assert (run.status, run.result_hash) == (RunStatus.SUCCEEDED, undisturbed.result_hash)
    assert sorted(before.rows + after.rows) == sorted(whole.rows)


def test_a_run_whose_worker_died_goes_on_and_computes_nothing_twice(run: Run) -> None:
    whole = Watched()
    undisturbed = compute(again(run), whole)
    before, after = Watched(after=3, happens=raiser(WorkerDied)), Watched()
    with pytest.raises(WorkerDied):
        compute(run, before)
    silent(run)
    assert jobs_reap(Run) == [run.pk]
    compute(run, after)
    assert run.result_hash == undisturbed.result_hash
    assert run.attempt == 2
    assert sorted(before.rows + after.rows) == sorted(whole.rows)


def test_a_worker_that_lost_its_claim_writes_nothing_more(run: Run) -> None:
    def taken_over() -> None:
        silent(run)
        jobs_reap(Run)
        job_claim(Run, key=run.pk, worker="w2")

    compute(run, Watched(happens=taken_over))
    assert (run.status, run.worker) == (RunStatus.RUNNING, "w2")
    assert not run.points.exists()


@pytest.mark.parametrize(
    ("step", "status"), [(services.job_pause, RunStatus.PAUSED), (services.job_cancel, RunStatus.CANCELLED)]
)
def test_what_was_asked_of_a_run_before_its_worker_died_is_done_by_the_next(
    run: Run, step: Callable[..., Run], status: RunStatus
) -> None:
    taken(run)
    step(run, actor=run.owner)
    silent(run)
    jobs_reap(Run)
    watched = Watched()
    assert compute(run, watched).status == status
    assert watched.rows == []


def test_a_scenario_that_became_invalid_fails_with_its_fields(run: Run) -> None:
    run.spec["queues"][0]["settings"]["maximum_sessions"] = -1
    run.save()
    compute(run)
    assert ended_with(run) == (RunStatus.FAILED, "invalid_input")
    assert "maximum_sessions" in error_of(run)["message"]


def test_an_error_of_ours_fails_with_a_number_to_report(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    compute(run, Watched(happens=raiser(ZeroDivisionError)))
    assert ended_with(run) == (RunStatus.FAILED, "internal")
    assert error_of(run)["id"] in error_of(run)["message"]
    assert error_of(run)["id"] in caplog.text


def test_saving_a_point_twice_keeps_the_last(run: Run) -> None:
    claimed = taken(run)
    run_points_save(run=claimed, summaries=[summary_of(0, 0.9)], partial=True)
    run_points_save(run=claimed, summaries=[summary_of(0, 0.3)], partial=False)
    row = run.points.get()
    assert (row.summary["metrics"]["latency.p95"]["value"], row.partial) == (0.3, False)


def test_finishing_takes_the_hash_of_all_points(run: Run) -> None:
    claimed = taken(run)
    run_points_save(run=claimed, summaries=[summary_of(0), summary_of(1)], partial=True)
    assert run_finish(run=claimed, timings={"spark": 1.5}) == "succeeded"
    run.refresh_from_db()
    assert len(run.result_hash) == 64
    assert run.progress["fraction"] == 1.0
    assert not run.points.filter(partial=True).exists()
    assert run.claim_token == ""


def test_a_run_with_missing_points_cannot_finish(run: Run) -> None:
    claimed = taken(run)
    run_points_save(run=claimed, summaries=[summary_of(0)], partial=False)
    with pytest.raises(ValueError, match="1 of 2 points"):
        run_finish(run=claimed)
    assert Run.objects.get(pk=run.pk).status == RunStatus.RUNNING


def test_the_database_refuses_success_without_a_hash(run: Run) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Run.objects.filter(pk=run.pk).update(status=RunStatus.SUCCEEDED)


def test_the_end_of_a_run_judges_its_scenario_by_the_objectives(owner: User, body: dict[str, Any]) -> None:
    body["objectives"] = [{"metric": "latency.p95", "at_most": "200ms"}]
    scenario = services.scenario_store(owner=owner, spec=parse(body))
    for value, verdict in ((0.25, "missed"), (0.1, "met")):
        claimed = taken(services.run_start(version=scenario.version, owner=owner, force=True).run)
        run_points_save(run=claimed, summaries=[summary_of(0, value), summary_of(1, value)], partial=False)
        run_finish(run=claimed)
        scenario.refresh_from_db()
        assert scenario.verdict == verdict
        assert Run.objects.get(pk=claimed.pk).headline["metrics"]["latency.p95"]["value"] == value


def test_a_scenario_without_objectives_or_answers_has_no_verdict(scenario: Scenario) -> None:
    Scenario.objects.update(verdict="met")
    with transaction.atomic():
        scenario_judge(scenario_id=scenario.pk)
    scenario.refresh_from_db()
    assert scenario.verdict == ""
