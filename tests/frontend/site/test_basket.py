"""The basket of the comparison: put aside on Scenarios and Results, counted in the bar, opened by Compare."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from planner import services
from planner.models import Run, Scenario

ADDRESS = "/compare/basket/"


def counted(person: Client, address: str = "/reports/") -> str:
    """Return what the bar says of the basket."""
    found = re.search(r'<span id="basket-count">(?:\((\d+))?', person.get(address).content.decode())
    assert found
    return found[1] or ""


def test_what_is_put_aside_is_counted_on_every_page(person: Client, scenario: Scenario, finished: Run) -> None:
    assert counted(person) == ""
    person.post(ADDRESS, {"action": "add", "scenario": [scenario.pk]})
    person.post(ADDRESS, {"action": "add", "id": [f"{finished.pk}:1"]})
    person.post(ADDRESS, {"action": "add", "id": [f"{finished.pk}:1"]})
    assert counted(person) == "2"
    person.post(ADDRESS, {"action": "remove", "id": [scenario.pk]})
    assert counted(person, "/") == "1"
    person.post(ADDRESS, {"action": "empty"})
    assert counted(person) == ""


def test_compare_opens_what_was_put_aside(person: Client, scenario: Scenario, finished: Run) -> None:
    person.post(ADDRESS, {"action": "add", "id": [f"{finished.pk}:0"]})
    one = person.get("/compare/").content.decode()
    assert "To compare (1)" in one
    person.post(ADDRESS, {"action": "add", "id": [f"{finished.pk}:1"]})
    both = person.get("/compare/")
    assert both.headers["Location"] == f"/compare/?id={finished.pk}%3A0&id={finished.pk}%3A1"
    text = person.get(both.headers["Location"]).content.decode()
    assert "To compare (2)" in text
    assert f"{scenario.name}: Maximum sessions 36" in text


def test_the_button_of_an_answer_turns_into_its_opposite(person: Client, finished: Run) -> None:
    key = f"{finished.pk}:1"
    page = person.get(f"/runs/{finished.pk}/?point=1").content.decode()
    assert f'<input type="hidden" name="id" value="{key}">' in page
    text = person.post(ADDRESS, {"action": "add", "id": key}, headers={"HX-Request": "true"}).content.decode()
    assert 'value="remove"' in text
    assert 'hx-swap-oob="true">(1' in text
    assert "Remove from comparison" in person.get(f"/runs/{finished.pk}/?point=1").content.decode()
    text = person.post(ADDRESS, {"action": "remove", "id": key}, headers={"HX-Request": "true"}).content.decode()
    assert "Add to comparison" in text


def test_more_than_six_are_refused_with_a_remedy(person: Client, owner: User, scenario: Scenario) -> None:
    copies = [
        services.scenario_store(owner=owner, spec=services.scenario_copied(scenario=scenario)).pk for _ in range(7)
    ]
    person.post(ADDRESS, {"action": "add", "scenario": copies[:6]})
    refused = person.post(ADDRESS, {"action": "add", "scenario": copies[6:]}, follow=True).content.decode()
    assert "At most 6 answers can be compared; remove one first." in refused
    assert counted(person) == "6"


def test_what_is_gone_is_taken_out(person: Client, finished: Run) -> None:
    person.post(ADDRESS, {"action": "add", "id": [f"{finished.pk}:0", f"{finished.pk}:1"]})
    finished.points.get(index=1).delete()
    assert "To compare (1)" in person.get("/compare/").content.decode()


@pytest.mark.parametrize("form", [{"action": "add", "id": "run_unknown"}, {"action": "burn"}, {}])
def test_forged_requests_are_not_found(person: Client, form: dict[str, str]) -> None:
    assert person.post(ADDRESS, form).status_code == 404


def test_nobody_puts_aside_what_is_somebody_elses(stranger: Client, scenario: Scenario) -> None:
    assert stranger.post(ADDRESS, {"action": "add", "id": scenario.pk}).status_code == 404
    assert stranger.get(ADDRESS).status_code == 405
