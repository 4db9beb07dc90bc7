"""The export page: what differs, in which format, and files to download that are kept."""

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from planner import services
from planner.api.examples import DESCRIPTOR
from planner.configuration.importing import configuration_read
from planner.models import Export, Run, Scenario
from simulations.scenario.spec import parse
from tests.frontend.conftest import PATH
from tests.simulations.platforms.samples import scenario_body

OPENED: dict[str, Any] = {"work_managers": [{"name": "Orders-work", "fair_share": 50, "max_threads": 40}]}


@pytest.fixture
def opened(owner: User) -> Scenario:
    """An imported scenario whose second version lets 40 beans run."""
    files = {"weblogic-ejb-jar.xml": DESCRIPTOR.encode()}
    scenario = services.import_store(owner=owner, files=files, reading=configuration_read(files)).scenario
    body = json.loads(json.dumps(scenario.version.spec))
    body["servers"][0]["settings"] |= OPENED
    body["queues"][0]["settings"]["work_manager"] = "Orders-work"
    return services.scenario_replace(scenario=scenario, author=owner, spec=parse(body))


def test_a_finished_run_has_an_export_menu(person: Client, finished: Run, queued: Run) -> None:
    text = person.get(f"/runs/{finished.pk}/").content.decode()
    assert f'href="/runs/{finished.pk}/export/?point=' in text
    assert f'href="/api/v1/runs/{finished.pk}/results.csv"' in text


def test_the_page_shows_what_differs_and_both_parts(person: Client, finished: Run) -> None:
    text = person.get(f"/runs/{finished.pk}/export/", {"point": 0}).content.decode()
    assert "Maximum sessions" in text
    assert "&#x27;maxSessions&#x27;,), (&#x27;36&#x27;,), &#x27;18&#x27;)" in text
    assert "&#x27;maxSessions&#x27;,), (&#x27;18&#x27;,), &#x27;36&#x27;)" in text
    assert "wsadmin script" in text
    same = person.get(f"/runs/{finished.pk}/export/").content.decode()
    assert "There is nothing to write: version" in same
    assert "Choose the value that you want above." in same
    assert '<button class="button" name="since" value="0">' in same
    whole = person.get(f"/runs/{finished.pk}/export/", {"since": ["1", "0"]}).content.decode()
    assert '<option value="0" selected>' in whole
    assert "There is nothing to write" not in whole
    assert "&#x27;maxSessions&#x27;" in whole


def test_each_setting_stands_once_with_its_owner_and_what_differs_of_a_list_by_name(
    person: Client, owner: User
) -> None:
    managers = [{"name": "http", "fair_share": 80}, {"name": "mdb", "fair_share": 20}]
    body = scenario_body("weblogic", server={"work_managers": managers})
    body["queues"].append({**body["queues"][0], "name": "bills"})
    scenario = services.scenario_store(owner=owner, spec=parse(body))
    body["servers"][0]["settings"]["work_managers"] = [managers[0], {"name": "mdb", "fair_share": 320}]
    body["queues"][1]["settings"] = {"max_beans_in_free_pool": 5}
    services.scenario_replace(scenario=scenario, author=owner, spec=parse(body))
    text = person.get(f"/scenarios/{scenario.pk}/export/").content.decode()
    rows = [re.findall(r">([^<>]+)</(?:label|td)>", row) for row in text.split("</table>")[0].split("<tr>")[2:]]
    assert rows == [
        ["Work managers", "payments", "Fair share (mdb, payments) 20", "Fair share (mdb, payments) 320"],
        ["Max beans in free pool", "bills", "1,000 beans", "5 beans"],
    ]


def test_a_download_is_a_file_that_is_kept(person: Client, finished: Run) -> None:
    asked = {"point": 0, "format": "wsadmin", "chosen": 1, "only": PATH}
    apply, undo = (
        person.post(f"/runs/{finished.pk}/export/", {**asked, "part": part}) for part in ("apply:0", "undo:0")
    )
    assert apply.headers["Content-Disposition"] == 'attachment; filename="apply.py"'
    assert undo.headers["Content-Disposition"] == 'attachment; filename="undo-apply.py"'
    kept = Export.objects.filter(run=finished).first()
    assert kept is not None
    assert apply.content.decode() == kept.scripts[0]["apply"]
    assert finished.content_hash in undo.content.decode()


def test_a_descriptor_comes_back_patched_and_as_it_was(person: Client, opened: Scenario) -> None:
    """Job J6 on the page: the patched descriptor, and the WLST script beside it."""
    address = f"/scenarios/{opened.pk}/export/"
    text = person.get(address, {"format": "xml"}).content.decode()
    assert "Patched file" in text
    assert "WLST script" in text
    assert "No run backs these settings" in text
    asked = {"format": "xml", "version": 2, "since": 1}
    assert person.post(address, {**asked, "part": "undo:0"}).content == DESCRIPTOR.encode()
    patched = person.post(address, {**asked, "part": "apply:0"}).content.decode()
    assert "<dispatch-policy>Orders-work</dispatch-policy>" in patched


def test_the_page_says_what_the_files_do_not_get(person: Client, opened: Scenario, owner: User) -> None:
    body = json.loads(json.dumps(opened.version.spec))
    body["servers"][0]["settings"]["thread_pool_maximum"] = 50
    later = services.scenario_replace(scenario=opened, author=owner, spec=parse(body))
    sentence = "no imported file is the place of this setting; wlst and wdt write it"
    text = person.get(f"/scenarios/{later.pk}/export/", {"format": "xml"}).content.decode()
    assert "Not in this file:" in text
    assert sentence in text
    chosen = {"chosen": "1", "only": "servers.server.settings.thread_pool_maximum"}
    alone = person.get(f"/scenarios/{later.pk}/export/", chosen).content.decode()
    assert "Patched file: none of this can be written" in alone
    assert sentence in alone


def test_ticks_choose_what_is_written(person: Client, opened: Scenario) -> None:
    address = f"/scenarios/{opened.pk}/export/"
    chosen = {"chosen": "1", "only": "queues.Orders.settings.work_manager", "format": "xml"}
    text = person.get(address, chosen).content.decode()
    assert "&lt;dispatch-policy&gt;" in text
    assert "&lt;work-manager&gt;" not in text
    nothing = person.get(address, {"chosen": "1"}).content.decode()
    assert 'data-part="apply"' not in nothing


@pytest.mark.parametrize("change", [{"part": "apply:9"}, {"part": "other:0"}, {"format": "cobol"}, {"since": 2}])
def test_what_cannot_be_handed_out_is_not_found(person: Client, opened: Scenario, change: dict[str, Any]) -> None:
    asked = {"format": "xml", "part": "apply:0", **change}
    assert person.post(f"/scenarios/{opened.pk}/export/", asked).status_code == 404
    assert not Export.objects.exists()
    assert person.get(f"/scenarios/{opened.pk}/export/", {"since": 9}).status_code == 404


def test_a_run_that_goes_on_cannot_be_exported(person: Client, queued: Run) -> None:
    answer = person.get(f"/runs/{queued.pk}/export/", follow=True)
    assert "only settings of runs that succeeded" in answer.content.decode().lower()


def test_who_may_export(person: Client, stranger: Client, finished: Run, opened: Scenario) -> None:
    for address in (f"/runs/{finished.pk}/export/", f"/scenarios/{opened.pk}/export/"):
        assert [one.get(address).status_code for one in (person, stranger)] == [200, 404]
        assert stranger.post(address).status_code == 404
        assert Client().get(address).headers["Location"].startswith("/login/")
        assert person.put(address).status_code == 405
