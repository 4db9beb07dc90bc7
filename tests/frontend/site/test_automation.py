"""What the pages show as curl, Python and YAML does what it says."""

import ast
import json
import re
import shutil
import subprocess
import sys
from html import unescape

import pytest
import yaml
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from planner import services
from planner.models import Run, Scenario
from simulations.scenario.spec import parse

SPELLED = re.compile(r'<pre id="spelled-(\w+)"[^>]*><code>(.*?)</code>', re.DOTALL)


def spelled(client: Client, address: str) -> dict[str, str]:
    """The texts of a page by kind."""
    page = client.get(address, headers={"Host": "localhost"}).content.decode()
    return {kind: unescape(text) for kind, text in SPELLED.findall(page)}


def output(command: list[str], token: str) -> dict[str, object]:
    done = subprocess.run(command, env={"SLUICE_TOKEN": token}, capture_output=True, text=True, check=True)
    found: dict[str, object] = (
        ast.literal_eval(done.stdout) if command[0] == sys.executable else json.loads(done.stdout)
    )
    return found


@pytest.mark.django_db(transaction=True)
def test_python_and_curl_start_the_run_and_yaml_is_the_scenario(
    live_server: LiveServer, person: Client, owner: User, scenario: Scenario
) -> None:
    texts = spelled(person, f"/scenarios/{scenario.pk}/")
    token = services.token_create(owner=owner, name="t", scopes=["run"]).secret
    program = texts["python"].replace("http://localhost", live_server.url)
    run = output([sys.executable, "-c", program], token)
    assert (run["scenario"], run["status"]) == (scenario.pk, "queued")
    if shutil.which("curl"):
        call = texts["curl"].replace("http://localhost", live_server.url)
        assert output(["/bin/sh", "-c", call], token)["id"] == run["id"]
    assert parse(yaml.safe_load(texts["yaml"])) == parse(scenario.version.spec)


@pytest.mark.django_db(transaction=True)
def test_the_results_of_a_run_are_read(live_server: LiveServer, person: Client, finished: Run) -> None:
    texts = spelled(person, f"/runs/{finished.pk}/")
    token = services.token_create(owner=finished.owner, name="t", scopes=["read"]).secret
    found = output([sys.executable, "-c", texts["python"].replace("http://localhost", live_server.url)], token)
    assert len(found["points"]) == 2  # type: ignore[arg-type]


@pytest.mark.django_db(transaction=True)
def test_an_experiment_and_a_comparison_are_asked(live_server: LiveServer, person: Client, finished: Run) -> None:
    token = services.token_create(owner=finished.owner, name="t", scopes=["read", "run"]).secret
    for address, key in (
        (f"/scenarios/{finished.version.scenario_id}/explore/?tab=headroom", "question"),
        (f"/compare/?id={finished.pk}:0&id={finished.pk}:1&baseline=1", "baseline"),
    ):
        program = spelled(person, address)["python"].replace("http://localhost", live_server.url)
        assert key in output([sys.executable, "-c", program], token)


LISTS = ("/", "/?platform=weblogic&q=x", "/runs/", "/reports/", "/experiments/", "/inventory/", "/telemetry/")


@pytest.mark.parametrize("address", LISTS)
def test_every_list_is_spelled_as_an_address_that_answers(person: Client, scenario: Scenario, address: str) -> None:
    found = spelled(person, address)
    ast.parse(found["python"])
    url = re.search(r"http://localhost(/api/\S+?)'? \\", found["curl"])
    assert url, found["curl"]
    assert person.get(url[1]).status_code == 200
    if address == "/":
        assert parse(yaml.safe_load(found["yaml"])).queues
    if "platform" in address:
        assert url[1].endswith("?search=x&platform=weblogic")


def test_a_report_is_spelled_with_its_scenario(person: Client, finished: Run) -> None:
    report = services.report_create(run=finished, owner=finished.owner)
    found = spelled(person, f"/reports/{report.pk}/")
    assert f"/api/v1/reports/{report.pk}.json" in found["curl"]
    assert parse(yaml.safe_load(found["yaml"])).content_hash() == finished.content_hash
