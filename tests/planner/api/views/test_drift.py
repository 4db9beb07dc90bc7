"""Drift at the API: files against a version, as described, and only for those who may read the scenario."""

from typing import Any

import jsonschema
import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from planner import services
from planner.api.examples import DESCRIPTOR
from planner.configuration.importing import configuration_read
from planner.models import Import, Scenario
from simulations.scenario.spec import parse
from tests.planner.api.conftest import TokenClient
from tests.planner.api.test_openapi import answer_schema


@pytest.fixture
def imported(owner: User) -> Scenario:
    """A scenario of two versions: as it was imported, and with 50 beans."""
    files = {"weblogic-ejb-jar.xml": DESCRIPTOR.encode()}
    scenario = services.import_store(owner=owner, files=files, reading=configuration_read(files)).scenario
    later = scenario.version.parsed.body()
    later["queues"][0]["settings"]["max_beans_in_free_pool"] = 50
    return services.scenario_replace(scenario=scenario, author=owner, spec=parse(later))


def compared(client: APIClient, scenario: Scenario, text: str = DESCRIPTOR, **fields: object) -> Any:
    files = [SimpleUploadedFile("live.xml", text.encode())]
    return client.post(f"/api/v1/scenarios/{scenario.pk}/drift", {"files": files, **fields}, format="multipart")


def test_every_setting_is_compared_as_described(client: APIClient, imported: Scenario) -> None:
    answer = compared(client, imported)
    found = answer.json()
    assert answer.status_code == 200, found
    jsonschema.validate(found, answer_schema("scenarios/{scenario_id}/drift", "post"))
    assert (found["version"], found["files"], found["counts"]["changed"]) == (2, ["live.xml"], 1)
    line = found["lines"][0]
    assert (line["status"], line["scenario"], line["file"], line["place"]) == ("changed", 50, 100, "live.xml:5")
    assert Import.objects.count() == 1


def test_another_version_may_be_meant(client: APIClient, imported: Scenario) -> None:
    assert compared(client, imported, version=1).json()["counts"]["changed"] == 0
    assert compared(client, imported, version=9).status_code == 404
    assert compared(client, imported, version="x").status_code == 422


def test_what_cannot_be_read_is_named(client: APIClient, imported: Scenario) -> None:
    answer = compared(client, imported, "<weblogic-ejb-jar>")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["path"] == "live.xml:1"


def test_who_may_compare(
    client: APIClient,
    other: APIClient,
    nobody: APIClient,
    owner: User,
    token_client: TokenClient,
    imported: Scenario,
) -> None:
    reader, writer = token_client(owner, "read"), token_client(owner, "write")
    answers = [compared(one, imported).status_code for one in (client, reader, writer, other, nobody)]
    assert answers == [200, 200, 403, 404, 401]
