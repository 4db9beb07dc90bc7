"""Runs over the API: start, cache, force, wait, cancel, retry, results."""

import csv
import io
import time

import pytest
from rest_framework.test import APIClient

from planner import services
from planner.jobs.execute import run_finish, run_points_save
from planner.jobs.leases import job_claim, job_end
from planner.models import Run, RunStatus, Scenario
from tests.claims import taken
from tests.planner.conftest import summary_of


def start(client: APIClient, scenario: Scenario, **body: object) -> dict[str, object]:
    answer = client.post(f"/api/v1/scenarios/{scenario.pk}/runs", body, format="json")
    assert answer.status_code == 202, answer.content
    found: dict[str, object] = answer.json()
    assert answer["Location"] == f"/api/v1/runs/{found['id']}"
    assert answer["Retry-After"] == "1"
    return found


@pytest.mark.parametrize("name", ["metric", "kpi"])
def test_a_run_is_queued_with_a_copy_of_all_that_decides_it(client: APIClient, scenario: Scenario, name: str) -> None:
    started = start(client, scenario, seed=7, precision={name: "latency.p99", "relative": "1%"})
    run = Run.objects.get(pk=started["id"])
    assert (started["status"], started["points"], started["cached"]) == ("queued", 2, False)
    assert (run.seed, run.spec["run"]["precision"]) == (7, {"metric": "latency.p99", "relative": 0.01})
    assert scenario.version.spec["run"]["seed"] == 42


def test_the_same_question_gets_the_run_that_is_under_way(client: APIClient, scenario: Scenario) -> None:
    assert start(client, scenario)["id"] == start(client, scenario)["id"]
    assert start(client, scenario, seed=7)["id"] != start(client, scenario)["id"]


def test_the_same_question_gets_the_answer_that_is_known(client: APIClient, scenario: Scenario, finished: Run) -> None:
    again = start(client, scenario)
    assert (again["id"], again["status"], again["cached"]) == (finished.pk, "succeeded", True)


def test_force_computes_again_and_compares(client: APIClient, scenario: Scenario, finished: Run) -> None:
    forced = start(client, scenario, force=True)
    assert (forced["status"], forced["reproduced"]) == ("queued", None)
    claimed = job_claim(Run, key=str(forced["id"]), worker="w2")
    assert claimed is not None
    summaries = [summary_of(0), summary_of(1, 0.3)]
    run_points_save(run=claimed, summaries=summaries, partial=False)
    run_finish(run=claimed)
    assert client.get(f"/api/v1/runs/{claimed.pk}").json()["reproduced"] is True


def test_another_version_can_be_run(client: APIClient, scenario: Scenario) -> None:
    client.patch(f"/api/v1/scenarios/{scenario.pk}", {"spec": {"run": {"seed": 9}}}, format="json")
    assert start(client, scenario)["seed"] == 9
    assert start(client, scenario, version=1)["seed"] == 42
    missing = client.post(f"/api/v1/scenarios/{scenario.pk}/runs", {"version": 9}, format="json")
    assert missing.status_code == 404


def test_nobody_waits_for_a_run_that_has_ended(client: APIClient, run: Run, finished: Run) -> None:
    assert run.pk == finished.pk
    started = time.monotonic()
    assert client.get(f"/api/v1/runs/{finished.pk}?wait=20s").json()["status"] == "succeeded"
    assert time.monotonic() - started < 20


def test_waiting_ends_with_the_time(client: APIClient, run: Run) -> None:
    started = time.monotonic()
    assert client.get(f"/api/v1/runs/{run.pk}?wait=0.5s").json()["status"] == "queued"
    assert time.monotonic() - started >= 0.5


def test_cancel_is_idempotent_and_retry_sends_again(client: APIClient, run: Run) -> None:
    address = f"/api/v1/runs/{run.pk}"
    statuses = [client.post(f"{address}/cancel").json()["status"] for _ in range(2)]
    assert statuses == ["cancelled", "cancelled"]
    assert client.post(f"{address}/retry").json()["status"] == "queued"
    assert client.post(f"{address}/retry").status_code == 409


def test_a_running_run_is_cancelling_until_its_worker_stops(client: APIClient, run: Run) -> None:
    claimed = taken(run)
    assert client.post(f"/api/v1/runs/{run.pk}/cancel").json()["status"] == "cancelling"
    job_end(claimed, to=RunStatus.CANCELLED)
    assert client.get(f"/api/v1/runs/{run.pk}").json()["status"] == "cancelled"


def test_pausing_and_going_on_are_idempotent(client: APIClient, run: Run) -> None:
    address = f"/api/v1/runs/{run.pk}"
    for action, status in (("pause", "paused"), ("resume", "queued")):
        answers = [client.post(f"{address}/{action}") for _ in range(2)]
        assert [(answer.status_code, answer.json()["status"]) for answer in answers] == [(202, status)] * 2
    assert client.get(f"{address}/pause").status_code == 405
    services.job_cancel(run, actor=run.owner)
    refused = client.post(f"{address}/resume")
    assert (refused.status_code, "try it again" in refused.json()["detail"]) == (409, True)


def test_waiting_for_a_paused_run_ends_at_once(client: APIClient, run: Run) -> None:
    services.job_pause(run, actor=run.owner)
    started = time.monotonic()
    answer = client.get(f"/api/v1/runs/{run.pk}?wait=20s")
    assert (answer.json()["status"], "Retry-After" in answer) == ("paused", False)
    assert time.monotonic() - started < 20


