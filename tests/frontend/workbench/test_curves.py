"""The curve's address: whose it is, what it refuses, and how often it answers, whole answers counted with it."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from frontend.workbench import views
from planner import services
from planner.models import Scenario
from planner.presets.files import presets

KNOB = "queues.0.settings.maximum_sessions"


def asked(person: Client, scenario: Scenario, **form: Any) -> Any:
    """Ask as the page's script does."""
    address, fields = f"/scenarios/{scenario.pk}/curve/", {"version": 1, "knob": KNOB, **form}
    return person.post(address, fields, headers={"Accept": "application/json"})


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


def test_of_settings_with_one_name_each_curve_says_whose_it_is(person: Client, owner: User) -> None:
    spec = next(preset.spec for preset in presets() if preset.key == "bursts")
    made = services.scenario_store(owner=owner, spec=spec)
    titles = [
        asked(person, made, knob=f"servers.0.settings.work_managers.{place}.fair_share").json()["title"]
        for place in range(2)
    ]
    assert titles == ["Fair share of http", "Fair share of mdb"]


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


@pytest.mark.parametrize("take", ["[40]", '{"a": 40}', "many", "true"])
def test_what_is_no_value_of_the_slider_gains_nothing_and_says_why(
    person: Client, scenario: Scenario, take: str
) -> None:
    answer = asked(person, scenario, take=take)
    assert answer.status_code == 200
    assert answer.json()["reason"]


def test_a_person_gets_so_many(person: Client, scenario: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "MOST", 1)
    assert person.post(f"/scenarios/{scenario.pk}/answer/", {"version": 1, "part": "simulated"}).status_code == 200
    refused = asked(person, scenario)
    assert (refused.status_code, refused["Retry-After"]) == (429, "5")
    assert refused.json() == {"reason": "Too many answers at once; the page asks again by itself."}
    assert person.post(f"/scenarios/{scenario.pk}/answer/", {"version": 1, "part": "glance"}).status_code == 200
    assert person.get(f"/scenarios/{scenario.pk}/curve/").status_code == 405
