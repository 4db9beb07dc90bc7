"""A platform family is one folder and two lines: the tiny family of the tests, through every door of the product."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from rest_framework.test import APIClient

from docs.generate import generated_pages
from planner import services
from planner.api.openapi import BodySchema
from planner.celery import app
from planner.jobs import execute
from simulations.declarations.problems import InvalidInput
from simulations.pipeline.spark.executors import InlineExecutor
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import parse, scenario_model
from tests.simulations.platforms.tiny import TINY

CONF = b"server.shop.threads=5\nserver.shop.colour=red\n"


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two lines: the import above and this entry."""
    monkeypatch.setitem(PLATFORMS, "tiny", TINY)
    monkeypatch.setitem(app.conf, "CELERY_BROKER_URL", "memory://")


@pytest.fixture
def owner(db: None) -> User:
    """Somebody."""
    return User.objects.create_user("ada")


@pytest.fixture
def client(owner: User) -> APIClient:
    """Somebody at the API."""
    client = APIClient()
    client.force_authenticate(owner)
    return client


def body(threads: int = 5) -> dict[str, Any]:
    return {
        "sluice": 1,
        "name": "Tiny",
        "platform": "tiny",
        "servers": [{"name": "shop", "cpus": 4, "settings": {"threads": threads}}],
        "queues": [
            {
                "name": "orders",
                "server": "shop",
                "arrivals": {"kind": "poisson", "rate": 20},
                "service": {"kind": "exponential", "mean": 0.1},
            }
        ],
        "run": {"horizon": {"messages": 4000}, "replications": {"min": 2, "max": 2}},
        "sweep": [{"path": "servers.shop.settings.threads", "values": [3, 5]}],
    }


def test_its_scenarios_are_read_and_misspelt_settings_are_named() -> None:
    assert parse(body()).network().pools[0].threads_per_servant == 5
    wrong = body()
    wrong["servers"][0]["settings"] = {"thread": 5}
    with pytest.raises(InvalidInput, match="did you mean 'threads'"):
        parse(wrong)


def test_the_api_knows_its_settings_rules_and_schema(client: APIClient) -> None:
    assert "tiny" in [item["name"] for item in client.get("/api/v1/platforms").json()["items"]]
    (setting,) = client.get("/api/v1/platforms/tiny/settings").json()["server"]
    assert (setting["name"], setting["native"], setting["maximum"]) == ("threads", "Threads", 100)
    schema = scenario_model("tiny").model_json_schema(schema_generator=BodySchema)["$defs"]
    threads = schema["ServerSettings"]["properties"]["threads"]
    assert (threads["x-unit"], threads["x-source"]) == ("threads", "Tiny manual: threads")
    derived = client.post("/api/v1/derive", body(threads=1), format="json").json()
    assert derived["values"][0]["value"] == 1
    assert derived["findings"][0]["fix"] == {"servers.shop.settings.threads": 2}


def test_its_files_come_in_and_its_scripts_go_out(client: APIClient) -> None:
    upload = {"files": [SimpleUploadedFile("tiny.conf", CONF)]}
    made = client.post("/api/v1/imports", upload, format="multipart").json()
    assert [(line["status"], line["line"]) for line in made["account"] if line["file"]] == [
        ("understood", 1),
        ("ignored", 2),
    ]
    address = f"/api/v1/scenarios/{made['scenario']['id']}/exports"
    asked = {"format": "tinyctl", "settings": {"servers.shop.settings.threads": 8}}
    script = client.post(address, asked, format="json").json()["scripts"][0]
    assert "shop threads 5 8\n" in script["apply"]
    assert "shop threads 8 5\n" in script["undo"]


def test_it_is_simulated_explained_and_shown_on_pages(owner: User) -> None:
    scenario = services.scenario_store(owner=owner, spec=parse(body()))
    run = services.run_start(version=scenario.version, owner=owner).run
    execute.run_compute(run_id=run.pk, worker="test", executor_of=lambda run: InlineExecutor())
    run.refresh_from_db()
    assert run.status == "succeeded", run.error
    browser = Client()
    browser.force_login(owner)
    results = browser.get(f"/runs/{run.pk}/").content.decode()
    assert "shop has 5 threads." in results
    workbench = browser.get(f"/scenarios/{scenario.pk}/").content.decode()
    assert 'name="servers.0.settings.threads"' in workbench
    assert "Tiny manual: threads" in workbench
    answer = browser.post(f"/scenarios/{scenario.pk}/answer/", {"part": "formula", "servers.0.settings.threads": "1"})
    assert "One thread is too few." in json.loads(answer.content)["html"]["findings"]
    export = browser.get(f"/runs/{run.pk}/export/", {"point": 0}).content.decode()
    assert "Scenario file" in export
    assert 'value="tinyctl"' in export


def test_its_documentation_is_generated() -> None:
    page = next(text for path, text in generated_pages().items() if "tiny" in str(path))
    assert "| At least two threads |" in page
    assert "Tiny manual" in page
