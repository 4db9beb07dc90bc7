"""A client that openapi-python-client makes of the OpenAPI document does a day's work, with no line written by hand.

Create, run, wait, compare, find the best, report, write the script, hear of it by webhook. Runs are computed in this
process with the real engine; everything else is a request of the client.
"""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
from django.contrib.auth.models import User
from django.core.wsgi import get_wsgi_application

from planner import services
from planner.api.openapi import openapi_document
from planner.jobs.deliveries import delivery_attempt, signature
from planner.models import Delivery, Run
from tests.planner.computing import compute
from tests.planner.conftest import Listener

CONFIG = Path(__file__).with_name("client.yaml")
LIMIT = "queues.orders.settings.maximum_sessions"


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The package that the generator writes; it leaves nothing out."""
    folder = tmp_path_factory.mktemp("generated")
    document, package = folder / "openapi.json", folder / "sluice_client"
    document.write_text(json.dumps(openapi_document()))
    asked = ["generate", "--path", document, "--output-path", package, "--meta", "none", "--config", CONFIG]
    made = subprocess.run(
        [sys.executable, "-m", "openapi_python_client", *map(str, asked)], capture_output=True, text=True, check=False
    )
    said = [line for line in (made.stdout + made.stderr).splitlines() if "ruff" not in line]
    assert made.returncode == 0, made.stderr
    assert not [line for line in said if "WARNING" in line or "Unable" in line], "\n".join(said)
    sys.path.insert(0, str(folder))
    try:
        return import_module("sluice_client")
    finally:
        sys.path.remove(str(folder))


class Day:
    """What the test calls of the package, by the names that the document gives."""

    def __init__(self, package: ModuleType, secret: str) -> None:
        transport = {"transport": httpx.WSGITransport(get_wsgi_application())}
        self.client = package.AuthenticatedClient("http://localhost", token=secret, httpx_args=transport)
        self.models: Any = import_module("sluice_client.models")

    def call(self, tag: str, operation: str, *address: str, **sent: Any) -> Any:
        module: Any = import_module(f"sluice_client.api.{tag}.{operation}")
        answer = module.sync(*address, client=self.client, **sent)
        assert answer is not None
        assert type(answer).__name__ != "ProblemOut", answer
        return answer


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_generated_client_does_a_days_work(
    generated: ModuleType, owner: User, body: dict[str, Any], listener: Listener
) -> None:
    scopes = ["read", "write", "run", "export", "admin"]
    day = Day(generated, services.token_create(owner=owner, name="day", scopes=scopes).secret)
    models = day.models
    hook = day.call("webhooks", "webhook_create", body=models.WebhookIn(url=listener.address))

    scenario = day.call("scenarios", "scenario_create", body=models.WebsphereZosScenario.from_dict(body))
    run = day.call("scenarios", "run_start", scenario.id, body=models.RunIn(seed=7))
    assert run.status == models.RunStatus.QUEUED
    compute(Run.objects.get(pk=run.id))
    run = day.call("runs", "run", run.id, wait="5s")
    assert (run.status, run.points_answered) == (models.RunStatus.SUCCEEDED, 2)
    results = day.call("runs", "run_results", run.id)
    assert {point.point.overrides[LIMIT] for point in results.points} == {18, 36}

    subjects = [f"{run.id}:0", f"{run.id}:1"]
    compared = day.call("comparisons", "comparison_create", body=models.ComparisonIn(subjects=subjects))
    assert compared.complete
    assert [item.path for item in compared.differing] == [LIMIT]

    knobs = models.ExperimentInKnobsType0.from_dict({LIMIT: [18, 36]})
    asked = models.ExperimentIn(scenario=scenario.id, type_=models.ExperimentInType.OPTIMIZE, knobs=knobs)
    search = day.call("experiments", "experiment_start", body=asked)
    compute(Run.objects.get(pk=search.id))
    best = day.call("experiments", "experiment_recommendation", search.id)
    assert best.final
    assert best.recommended.overrides[LIMIT] in (18, 36)

    report = day.call("reports", "report_create", body=models.ReportIn(run=run.id, title="Monday"))
    assert "Monday" in day.call("reports", "report_html", report.id)
    wanted = models.RunExportIn(format_="wsadmin", point=0)
    export = day.call("runs", "run_export", run.id, body=wanted)
    assert export.scripts[0].apply != export.scripts[0].undo

    deliveries = day.call("webhooks", "webhook_deliveries", hook.webhook.id).items
    assert {item.event for item in deliveries} == {"run.succeeded", "experiment.succeeded"}
    for item in deliveries:
        assert delivery_attempt(delivery_id=item.id)
    headers, content = listener.got[0]
    at = int(headers["Sluice-Signature"].partition(",")[0].removeprefix("t="))
    assert headers["Sluice-Signature"] == signature(hook.secret, content.decode(), at)

    again = day.call("webhooks", "webhook_redeliver", hook.webhook.id, deliveries[0].id)
    assert (again.id, again.attempts) == (deliveries[0].id, 0)
    tested = day.call("webhooks", "webhook_test", hook.webhook.id)
    assert delivery_attempt(delivery_id=again.id)
    assert delivery_attempt(delivery_id=tested.id)
    assert [json.loads(sent)["event"] for _, sent in listener.got[2:]] == [deliveries[0].event, "webhook.test"]
    assert not Delivery.objects.exclude(status="delivered").exists()
