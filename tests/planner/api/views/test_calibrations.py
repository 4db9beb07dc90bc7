"""Calibrations over the API: who may, what comes back, what is refused."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import override_settings
from rest_framework.test import APIClient

from planner.models import Calibration, Scenario
from planner.services import calibrations
from tests.calibrations import completed, waiting
from tests.planner.api.test_openapi import answer_schema
from tests.telemetry import TRUTH, Story

PATH = "/api/v1/calibrations"


def log(content: bytes = b"arrival,start,end,queue\n1,2,3,q\n", name: str = "orders.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


@pytest.fixture
def queued(owner: User) -> Calibration:
    """An upload that waits."""
    return waiting(owner)


@pytest.fixture
def finished(queued: Calibration, calibrated: Story) -> Calibration:
    """The same with the result of the tests' log."""
    return completed(queued, calibrated)


def test_an_upload_is_accepted_and_described(client: APIClient) -> None:
    answer = client.post(PATH, {"file": log(), "name": "May"}, format="multipart", headers={"Idempotency-Key": "k1"})
    assert answer.status_code == 202
    body = answer.json()
    jsonschema.validate(body, answer_schema("calibrations", "post", "202"))
    assert (body["status"], body["name"], body["uploaded"], body["fitted"]) == ("queued", "May", True, None)
    assert answer["Location"] == f"{PATH}/{body['id']}"
    kept = sorted(settings.ENVIRONMENT.store.glob("cal_*"))
    again = client.post(PATH, {"file": log(), "name": "May"}, format="multipart", headers={"Idempotency-Key": "k1"})
    assert again.json()["id"] == body["id"]
    other = client.post(
        PATH, {"file": log(b"arrival,x"), "name": "May"}, format="multipart", headers={"Idempotency-Key": "k1"}
    )
    assert other.status_code == 422
    assert sorted(settings.ENVIRONMENT.store.glob("cal_*")) == kept


def test_a_name_that_no_scenario_may_have_is_refused_before_the_work(client: APIClient) -> None:
    kept = sorted(settings.ENVIRONMENT.store.glob("cal_*"))
    answer = client.post(PATH, {"file": log(), "name": "May\nJune\n"}, format="multipart")
    assert [item["pointer"] for item in answer.json()["errors"]] == ["/name"]
    assert sorted(settings.ENVIRONMENT.store.glob("cal_*")) == kept