def test_a_run_may_have_a_limit_of_time(client: APIClient, scenario: Scenario) -> None:
    address = f"/api/v1/scenarios/{scenario.pk}/runs"
    made = client.post(address, {"max_time": "2min"}, format="json")
    assert made.status_code == 202
    assert Run.objects.get(pk=made.json()["id"]).spec["run"]["max_time"] == 120
    assert client.post(address, {}, format="json").json()["id"] != made.json()["id"]
    refused = client.post(address, {"max_time": "-1s"}, format="json")
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "/max_time")


def test_results_carry_intervals_and_partial_ones_say_so(client: APIClient, run: Run) -> None:
    claimed = taken(run)
    run_points_save(run=claimed, summaries=[summary_of(0)], partial=True)
    shown = client.get(f"/api/v1/runs/{run.pk}").json()
    assert (shown["partial_results"], shown["points_answered"], shown["points"]) == (True, 1, 2)
    point = client.get(f"/api/v1/runs/{run.pk}/results").json()["points"][0]
    assert point["partial"] is True
    assert point["point"]["metrics"]["latency.p95"] == {
        "value": 0.25,
        "ci95": [0.24, 0.26],
        "unit": "s",
        "origin": "simulated",
    }


def test_csv_has_one_row_for_each_point_queue_server_and_metric(client: APIClient, finished: Run) -> None:
    answer = client.get(f"/api/v1/runs/{finished.pk}/results.csv")
    assert answer["Content-Type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert [(row["point"], row["queue"], row["server"], row["metric"]) for row in rows] == [
        (point, queue, server, metric)
        for point in ("0", "1")
        for queue, server, metric in (
            ("", "", "latency.p95"),
            ("orders", "", "latency.p95"),
            ("", "payments", "threads.busy"),
        )
    ]
    assert float(rows[3]["value"]) == 0.3


def test_threads_by_state_are_a_series_of_their_server(client: APIClient, finished: Run) -> None:
    address = f"/api/v1/runs/{finished.pk}/series/busy?server=payments"
    found = client.get(address).json()
    assert (found["time"], found["values"]) == ([0.5, 1.5], [12.0, None])
    assert (found["queue"], found["server"]) == ("", "payments")
    assert client.get(f"/api/v1/runs/{finished.pk}/series/busy?server=nothing").status_code == 404
    assert client.get(f"/api/v1/runs/{finished.pk}/series/latency?server=payments").status_code == 404


def test_a_series_is_cut_and_thinned(client: APIClient, finished: Run) -> None:
    address = f"/api/v1/runs/{finished.pk}/series/backlog"
    assert client.get(address).json()["values"] == [0.0, 3.0, None]
    assert client.get(f"{address}?from=1").json()["time"] == [1.0, 2.0]
    thinned = client.get(f"{address}?points=2").json()
    assert (thinned["time"], thinned["values"]) == ([0.0, 1.0], [0.0, 3.0])
    assert client.get(f"{address}?queue=nothing").status_code == 404


@pytest.mark.parametrize(("part", "key"), [("results", "points"), ("explanation", "items"), ("findings", "items")])
def test_what_points_say_comes_page_by_page(client: APIClient, finished: Run, part: str, key: str) -> None:
    first = client.get(f"/api/v1/runs/{finished.pk}/{part}?limit=1")
    second = client.get(first.json()["next"])
    whole = client.get(f"/api/v1/runs/{finished.pk}/{part}").json()
    assert first["Link"] == f'<{first.json()["next"]}>; rel="next"'
    assert first.json()[key] + second.json()[key] == whole[key]
    assert len(first.json()[key]) == 1
    assert (second.json()["next"], whole["next"]) == (None, None)


def test_findings_and_checks_name_their_point(client: APIClient, finished: Run) -> None:
    findings = client.get(f"/api/v1/runs/{finished.pk}/findings").json()["items"]
    assert [item["index"] for item in findings] == [0, 1]
    assert findings[0]["findings"][0]["source"] == "MDB throttle settings: formula"
    checks = client.get(f"/api/v1/runs/{finished.pk}/checks").json()["items"]
    assert [(item["index"], item["passed"]) for item in checks] == [(0, True), (1, True)]


@pytest.mark.parametrize("status", ["queued", "running"])
def test_runs_are_listed_by_status(client: APIClient, run: Run, status: str) -> None:
    found = client.get(f"/api/v1/runs?status={status}").json()["items"]
    assert len(found) == (1 if status == "queued" else 0)


def test_a_report_is_frozen(client: APIClient, finished: Run) -> None:
    made = client.post("/api/v1/reports", {"run": finished.pk, "title": "Q3"}, format="json")
    assert made.status_code == 201
    shown = client.get(made["Location"]).json()
    assert shown["payload"]["reproduction"]["result_hash"] == finished.result_hash
    client.patch(
        f"/api/v1/scenarios/{shown['payload']['reproduction']['scenario']}", {"spec": {"name": "New"}}, format="json"
    )
    assert client.get(made["Location"]).json() == shown
    assert client.get(f"{made['Location']}.json").json() == shown


def test_an_unfinished_run_cannot_be_reported(client: APIClient, run: Run) -> None:
    assert client.post("/api/v1/reports", {"run": run.pk}, format="json").status_code == 409
