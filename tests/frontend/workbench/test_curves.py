"""The curve's address: whose it is, what it refuses, and how often it answers."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from planner.models import Scenario
from tests.asking import asks_meanwhile

KNOB = "queues.0.settings.maximum_sessions"


def asked(person: Client, scenario: Scenario, **form: Any) -> Any:
    return person.post(f"/scenarios/{scenario.pk}/curve/", {"version": 1, "knob": KNOB, **form})


def test_a_slider_has_its_curve(person: Client, scenario: Scenario) -> None:
    answer = asked(person, scenario, **{KNOB: "40"}).json()
    assert answer["metric"] == "p95 latency"
    assert answer["bound"] == 0.8
    values = [point[0] for point in answer["points"]]
    assert values[0] == 1
    assert values[-1] == 200
    assert all(
        low <= value <= high for _, low, value, high, _ in filter(lambda point: len(point) > 1, answer["points"])
    )
    assert any(len(point) == 1 for point in answer["points"])


def test_other_people_get_none(client: Client, scenario: Scenario) -> None:
    client.force_login(User.objects.create_user("grace", password="correct-horse-battery"))
    assert asked(client, scenario).status_code == 404


@pytest.mark.parametrize(
    "knob", ["", "name", "queues.0.settings.durable_subscription", "queues.7.settings.maximum_sessions"]
)
def test_what_is_no_slider_is_refused(person: Client, scenario: Scenario, knob: str) -> None:
    assert asked(person, scenario, knob=knob).status_code == 400


def test_a_form_that_cannot_be_used_says_why(person: Client, scenario: Scenario) -> None:
    answer = asked(person, scenario, **{KNOB: "many"})
    assert answer.status_code == 200
    assert answer.json()["reason"]


def test_only_a_persons_newest_question_is_answered(
    person: Client, scenario: Scenario, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, accept = f"/scenarios/{scenario.pk}/curve/", {"Accept": "application/json"}
    form = {"version": 1, "knob": KNOB}
    asks_meanwhile(monkeypatch, owner.pk + 1)
    assert person.post(address, form, headers=accept).json()["points"]
    asks_meanwhile(monkeypatch, owner.pk)
    refused = person.post(address, form, headers=accept)
    assert (refused.status_code, "newer" in refused.json()["reason"]) == (429, True)
    assert person.get(address).status_code == 405
