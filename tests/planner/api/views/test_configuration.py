"""Scripts out: of a finished run, of a version, in every format that has words for the settings."""

import ast
from typing import Any

import jsonschema
import pytest
import yaml
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from planner import services
from planner.api.examples import DESCRIPTOR, EXPORT_EXAMPLES
from planner.configuration.exporting import script_bytes
from planner.configuration.importing import configuration_read
from planner.models import Export, Run, Scenario
from simulations.scenario.spec import parse
from tests.planner.api.conftest import TokenClient
from tests.planner.api.test_openapi import answer_schema

SESSIONS = "queues.orders.settings.maximum_sessions"
OF_FACTORY = "queues.orders.settings.session_pool_maximum"
OPENED: dict[str, Any] = {
    "servers.server.settings.work_managers": [{"name": "Orders-work", "fair_share": 50, "max_threads": 40}],
    "queues.Orders.settings.work_manager": "Orders-work",
}


def export(client: APIClient, thing: Run | Scenario, **body: Any) -> Any:
    part = "runs" if isinstance(thing, Run) else "scenarios"
    return client.post(f"/api/v1/{part}/{thing.pk}/exports", body, format="json")


@pytest.fixture
def imported(owner: User) -> Scenario:
    """A scenario made of a descriptor."""
    files = {"weblogic-ejb-jar.xml": DESCRIPTOR.encode()}
    return services.import_store(owner=owner, files=files, reading=configuration_read(files)).scenario


def test_a_point_of_a_run_becomes_a_script_with_its_undo_part(client: APIClient, finished: Run) -> None:
    answer = export(client, finished, format="wsadmin", point=0)
    made = answer.json()
    assert answer.status_code == 202, made
    jsonschema.validate(made, answer_schema("runs/{run_id}/exports", "post", "202"))
    assert made["changes"] == [{"path": SESSIONS, "before": 36, "after": 18}]
    (script,) = made["scripts"]
    assert "'maxSessions',), ('36',), '18')" in script["apply"]
    assert "'maxSessions',), ('18',), '36')" in script["undo"]
    for text in (script["apply"], script["undo"]):
        ast.parse(text)
        assert made["scenario_hash"] in text.splitlines()[0]
    assert (made["scenario_hash"], made["run"], made["status"]) == (finished.content_hash, finished.pk, "succeeded")
    assert client.get(answer["Location"]).json() == made


def test_a_descriptor_differs_in_the_recommended_elements_only(client: APIClient, imported: Scenario) -> None:
    """Job J6: a work manager with a constraint and a fair share, and the dispatch policy; all other bytes stay."""
    made = export(client, imported, format="xml", settings=OPENED).json()
    (script,) = made["scripts"]
    assert script["filename"] == "weblogic-ejb-jar.xml"
    assert script_bytes(script, "undo") == DESCRIPTOR.encode()
    manager = """
  <work-manager>
    <name>Orders-work</name>
    <fair-share-request-class>
      <name>Orders-work-share</name>
      <fair-share>50</fair-share>
    </fair-share-request-class>
    <max-threads-constraint>
      <name>Orders-work-max-threads-constraint</name>
      <count>40</count>
    </max-threads-constraint>
  </work-manager>"""
    expected = DESCRIPTOR.replace(
        'weblogic-ejb-jar">\n',
        f'weblogic-ejb-jar">\n<!-- Patched by Sluice for the scenario {made["scenario_hash"]} -->\n',
    )
    expected = expected.replace(
        "</message-driven-descriptor>",
        "</message-driven-descriptor>\n    <dispatch-policy>Orders-work</dispatch-policy>",
    ).replace("</weblogic-enterprise-bean>", f"</weblogic-enterprise-bean>{manager}")
    assert script["apply"] == expected
    wlst = export(client, imported, format="wlst", settings=OPENED).json()["scripts"][0]
    assert ", (None,), 40)" in wlst["apply"]
    assert wlst["left_out"] == ["queues.Orders.settings.work_manager"]
    model = yaml.safe_load(export(client, imported, format="wdt", settings=OPENED).json()["scripts"][0]["apply"])
    assert "Orders-work" in model["resources"]["SelfTuning"]["WorkManager"]


POOL = "servers.server.settings.thread_pool_maximum"


