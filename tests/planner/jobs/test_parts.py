"""Which part does not answer, and since when, also when it hangs and still takes connections."""

import signal
import socket
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from celery import Celery
from django.conf import settings
from django.test import Client, override_settings

from planner import services
from planner.celery import app
from planner.jobs import parts
from planner.jobs.parts import OK, database_state, parts_states, spark_state
from planner.models import Run, Scenario
from planner.runtime.processes import Child
from planner.runtime.services import broker_service, broker_url
from planner.runtime.supervisor import Watchdog
from planner.settings.environment import BASE_DIR, Environment
from simulations.pipeline.spark.server import ServerPlan
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Child]:
    """A real broker of one's own, which tasks are sent to."""
    with tempfile.TemporaryDirectory(prefix="sluice-redis-", ignore_cleanup_errors=True) as name:
        service = broker_service(Path(name) / "b.sock", Path(name) / "data")
        child, watchdog = Child(service, Path(name) / "broker.log", folder=BASE_DIR), Watchdog()
        watchdog.add(child.group)
        wait_until(service.ready, "the broker answers")
        own = Celery("own", broker=broker_url(Path(name) / "b.sock"))
        own.conf.broker_transport_options = app.conf.broker_transport_options
        for module in ("parts", "dispatch"):
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
    monkeypatch.setattr(parts, "broker_state", lambda: "TimeoutError")
    assert parts_states()["broker"] == "TimeoutError for 0 s"
    monkeypatch.setitem(parts._away_since, "broker", time.monotonic() - 90)
    assert parts_states()["broker"] == "TimeoutError for 90 s"
    monkeypatch.setattr(parts, "broker_state", lambda: OK)
    assert parts_states()["broker"] == OK
    assert "broker" not in parts._away_since


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
