"""People with scenarios and a finished run for the page tests; the run's numbers come from the real engine."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from planner import services
from planner.celery import app
from planner.jobs import execute, leases
from planner.models import Report, Run, Scenario
from planner.presets.files import presets
from simulations.pipeline.spark.executors import InlineExecutor
from simulations.scenario.spec import parse

PATH = "queues.orders.settings.maximum_sessions"


@pytest.fixture(autouse=True)
def _memory_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(app.conf, "CELERY_BROKER_URL", "memory://")
    # What renews a claim is another thread, which would wait 20 s for the transaction that a test holds all the time.
    monkeypatch.setattr(leases, "BEAT_SECONDS", 600)


@pytest.fixture
def body() -> dict[str, Any]:
    """The worked example, short enough to compute in a moment: unstable at 18 sessions, stable at 36."""
    spec = next(preset.spec for preset in presets() if preset.key == "surge-backlog")
    run = {"horizon": {"messages": 4000}, "replications": {"min": 2, "max": 4}, "precision": {"relative": "50%"}}
    return {**spec.body(), "run": run, "sweep": [{"path": PATH, "values": [18, 36]}]}


@pytest.fixture
def owner(db: None) -> User:
    """Somebody with scenarios."""
    return User.objects.create_user("ada", password="correct-horse-battery")


@pytest.fixture
def scenario(owner: User, body: dict[str, Any]) -> Scenario:
    """A stored scenario."""
    return services.scenario_store(owner=owner, spec=parse(body))


@pytest.fixture
def queued(scenario: Scenario, owner: User) -> Run:
    """A run that waits for a worker."""
    return services.run_start(version=scenario.version, owner=owner).run


@pytest.fixture
def finished(queued: Run) -> Run:
    """A run with its answer, computed in this process."""
    execute.run_compute(run_id=queued.pk, worker="test", executor_of=lambda run: InlineExecutor())
    queued.refresh_from_db()
    return queued


@pytest.fixture
def person(client: Client, owner: User) -> Client:
    """The owner's browser."""
    client.force_login(owner)
    return client


@pytest.fixture
def stranger(db: None) -> Client:
    """Somebody else's browser."""
    other = Client()
    other.force_login(User.objects.create_user("eve"))
    return other


@pytest.fixture
def report(person: Client, finished: Run) -> Report:
    """A report, made from the page."""
    person.post(f"/runs/{finished.pk}/report/", {"title": "Decision"})
    return Report.objects.get()
