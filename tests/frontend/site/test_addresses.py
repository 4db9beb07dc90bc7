"""What an address says is what the page shows; what it says wrongly is told in a sentence, never a fault."""

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from planner import services
from planner.models import Run, Scenario
from simulations.scenario.spec import parse
from tests.frontend.conftest import PATH

SESSIONS = "queues.0.settings.maximum_sessions"


def said(person: Client, address: str, *, status: int = 200) -> str:
    """Return the messages of the page at an address."""
    answer = person.get(address)
    assert answer.status_code == status
    place = answer.content.decode().split('id="messages"')[1]
    return unescape(" ".join(re.findall(r"<span>([^<]*)</span>", place.split("<h1")[0])))


def test_settings_in_the_address_are_in_the_form_and_nothing_is_saved(person: Client, scenario: Scenario) -> None:
    knobs = {SESSIONS: "77", "queues.0.arrivals.kind": "surge", "queues.0.arrivals.count": "50", "name": "Another"}
    text = person.get(f"/scenarios/{scenario.pk}/", knobs).content.decode()
    assert f'name="{SESSIONS}" value="77"' in text
    assert 'name="queues.0.arrivals.count" value="50"' in text
    assert '<option value="surge" selected>' in text
    assert 'name="name" value="Another"' in text
    saved = text.split('id="saved-values">')[1].split("</script>")[0]
    assert f'"{SESSIONS}":"36"' in saved
    assert 'id="saved-values"' not in person.get(f"/scenarios/{scenario.pk}/").content.decode()
    scenario.refresh_from_db()
    assert scenario.version.number == 1


def test_the_settings_are_those_of_the_version_in_the_address(person: Client, scenario: Scenario, owner: User) -> None:
    body = {**scenario.version.spec, "name": "Second"}
    services.scenario_replace(scenario=scenario, author=owner, spec=parse(body))
    text = person.get(f"/scenarios/{scenario.pk}/", {"version": "1", SESSIONS: "77"}).content.decode()
    assert 'name="version" value="1"' in text
    assert 'name="name" value="Surge backlog' in text
    assert f'name="{SESSIONS}" value="77"' in text


def test_values_that_cannot_be_used_are_told_beside_their_fields(person: Client, scenario: Scenario) -> None:
    address = f"/scenarios/{scenario.pk}/?{SESSIONS}=-3&servers.0.cpus=many"
    assert "A value in the address cannot be used; see the reason below." in said(person, address, status=422)
    text = person.get(address).content.decode()
    for name in (SESSIONS, "servers.0.cpus"):
        line = text.split(f'id="p-{name}"')[1].split("</p>")[0]
        assert "hidden" not in line.split(">")[0], name


def test_settings_that_are_not_there_are_named_and_left_out(person: Client, scenario: Scenario, owner: User) -> None:
    (server,) = services.inventory_save(owner=owner, spec=parse(scenario.version.spec))
    address = f"/scenarios/{scenario.pk}/?queues.7.settings.x=1&take.servers.0={server.pk}&{SESSIONS}=50"
    told = said(person, address)
    assert "left out: queues.7.settings.x, take.servers.0." in told
    assert f'name="{SESSIONS}" value="50"' in person.get(address).content.decode()


WRONG = (
    "queues.0.arrivals.kind=nothing",
    "queues.0.service.kind=x",
    "run.horizon.kind=x",
    "run.horizon.kind=time",
    "sweep.path=no.such",
    "sweep.path=&sweep.values=1,2",
    "sweep.values=%5B",
    "objectives.0.value=soon",
    "run.seed=x",
    "name=",
    "queues.0.arrivals=3",
    "queues..x=1",
    ".=1",
    "run.precision.relative=none",
    "servers.0.name=",
    "queues.0.message_size=much",
    "run.replications.min=1e400",
    "queues.0.settings.maximum_sessions=NaN",
)


@pytest.mark.parametrize("query", WRONG)
def test_no_address_of_the_workbench_is_a_fault(person: Client, scenario: Scenario, query: str) -> None:
    assert person.get(f"/scenarios/{scenario.pk}/?{query}").status_code in (200, 422)


def test_points_queues_and_percentiles_that_are_not_there_are_told(person: Client, finished: Run) -> None:
    told = said(person, f"/runs/{finished.pk}/?point=99&queue=bills&p=p12&p=p95")
    assert "not there: queue bills." in told
    assert "not there: percentile p12." in told
    assert "not there: point 99." in told
    assert said(person, f"/runs/{finished.pk}/?point=0&queue=orders&p=p50") == ""


def test_choosing_a_point_keeps_the_percentiles(person: Client, finished: Run) -> None:
    text = person.get(f"/runs/{finished.pk}/?p=p90&log=curve").content.decode()
    assert 'href="?p=p90&amp;log=curve&amp;point=0#point"' in text
    live = person.get(f"/runs/{finished.pk}/live/?p=p90").json()
    assert 'href="?p=p90&amp;point=0#point"' in live["html"]["points"]


def test_a_tab_that_is_not_there_is_told(person: Client, scenario: Scenario) -> None:
    assert "not there: tab nothing." in said(person, f"/scenarios/{scenario.pk}/explore/?tab=nothing")


def test_tabs_keep_what_was_chosen_on_them(person: Client, scenario: Scenario) -> None:
    text = person.get(f"/scenarios/{scenario.pk}/explore/?tab=map&point=2").content.decode()
    assert f'href="/scenarios/{scenario.pk}/explore/?tab=front&amp;point=2&amp;version=1"' in text


def test_a_baseline_and_a_queue_that_are_not_there_are_told(person: Client, finished: Run) -> None:
    both = f"/compare/?id={finished.pk}:0&id={finished.pk}:1"
    told = said(person, f"{both}&baseline=7&queue=bills")
    assert "not there: a baseline at place 7." in told
    assert "not there: queue bills." in told
    assert PATH in person.get(both).content.decode()
