"""People, scenarios and runs for the planner's tests. The broker is Celery's own in-memory transport."""

import copy
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import override_settings
from django.utils import timezone

from planner import services
from planner.celery import app
from planner.models import Calibration, Export, Import, Run, Scenario, ServiceAccount, Webhook
from planner.services.rows import Issued
from planner.settings.environment import Environment
from simulations.analysis.estimates.summary import Estimate, Finding, PointSummary, Source
from simulations.scenario.spec import parse
from tests.planner.computing import compute
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
    monkeypatch.setitem(app.conf, "CELERY_BROKER_URL", "memory://")


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


@pytest.fixture
def things(run: Run, scenario: Scenario, owner: User, body: dict[str, Any]) -> dict[str, str]:
    """One thing of each kind by the name that addresses have for it: a team's where it can be, made by its admin."""
    team = services.team_create(actor=owner, name="Payments")
    compute(run)
    services.hand_over(row=scenario, actor=owner, team=team)
    report = services.report_create(run=run, owner=owner)
    shared = services.share_create(report=report, actor=owner, days=1)
    question = {"type": "headroom"}
    server = services.inventory_save(owner=owner, spec=scenario.version.parsed)[0]
    services.hand_over(row=server, actor=owner, team=team)
    baseline = services.baseline_pin(owner=owner, version=scenario.version, application="")
    account = ServiceAccount.objects.create(
        user=User.objects.create_user("service-ci"), name="ci", purpose="", created_by=owner
    )
    invited = services.member_invite(team=team, actor=owner, name="somebody", role="viewer")
    version = scenario.version
    webhook = Webhook.objects.create(owner=owner, team=team, url="https://example.org", events=[], nonce="n")
    made = {
        "scenario_id": scenario,
        "run_id": run,
        "experiment_id": services.experiment_prepare(version=version, owner=owner, question=question)().run,
        "report_id": report,
        "link_id": shared.row,
        "comment_id": services.comment_create(report=report, author=owner, section="results", text="Hm."),
        "server_id": server,
        "queue_id": server.queues.get(),
        "baseline_id": baseline,
        "view_id": services.view_create(owner=owner, name="Mine", query="search=x"),
        "calibration_id": Calibration.objects.create(owner=owner, name="log", location="log.csv"),
        "import_id": Import.objects.create(owner=owner, scenario=scenario, account=[]),
        "export_id": Export.objects.create(
            owner=owner, version=version, format="wsadmin", scenario_hash="h", changes=[], scripts=[]
        ),
        "webhook_id": webhook,
        "team_id": team,
        "service_id": account,
        "invitation_id": invited.row,
        "delivery_id": webhook.deliveries.create(event="webhook.test", target="t", due_at=timezone.now()),
        "token_id": services.token_create(owner=owner, name="mine", scopes=["read"]).row,
    }
    asking = services.member_invite(team=team, actor=owner, name=owner.username, role="admin")
    fixed = {
        "invitation_secret": asking.secret,
        "number": "1",
        "name": "backlog",
        "table": "summaries",
        "platform": "websphere-zos",
    }
    fixed |= {"preset": "surge-backlog", "page": "index", "resource": "runs", "provider_id": "away"}
    return {**{key: str(row.pk) for key, row in made.items()}, **fixed, "secret": shared.secret}


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
