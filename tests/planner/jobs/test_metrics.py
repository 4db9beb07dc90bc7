"""What operators scrape, computed from the database: states, durations, workers and failures."""

import signal
import socket
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from celery import Celery
from django.conf import settings
from django.core.cache import caches
from django.test import Client, override_settings
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from planner import services
from planner.celery import app
from planner.jobs import metrics
from planner.jobs.leases import job_touch
from planner.jobs.metrics import OK, database_state, metrics_text, parts_states, spark_state
from planner.models import Run, RunStatus, Scenario
from planner.runtime.processes import Child
from planner.runtime.services import broker_service, broker_url
from planner.runtime.supervisor import Watchdog
from planner.settings.environment import BASE_DIR, Environment
from planner.web.counters import answer_counted
from simulations import ENGINE_VERSION
from simulations.pipeline.spark.server import ServerPlan
from tests.claims import taken
from tests.waiting import wait_until


def samples() -> dict[str, float]:
    """Return the scraped numbers by name and labels."""
    families = text_string_to_metric_families(metrics_text().decode())
    return {
        " ".join([item.name, *(f"{name}={value}" for name, value in sorted(item.labels.items()))]): item.value
        for family in families
        for item in family.samples
    }


@pytest.mark.django_db
def test_without_jobs_every_state_is_there_with_zero() -> None:
    found = samples()
    assert found[f"sluice_build_info engine={ENGINE_VERSION}"] == 1
    states = [name for name in found if name.startswith("sluice_jobs ")]
    assert len(states) == 6 * len(RunStatus)
    assert {found[name] for name in states} == {0}
    assert (found["sluice_heartbeat_age_seconds"], found["sluice_oldest_queued_run_seconds"]) == (0, 0)
    assert not [name for name in found if name.startswith("sluice_failed_jobs")]


def test_a_worker_is_seen_by_its_oldest_heartbeat_its_attempts_and_its_session(run: Run) -> None:
    job_touch(taken(run), spark_session="s-1")
    Run.objects.update(attempt=3, heartbeat_at=timezone.now() - timedelta(hours=1))
    found = samples()
    assert 3600 <= found["sluice_heartbeat_age_seconds"] < 7200
    assert (found["sluice_job_attempts"], found["sluice_spark_sessions"]) == (3, 1)
    assert found["sluice_jobs kind=run status=running"] == 1


def test_durations_are_cumulative_histograms_of_what_succeeded(run: Run) -> None:
    began = timezone.now()
    Run.objects.update(created_at=began - timedelta(seconds=20), started_at=began)
    assert samples()["sluice_run_duration_seconds_count"] == 0
    ended = began + timedelta(seconds=4)
    Run.objects.update(status=RunStatus.SUCCEEDED, result_hash="0" * 64, finished_at=ended)
    found = samples()
    waits = [found[f"sluice_run_queue_wait_seconds_bucket le={end}"] for end in ("10.0", "30.0", "+Inf")]
    assert (waits, found["sluice_run_queue_wait_seconds_sum"]) == ([0, 1, 1], 20)
    assert (found["sluice_run_duration_seconds_bucket le=5.0"], found["sluice_run_duration_seconds_sum"]) == (1, 4)


def test_failures_are_counted_by_code_and_answers_by_area(run: Run) -> None:
    Run.objects.update(status=RunStatus.FAILED, error={"code": "internal", "message": "broken"})
    caches["default"].clear()
    for _ in range(2):
        answer_counted("/api/v1/runs", 200)
    found = samples()
    caches["default"].clear()
    assert found["sluice_failed_jobs code=internal"] == 1
    assert found["sluice_requests_total area=api status=200"] == 2


pytestmark = pytest.mark.django_db


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Child]:
    """A real broker of one's own, which tasks are sent to."""
    with tempfile.TemporaryDirectory(prefix="sluice-redis-", ignore_cleanup_errors=True) as name:
        service = broker_service(Path(name) / "b.sock", Path(name) / "data")
        child, watchdog = Child(service, Path(name) / "broker.log", folder=BASE_DIR), Watchdog()
        watchdog.add(child.process.pid)
        wait_until(service.ready, "the broker answers")
        own = Celery("own", broker=broker_url(Path(name) / "b.sock"))
        own.conf.broker_transport_options = app.conf.broker_transport_options
        for module in ("metrics", "dispatch"):
            monkeypatch.setattr(f"planner.jobs.{module}.app", own)
        yield child
        child.process.send_signal(signal.SIGCONT)
        child.stop(hurried=lambda: False)
        watchdog.close()


@pytest.mark.redis
@pytest.mark.faults
def test_a_broker_that_hangs_is_named_and_runs_start_nevertheless(
    broker: Child, scenario: Scenario, django_capture_on_commit_callbacks: object, client: Client
) -> None:
    ready = "/api/v1/health/ready"
    assert client.get(ready).json()["parts"]["broker"] == OK
    broker.process.send_signal(signal.SIGSTOP)
    answer = client.get(ready)
    assert (answer.status_code, answer.json()["status"]) == (503, "unavailable")
    assert answer.json()["parts"]["broker"] == "OperationalError for 0 s"
    assert answer.json()["parts"]["database"] == OK
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        run = services.run_start(version=scenario.version, owner=scenario.owner).run
    assert Run.objects.get(pk=run.pk).sent_at is None
    broker.process.send_signal(signal.SIGCONT)
    assert client.get(ready).status_code == 200


def test_how_long_a_part_is_away_is_counted_until_it_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "broker_state", lambda: "TimeoutError")
    assert parts_states()["broker"] == "TimeoutError for 0 s"
    monkeypatch.setitem(metrics._away_since, "broker", time.monotonic() - 90)
    assert parts_states()["broker"] == "TimeoutError for 90 s"
    monkeypatch.setattr(metrics, "broker_state", lambda: OK)
    assert parts_states()["broker"] == OK
    assert "broker" not in metrics._away_since


def test_a_database_that_answers_is_ok() -> None:
    assert database_state() == OK


def test_a_spark_server_that_takes_connections_and_hangs_does_not_answer() -> None:
    values = settings.ENVIRONMENT.model_dump()
    assert spark_state() == "not started"
    with socket.create_server(("127.0.0.1", 0)) as hung:
        remote = f"sc://127.0.0.1:{hung.getsockname()[1]}"
        with override_settings(ENVIRONMENT=Environment.model_validate({**values, "spark_remote": remote})):
            assert spark_state() == "no answer"


@pytest.mark.spark
def test_a_spark_server_that_works_answers(spark_server: ServerPlan) -> None:
    values = settings.ENVIRONMENT.model_dump()
    with override_settings(ENVIRONMENT=Environment.model_validate({**values, "spark_remote": spark_server.remote})):
        assert spark_state() == OK