def test_files_say_what_they_cannot_take_and_what_writes_it_instead(client: APIClient, imported: Scenario) -> None:
    sentence = "no imported file is the place of this setting; wlst and wdt write it"
    made = export(client, imported, format="xml", settings={**OPENED, POOL: 50}).json()
    jsonschema.validate(made, answer_schema("scenarios/{scenario_id}/exports", "post", "202"))
    (script,) = made["scripts"]
    assert (script["left_out"], script["reasons"]) == ([POOL], {POOL: sentence})
    alone = export(client, imported, format="xml", settings={POOL: 50})
    assert alone.status_code == 422
    assert f"{POOL}: {sentence}" in alone.json()["errors"][0]["message"]


def test_a_later_version_is_written_against_the_one_that_is_installed(client: APIClient, scenario: Scenario) -> None:
    body = scenario.version.spec
    for sessions in (50, 100):
        body["queues"][0]["settings"]["maximum_sessions"] = sessions
        scenario = services.scenario_replace(scenario=scenario, author=scenario.owner, spec=parse(body))
    pairs = [
        export(client, scenario, format="wsadmin", **asked).json()["changes"][0]
        for asked in ({}, {"since": 2}, {"version": 2})
    ]
    assert [(pair["before"], pair["after"]) for pair in pairs] == [(36, 100), (50, 100), (36, 50)]


def test_only_what_is_chosen_is_written(client: APIClient, scenario: Scenario) -> None:
    settings = {SESSIONS: 50, "queues.orders.settings.maximum_retries": 3}
    made = export(client, scenario, format="wsadmin", settings=settings, only=[SESSIONS]).json()
    assert [change["path"] for change in made["changes"]] == [SESSIONS]
    assert "maxRetries" not in made["scripts"][0]["apply"]


@pytest.mark.parametrize(
    ("asked", "pointer", "message"),
    [
        ({"format": "wlst", "settings": {SESSIONS: 50}}, "/format", "formats have some: yaml, wsadmin"),
        ({"format": "cobol", "settings": {SESSIONS: 50}}, "/format", "formats have some: yaml, wsadmin"),
        ({"format": "wsadmin", "settings": {OF_FACTORY: 50}}, "/format", "an attribute of the connection factory"),
        ({"format": "yaml", "settings": {SESSIONS: -1}}, f"/settings/{SESSIONS}", "must be at least 1"),
        ({"format": "yaml", "settings": {"queues.orders.nothing": 1}}, "/settings/", "unknown"),
        ({"format": "yaml", "settings": {SESSIONS: 50}, "only": ["queues.x"]}, "/only", "does not differ"),
        ({"format": "xml", "settings": {SESSIONS: 50}}, "/format", "xml has no words"),
    ],
)
def test_what_cannot_be_written_is_pointed_at(
    client: APIClient, scenario: Scenario, asked: dict[str, Any], pointer: str, message: str
) -> None:
    answer = export(client, scenario, **asked)
    (wrong,) = answer.json()["errors"]
    assert answer.status_code == 422
    assert wrong["pointer"].startswith(pointer), wrong
    assert message in wrong["message"], wrong
    assert not Export.objects.exists()


def test_nothing_to_write_is_no_error(client: APIClient, scenario: Scenario) -> None:
    answer = export(client, scenario, format="wsadmin")
    assert answer.status_code == 202
    assert (answer.json()["changes"], answer.json()["scripts"]) == ([], [])


def test_a_run_that_goes_on_has_nothing_to_recommend(client: APIClient, run: Run, finished: Run) -> None:
    Run.objects.filter(pk=run.pk).update(status="failed")
    assert export(client, run, format="yaml").status_code == 409
    Run.objects.filter(pk=run.pk).update(status="succeeded")
    assert export(client, finished, format="yaml", point=7).status_code == 404
    assert export(client, finished, format="yaml", point=0, since=9).status_code == 404


def test_the_same_key_exports_once_and_the_examples_work(client: APIClient, scenario: Scenario) -> None:
    (example,) = EXPORT_EXAMPLES
    address = f"/api/v1/scenarios/{scenario.pk}/exports"
    first, again = (
        client.post(address, example.value, format="json", HTTP_IDEMPOTENCY_KEY="k1").json() for _ in range(2)
    )
    assert first == again
    assert Export.objects.count() == 1


def test_who_may_export_and_see_it(
    client: APIClient, other: APIClient, nobody: APIClient, owner: User, token_client: TokenClient, scenario: Scenario
) -> None:
    body = {"format": "yaml", "settings": {SESSIONS: 50}}
    address = export(client, scenario, **body)["Location"]
    assert [one.get(address).status_code for one in (client, other, nobody)] == [200, 404, 401]
    writer = token_client(owner, "read", "write", "run")
    assert [export(one, scenario, **body).status_code for one in (other, nobody, writer)] == [404, 401, 403]
