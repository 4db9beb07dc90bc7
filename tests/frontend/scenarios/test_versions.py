"""Looking back, comparing, restoring; tags; longer runs; answers that are older than the scenario."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from planner import services
from planner.models import Queue, Run, Scenario, Server
from simulations.scenario.spec import parse

SESSIONS = "queues.0.settings.maximum_sessions"


@pytest.fixture
def changed(scenario: Scenario, owner: User, body: dict[str, Any]) -> Scenario:
    """The scenario with a second version: 100 sessions."""
    queue = {**body["queues"][0], "settings": {**body["queues"][0]["settings"], "maximum_sessions": 100}}
    return services.scenario_replace(scenario=scenario, author=owner, spec=parse({**body, "queues": [queue]}))


def test_two_versions_show_only_what_differs(person: Client, changed: Scenario) -> None:
    text = person.get(f"/scenarios/{changed.pk}/versions/?from=1&to=2").content.decode()
    differing = text.split("<tbody>")[1].split("</tbody>")[0]
    assert differing.count("<tr>") == 1
    assert "Maximum sessions" in differing
    assert "36 messages" in differing
    assert "100 messages" in differing


def test_an_unknown_version_is_not_found(person: Client, changed: Scenario) -> None:
    assert person.get(f"/scenarios/{changed.pk}/versions/?from=9").status_code == 404
    assert person.post(f"/scenarios/{changed.pk}/versions/9/restore/").status_code == 404


def test_an_old_version_opens_and_says_that_it_is_old(person: Client, changed: Scenario) -> None:
    text = person.get(f"/scenarios/{changed.pk}/?version=1").content.decode()
    assert f'name="{SESSIONS}" value="36"' in text
    assert "the newest is version 2" in text
    assert f'action="/scenarios/{changed.pk}/versions/1/restore/"' in text


def test_restoring_adds_a_version_and_offers_to_undo(person: Client, changed: Scenario) -> None:
    page = person.post(f"/scenarios/{changed.pk}/versions/1/restore/", follow=True).content.decode()
    changed.refresh_from_db()
    assert changed.version.number == 3
    assert changed.version.spec["queues"][0]["settings"]["maximum_sessions"] == 36
    assert f'action="/scenarios/{changed.pk}/versions/2/restore/"' in page


def test_saving_can_be_undone(person: Client, scenario: Scenario) -> None:
    page = person.post(f"/scenarios/{scenario.pk}/", {"action": "save", SESSIONS: "64"}, follow=True).content.decode()
    assert f'action="/scenarios/{scenario.pk}/versions/1/restore/"' in page


def test_tags_are_replaced(person: Client, scenario: Scenario) -> None:
    person.post(f"/scenarios/{scenario.pk}/tags/", {"tags": "prod, payments ,prod"})
    scenario.refresh_from_db()
    assert scenario.tags == ["payments", "prod"]
    refused = person.post(f"/scenarios/{scenario.pk}/tags/", {"tags": "x" * 41}, follow=True)
    assert "at most 40 characters" in refused.content.decode().replace("of at most", "at most")
    scenario.refresh_from_db()
    assert scenario.tags == ["payments", "prod"]


def test_servers_and_queues_are_stored_from_the_workbench(person: Client, scenario: Scenario, owner: User) -> None:
    person.post(f"/scenarios/{scenario.pk}/store/")
    server = Server.objects.get(owner=owner)
    assert server.name == scenario.version.spec["servers"][0]["name"]
    assert [queue.name for queue in Queue.objects.filter(server=server)] == ["orders"]


def test_an_answer_older_than_the_scenario_says_so_until_the_values_are_back(
    person: Client, finished: Run, owner: User, body: dict[str, Any]
) -> None:
    scenario = finished.version.scenario
    address = f"/runs/{finished.pk}/"
    assert 'id="stale"' not in person.get(address).content.decode()
    services.scenario_replace(scenario=scenario, author=owner, spec=parse({**body, "sweep": []}))
    assert 'id="stale"' in person.get(address).content.decode()
    assert "changed since" in person.get("/").content.decode()
    person.post(f"/scenarios/{scenario.pk}/versions/1/restore/")
    assert 'id="stale"' not in person.get(address).content.decode()


def test_a_run_goes_on_four_times_longer(person: Client, finished: Run) -> None:
    answer = person.post(f"/runs/{finished.pk}/longer/")
    again = Run.objects.exclude(pk=finished.pk).get()
    assert answer.headers["Location"] == f"/runs/{again.pk}/"
    assert again.spec["run"]["replications"]["max"] == 4 * finished.spec["run"]["replications"]["max"]
    assert again.version.number == finished.version.number + 1


def test_what_is_changed_from_an_older_run_keeps_newer_edits_and_can_be_undone(
    person: Client, finished: Run, changed: Scenario
) -> None:
    most = finished.spec["run"]["replications"]["max"]
    page = person.post(f"/runs/{finished.pk}/longer/", follow=True).content.decode()
    changed.refresh_from_db()
    assert changed.version.number == 3
    assert changed.version.spec["run"]["replications"]["max"] == 4 * most
    assert changed.version.spec["queues"][0]["settings"]["maximum_sessions"] == 100
    assert f'action="/scenarios/{changed.pk}/versions/2/restore/"' in page
    person.post(f"/runs/{finished.pk}/fix/", {"fix": '{"queues.orders.settings.maximum_sessions": 40}'})
    changed.refresh_from_db()
    assert changed.version.spec["queues"][0]["settings"]["maximum_sessions"] == 40
    assert changed.version.spec["run"]["replications"]["max"] == 4 * most


def test_a_cure_that_no_longer_fits_is_told(
    person: Client, finished: Run, owner: User, scenario: Scenario, body: dict[str, Any]
) -> None:
    renamed = {**body, "sweep": [], "objectives": [], "queues": [{**body["queues"][0], "name": "bills"}]}
    services.scenario_replace(scenario=scenario, author=owner, spec=parse(renamed))
    fix = {"fix": '{"queues.orders.settings.maximum_sessions": 40}'}
    page = person.post(f"/runs/{finished.pk}/fix/", fix, headers={"referer": f"/runs/{finished.pk}/"}, follow=True)
    assert page.status_code == 200
    assert "queues.orders" in page.content.decode().split('id="messages"')[1].split("</main>")[0]
    scenario.refresh_from_db()
    assert scenario.version.number == 2


def test_a_number_that_is_none_is_no_version(person: Client, scenario: Scenario) -> None:
    for text in ("²", "x", "1" * 20):
        assert person.get(f"/scenarios/{scenario.pk}/versions/", {"from": text}).status_code == 200
        assert person.get(f"/scenarios/{scenario.pk}/", {"version": text}).status_code == 200
        assert person.get(f"/scenarios/{scenario.pk}/explore/", {"version": text}).status_code == 200
