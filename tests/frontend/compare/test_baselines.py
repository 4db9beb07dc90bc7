"""Pin as baseline: the live panel then says what the values on the left change, and Compare begins with it."""

from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from planner import selectors, services
from planner.models import Baseline, Run, Scenario
from simulations.scenario.spec import parse


def pinned(person: Client, scenario: Scenario, version: int = 1) -> Baseline:
    answer = person.post(f"/scenarios/{scenario.pk}/baseline/", {"version": str(version)})
    assert answer.headers["Location"] == f"/scenarios/{scenario.pk}/?version={version}"
    return Baseline.objects.get(unpinned_at=None)


def test_the_live_panel_says_what_changed_and_how_sure_that_is(
    person: Client, scenario: Scenario, body: dict[str, Any]
) -> None:
    address = f"/scenarios/{scenario.pk}/answer/"
    form = {"version": "1", "part": "simulated"}
    assert "baseline" not in person.post(address, form).json()["html"]["versus"]
    pinned(person, scenario)
    same = person.post(address, form).json()["html"]["versus"]
    assert ">v1</a> (baseline)" in same
    assert same.count(">0</b>") >= 3, same
    slower = {**form, "queues.0.service.mean": "210ms"}
    changed = person.post(address, slower).json()["html"]["versus"]
    assert "p95 latency" in changed.lower()
    assert "±" in changed
    assert "worse" in changed
    assert "versus" not in person.post(address, {**slower, "part": "glance"}).json()["html"]


def test_what_cannot_be_paired_at_once_says_so(person: Client, owner: User, scenario: Scenario) -> None:
    pinned(person, scenario)
    body = dict(scenario.version.spec)
    service = {**body["queues"][0], "arrivals": {"kind": "surge", "count": 500}}
    run = {**body["run"], "horizon": {"until": "drained"}}
    services.scenario_replace(scenario=scenario, author=owner, spec=parse({**body, "queues": [service], "run": run}))
    form = {"version": "2", "part": "simulated"}
    assert "no live comparison" in person.post(f"/scenarios/{scenario.pk}/answer/", form).json()["html"]["versus"]


def test_the_button_pins_and_unpins(person: Client, scenario: Scenario) -> None:
    address = f"/scenarios/{scenario.pk}/"
    assert "Pin as baseline" in person.get(address).content.decode()
    baseline = pinned(person, scenario)
    text = person.get(address).content.decode()
    assert f'action="/baselines/{baseline.pk}/unpin/"' in text
    person.post(f"/baselines/{baseline.pk}/unpin/")
    assert selectors.baseline_of(user=scenario.owner, scenario=scenario) is None


def test_compare_begins_with_the_baseline(person: Client, owner: User, scenario: Scenario, finished: Run) -> None:
    cure = {"queues.orders.settings.maximum_sessions": 40}
    assert person.post(f"/runs/{finished.pk}/fix/", {"fix": str(cure).replace("'", '"')}).status_code == 302
    pinned(person, scenario)
    newest, first = f"{scenario.pk}:2", f"{scenario.pk}:1"
    found = person.get("/compare/", {"id": [newest, first]}).context["found"]
    assert (found.baseline, found.subjects[1].version.number) == (1, 1)
    assert person.get("/compare/", {"id": [newest, first], "baseline": "0"}).context["found"].baseline == 0
    alone = person.get("/compare/", {"id": newest}).context["found"]
    assert [subject.version.number for subject in alone.subjects] == [1, 2]


def test_strangers_pin_nothing(stranger: Client, person: Client, scenario: Scenario) -> None:
    baseline = pinned(person, scenario)
    assert stranger.post(f"/scenarios/{scenario.pk}/baseline/").status_code == 404
    assert stranger.post(f"/baselines/{baseline.pk}/unpin/").status_code == 404
    assert person.get(f"/baselines/{baseline.pk}/unpin/").status_code == 405
