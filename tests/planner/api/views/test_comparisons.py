"""Comparisons over the API: two to six subjects, runs that are missing, bad requests."""

from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import override_settings
from rest_framework.test import APIClient

from planner import services
from planner.models import Run, Scenario
from simulations.scenario.spec import parse

ADDRESS = "/api/v1/comparisons"


@pytest.fixture
def fresh(owner: User, body: dict[str, Any]) -> Scenario:
    """A scenario that nobody has run."""
    return services.scenario_store(owner=owner, spec=parse({**body, "name": "Fresh", "sweep": []}))


def test_points_are_compared_with_the_baseline(client: APIClient, finished: Run) -> None:
    query = f"subject={finished.pk}:0&subject={finished.pk}:1&baseline=1"
    found = client.get(f"{ADDRESS}?{query}").json()
    assert found["complete"] is True
    assert [item["point"] for item in found["subjects"]] == [0, 1]
    assert found["differing"] == [{"path": "queues.orders.settings.maximum_sessions", "values": [18, 36]}]
    (p95,) = [item for item in found["kpis"] if item["metric"] == "latency.p95"]
    assert [item["value"] for item in p95["values"]] == [0.25, 0.3]
    assert p95["changes"][1] is None
    change = p95["changes"][0]
    assert change["difference"]["value"] == pytest.approx(-0.05)
    assert change["verdict"] == "better"
    assert change["paired"] is False
    assert any("not stored any more" in note for note in found["notes"])


def test_missing_runs_are_started_once(client: APIClient, finished: Run, fresh: Scenario) -> None:
    body = {"subjects": [finished.pk, fresh.pk]}
    made = client.post(ADDRESS, body, format="json")
    assert made.status_code == 202
    assert made.json()["complete"] is False
    assert [item["status"] for item in made.json()["subjects"]] == ["succeeded", "queued"]
    again = client.post(ADDRESS, body, format="json")
    assert again.json()["subjects"][1]["run"] == made.json()["subjects"][1]["run"]
    assert client.get(made["Location"]).json() == again.json()


def test_all_missing_runs_start_or_none(client: APIClient, fresh: Scenario, body: dict[str, Any]) -> None:
    changed = {**body, "sweep": [], "run": {**body["run"], "seed": 2}}
    other = services.scenario_store(owner=fresh.owner, spec=parse(changed))
    asked = {"subjects": [fresh.pk, other.pk]}
    one = settings.ENVIRONMENT.model_copy(update={"max_person_runs": 1})
    with override_settings(ENVIRONMENT=one):
        assert client.post(ADDRESS, asked, format="json").status_code == 429
    assert not Run.objects.exists()
    assert client.post(ADDRESS, asked, format="json").status_code == 202
    assert Run.objects.count() == 2


def test_reading_starts_nothing(client: APIClient, finished: Run, fresh: Scenario) -> None:
    found = client.get(f"{ADDRESS}?subject={finished.pk}&subject={fresh.pk}").json()
    assert found["subjects"][1]["status"] == "missing"
    assert Run.objects.count() == 1


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"subjects": ["run_a"]}, 422),
        ({"subjects": ["run_a"] * 7}, 422),
        ({"subjects": ["run_a", "run_b"]}, 404),
        ({"subjects": ["run_a", "run_b"], "baseline": 2}, 422),
        ({"subjects": ["run_a", "run_b"], "base": 1}, 422),
        ({}, 422),
    ],
)
def test_what_cannot_be_compared_is_refused(client: APIClient, body: dict[str, Any], status: int) -> None:
    assert client.post(ADDRESS, body, format="json").status_code == status


def test_runs_of_others_are_not_found(finished: Run, other: APIClient) -> None:
    assert other.get(f"{ADDRESS}?subject={finished.pk}:0&subject={finished.pk}:1").status_code == 404


def test_a_queue_that_no_subject_has_is_named(client: APIClient, finished: Run) -> None:
    subjects = "&".join(f"subject={finished.pk}:{index}" for index in (0, 1))
    assert client.get(f"{ADDRESS}?{subjects}&queue=orders").status_code == 200
    wrong = client.get(f"{ADDRESS}?{subjects}&queue=order")
    assert [(item["pointer"], item["message"]) for item in wrong.json()["errors"]] == [
        ("/queue", "no subject has this queue; did you mean 'orders'?")
    ]
