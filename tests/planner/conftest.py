"""People, scenarios and runs for the planner's tests. The broker is Celery's own in-memory transport."""

import copy
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import override_settings

from planner import services
from planner.celery import app
from planner.models import Run, Scenario, Webhook
from planner.services.rows import Issued
from planner.settings.environment import Environment
from simulations.analysis.estimates.summary import Estimate, Finding, PointSummary, Source
from simulations.scenario.spec import parse
from tests.planner.web.test_outbound import served
from tests.scenarios import listener_port

SURGE = listener_port(
    "Surge backlog",
    rate="81/s",
    settings={"queue_agent_time": "0ms"},
    run={"horizon": {"messages": 2000}, "replications": {"min": 2, "max": 4}},
    sweep=[{"path": "queues.orders.settings.maximum_sessions", "values": [18, 36]}],
)


@pytest.fixture(autouse=True)
def _memory_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app.conf, "broker_url", "memory://")


@pytest.fixture
def body() -> dict[str, Any]:
    """A scenario of two points that computes in milliseconds; a fresh copy for each test."""
    return copy.deepcopy(SURGE)


@pytest.fixture
def owner(db: None) -> User:
    """Somebody with scenarios."""
    return User.objects.create_user("ada")


@pytest.fixture
def stranger(db: None) -> User:
    """Somebody else."""
    return User.objects.create_user("eve")


@pytest.fixture
def scenario(owner: User, body: dict[str, Any]) -> Scenario:
    """A stored scenario with one version."""
    return services.scenario_store(owner=owner, spec=parse(body))


@pytest.fixture
def run(owner: User, scenario: Scenario) -> Run:
    """A queued run of it."""
    return services.run_start(version=scenario.version, owner=owner).run


def summary_of(index: int, value: float = 0.25) -> PointSummary:
    """A point's answer with a number that tests choose."""
    estimate = Estimate(value, value - 0.01, value + 0.01, "s")
    finding = Finding("websphere-zos.2xwt", "ok", "info", "Fine.", Source("MDB throttle settings", "formula"))
    return PointSummary(
        index=index,
        overrides={"queues.orders.settings.maximum_sessions": [18, 36][index]},
        status="ok",
        replications=2,
        events=4000,
        metrics={"latency.p95": estimate},
        queues={"orders": {"latency.p95": estimate}},
        derived={"worker_threads": 18.0},
        findings=(finding,),
        checks=({"name": "conservation", "passed": True, "residual": 0.0},),
        warmup={"segments": 0.0, "fraction": 0.0, "seconds": 0.0},
        timeline={"orders": {"time": [0.0, 1.0, 2.0], "backlog": [0.0, 3.0, None]}},
        servers={"payments": {"threads.busy": Estimate(12.0, 11.0, 13.0, "threads")}},
        threads={"payments": {"band_time": [0.5, 1.5], "busy": [12.0, None]}},
    )


class Listener:
    """A server that keeps what it got and answers with ``status``."""

    def __init__(self) -> None:
        self.status = 200
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.address = ""

    def __call__(self, request: BaseHTTPRequestHandler) -> None:
        content = request.rfile.read(int(request.headers["Content-Length"]))
        self.got.append((dict(request.headers), content))
        request.send_response(self.status)
        request.end_headers()


@pytest.fixture
def listener() -> Iterator[Listener]:
    """Something that listens on this machine, which the installation allows."""
    found = Listener()
    values = {**settings.ENVIRONMENT.model_dump(), "webhook_loopback": True}
    with (
        served(found) as (address, _),
        override_settings(ENVIRONMENT=Environment.model_validate(values)),
    ):
        found.address = f"{address}/hook"
        yield found


@pytest.fixture
def issued(owner: User, listener: Listener) -> Issued[Webhook]:
    """A webhook for everything."""
    return services.webhook_create(owner=owner, url=listener.address)