def test_an_upload_is_written_while_others_may_use_the_database(
    client: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, within = calibrations._kept, []

    def watched(*about: Any) -> None:
        within.append(len(connection.savepoint_ids))
        kept(*about)

    monkeypatch.setattr(calibrations, "_kept", watched)
    outside = len(connection.savepoint_ids)
    client.post(PATH, {"file": log()}, format="multipart", headers={"Idempotency-Key": "k1"})
    assert within == [outside]


@pytest.mark.spark
def test_a_result_has_the_fitted_work_the_account_and_the_verdict(client: APIClient, finished: Calibration) -> None:
    body = client.get(f"{PATH}/{finished.pk}").json()
    jsonschema.validate(body, answer_schema("calibrations/{calibration_id}"))
    fitted = body["fitted"]["orders"]
    assert (fitted["service"]["kind"], fitted["threads"]) == (TRUTH.service, TRUTH.threads)
    assert (body["validated"], body["layout"], body["assumed"]) == (True, "messages", [])
    assert (fitted["provenance"], body["checks"][0]["metric"]) == ("fitted", "latency.p95")
    assert {item["reason"] for item in body["quarantine"]["aside"]} >= {"encoding", "duplicate"}
    assert body["diagnostics"]["orders"]["service"]["goodness"] == "good"
    made = client.post(f"{PATH}/{finished.pk}/scenario")
    assert made.status_code == 201
    assert Scenario.objects.get(pk=made.json()["id"]).version.spec == body["body"]
    listed = client.get(PATH).json()
    jsonschema.validate(listed, answer_schema("calibrations"))
    assert [item["scenario"] for item in listed["items"]] == [made.json()["id"]]


@pytest.mark.spark
def test_a_result_of_samples_says_what_was_assumed(client: APIClient, queued: Calibration, sampled: Story) -> None:
    made = completed(queued, sampled)
    body = client.get(f"{PATH}/{made.pk}").json()
    jsonschema.validate(body, answer_schema("calibrations/{calibration_id}"))
    assert body["layout"] == "wldf"
    fitted = body["fitted"]["orders"]
    assert (fitted["provenance"], fitted["service"]["kind"]) == ("assumed", "exponential")
    assert any("do not show how service times are spread" in sentence for sentence in body["assumed"])
    assert {check["metric"] for check in body["checks"]} == {"latency.mean", "service.mean"}
    assert "percentiles" not in body["diagnostics"]["orders"]
    assert {item["reason"] for item in body["quarantine"]["aside"]} >= {"no_count", "clock_backwards", "duplicate"}
    scenario = Scenario.objects.get(pk=client.post(f"{PATH}/{made.pk}/scenario").json()["id"])
    assert "assumed: orders: samples do not show" in scenario.version.note


def test_the_settings_of_a_scenario_can_be_kept(client: APIClient, other: APIClient, scenario: Scenario) -> None:
    kept = client.post(PATH, {"file": log(), "scenario": scenario.pk}, format="multipart")
    assert kept.json()["base"] == scenario.pk
    assert other.post(PATH, {"file": log(), "scenario": scenario.pk}, format="multipart").status_code == 404


def test_cancel_and_retry(client: APIClient, queued: Calibration) -> None:
    assert client.post(f"{PATH}/{queued.pk}/retry").status_code == 409
    assert client.post(f"{PATH}/{queued.pk}/cancel").json()["status"] == "cancelled"
    assert client.post(f"{PATH}/{queued.pk}/retry").json()["status"] == "queued"
    assert client.post(f"{PATH}/{queued.pk}/scenario").status_code == 409


def test_what_is_wrong_is_said(client: APIClient) -> None:
    for body in ({}, {"location": "/etc/passwd.csv"}, {"location": "a.csv", "colour": "red"}):
        assert client.post(PATH, body, format="json").status_code == 422
    both = {"file": log(), "location": "/logs/a.csv"}
    assert client.post(PATH, both, format="multipart").status_code == 422
    assert client.post(PATH, {"file": log(name="a.zip")}, format="multipart").status_code == 422
    assert not Calibration.objects.exists()


def test_strangers_and_readers_are_kept_out(
    other: APIClient, nobody: APIClient, token_client: "object", owner: User, queued: Calibration
) -> None:
    assert other.get(f"{PATH}/{queued.pk}").status_code == 404
    assert nobody.get(PATH).status_code == 401
    reader = token_client(owner, "read")  # type: ignore[operator]
    assert reader.post(PATH, {"file": log()}, format="multipart").status_code == 403
    assert reader.get(f"{PATH}/{queued.pk}").status_code == 200


@pytest.fixture
def roots(tmp_path: Path) -> Iterator[Path]:
    """A folder from which this installation may read."""
    changed = settings.ENVIRONMENT.model_copy(update={"telemetry_roots": (str(tmp_path),)})
    with override_settings(ENVIRONMENT=changed):
        yield tmp_path


def test_a_location_is_repeated_by_hand_and_by_the_hour_until_it_is_stopped(client: APIClient, roots: Path) -> None:
    first = client.post(PATH, {"location": f"{roots}/orders.csv", "every_hours": 24}, format="json").json()
    assert (first["every_hours"], first["since"], first["due_at"] > first["created_at"]) == (24, None, True)
    answer = client.post(f"{PATH}/{first['id']}/repeat", headers={"Idempotency-Key": "k1"})
    again = answer.json()
    assert (answer.status_code, answer["Location"]) == (202, f"{PATH}/{again['id']}")
    jsonschema.validate(again, answer_schema("calibrations/{calibration_id}/repeat", "post", "202"))
    assert (again["every_hours"], again["since"]) == (24, None), "the first one has read nothing yet"
    assert client.get(f"{PATH}/{first['id']}").json()["due_at"] is None
    assert client.post(f"{PATH}/{first['id']}/repeat", headers={"Idempotency-Key": "k1"}).json()["id"] == again["id"]
    stopped = client.post(f"{PATH}/{again['id']}/stop")
    assert (stopped.status_code, stopped.json()["due_at"]) == (200, None)
    assert Calibration.objects.count() == 2


def test_what_cannot_be_repeated_is_said(client: APIClient, other: APIClient, queued: Calibration) -> None:
    assert client.post(f"{PATH}/{queued.pk}/repeat").status_code == 409
    assert other.post(f"{PATH}/{queued.pk}/repeat").status_code == 404
    sent = client.post(PATH, {"file": log(), "every_hours": 24}, format="multipart")
    assert [item["pointer"] for item in sent.json()["errors"]] == ["/every_hours"]
    for hours in (-1, 9_000, "soon"):
        assert client.post(PATH, {"location": "/a.csv", "every_hours": hours}, format="json").status_code == 422
