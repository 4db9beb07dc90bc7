"""Reports over the API: sign-off and share links."""

import io
import zipfile
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from rest_framework.test import APIClient

from planner.models import Report, Run
from tests.paper import headings_of, no_browser
from tests.planner.computing import compute
from tests.planner.reports.test_evidence import LIVE


@pytest.fixture
def address(client: APIClient, finished: Run) -> str:
    """The address of a draft."""
    made = client.post("/api/v1/reports", {"run": finished.pk, "title": "Decision"}, format="json")
    return str(made["Location"])


def test_a_report_goes_to_review_and_is_signed_by_somebody_who_may(
    client: APIClient, other: APIClient, stranger: User, address: str, settings: Any
) -> None:
    settings.REPORT_FILE = "tests.paper.plain_file"
    assert other.post(f"{address}/signoff", {"to": "signed"}, format="json").status_code == 404
    sent = client.post(f"{address}/signoff", {"to": "in_review", "comment": "please"}, format="json")
    assert sent.json()["state"] == "in_review"
    assert client.post(f"{address}/signoff", {"to": "signed"}, format="json").status_code == 403
    stranger.user_permissions.add(Permission.objects.get(codename="sign_report"))
    assert other.post(f"{address}/signoff", {"to": "signed"}, format="json").json()["state"] == "signed"
    shared = other.post(f"{address}/share-links", {"days": 3}, format="json")
    assert (shared.status_code, shared.headers["Content-Type"]) == (403, "application/problem+json")
    assert client.post(f"{address}/signoff", {"to": "draft"}, format="json").status_code == 409


def test_files_in_use_become_the_drift_of_the_report(client: APIClient, finished: Run) -> None:
    fields = {"run": finished.pk, "decide_by": "2026-12-31", "files": [SimpleUploadedFile("server.xml", LIVE)]}
    made = client.post("/api/v1/reports", fields, format="multipart")
    assert made.status_code == 201, made.content
    payload = client.get(made["Location"]).json()["payload"]
    assert payload["decision"]["by"] == "2026-12-31"
    assert (list(payload["drift"]["files"]), payload["drift"]["lines"][0]["status"]) == (["server.xml"], "changed")
    without = client.post("/api/v1/reports", {"run": finished.pk}, format="json")["Location"]
    assert client.get(without).json()["payload"]["drift"] is None


def test_files_in_use_that_cannot_be_read_make_no_report(client: APIClient, finished: Run) -> None:
    fields = {"run": finished.pk, "files": [SimpleUploadedFile("server.xml", b"<process:Server")]}
    refused = client.post("/api/v1/reports", fields, format="multipart")
    assert (refused.status_code, refused.json()["errors"][0]["path"]) == (422, "server.xml:1")
    assert not Report.objects.exists()


def test_an_unknown_state_is_pointed_at(client: APIClient, address: str) -> None:
    wrong = client.post(f"{address}/signoff", {"to": "approved"}, format="json")
    assert wrong.status_code == 422
    assert wrong.json()["errors"][0]["pointer"] == "/to"


def test_a_share_link_opens_the_page_until_it_is_revoked(client: APIClient, other: APIClient, address: str) -> None:
    made = client.post(f"{address}/share-links", {"days": 3}, format="json")
    assert made.status_code == 201
    link = made.json()
    assert other.delete(f"/api/v1/share-links/{link['id']}").status_code == 404
    assert client.delete(f"/api/v1/share-links/{link['id']}").status_code == 204
    assert Client().get(link["address"].removeprefix("http://testserver")).status_code == 404
    assert client.post(f"{address}/share-links", {"days": 1000}, format="json").status_code == 422


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_report_is_a_pdf(client: APIClient, other: APIClient, run: Run) -> None:
    compute(run)
    address = client.post("/api/v1/reports", {"run": run.pk, "title": "Decision"}, format="json")["Location"]
    made = client.get(f"{address}.pdf")
    assert made.headers["Content-Type"] == "application/pdf"
    assert made.content.startswith(b"%PDF-")
    assert {"1 Summary", "7 Results", "13 Sign-off"} <= set(headings_of(made.content))
    assert other.get(f"{address}.pdf").status_code == 404


def test_without_a_browser_the_answer_is_a_problem_with_a_remedy(client: APIClient, address: str) -> None:
    with no_browser():
        answer = client.get(f"{address}.pdf")
    assert answer.status_code == 503
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["type"] == "urn:sluice:problem:unavailable"
    assert "CHROMIUM_PATH" in answer.json()["detail"]


def test_an_experiment_is_refused_with_what_to_do(client: APIClient, finished: Run) -> None:
    Run.objects.update(kind="optimize")
    refused = client.post("/api/v1/reports", {"run": finished.pk}, format="json")
    assert refused.status_code == 409
    assert "report a run of the same scenario version" in refused.json()["detail"]


def test_decider_and_date_are_frozen(client: APIClient, finished: Run) -> None:
    asked = {"run": finished.pk, "decider": "Board", "decide_by": "2026-12-31"}
    address = client.post("/api/v1/reports", asked, format="json")["Location"]
    assert client.get(address).json()["payload"]["decision"] == {"decider": "Board", "by": "2026-12-31"}


@pytest.mark.django_db(transaction=True)
def test_the_capsule_is_a_zip_file_for_its_owner(client: APIClient, other: APIClient, run: Run) -> None:
    compute(run)
    address = client.post("/api/v1/reports", {"run": run.pk}, format="json")["Location"]
    made = client.get(f"{address}.zip")
    with zipfile.ZipFile(io.BytesIO(made.content)) as capsule:
        assert {"README.md", "scenario.yaml", "report.html", "report.json", "SHA256SUMS"} <= set(capsule.namelist())
    assert other.get(f"{address}.zip").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_a_report_is_one_html_file(client: APIClient, other: APIClient, run: Run) -> None:
    compute(run)
    address = client.post("/api/v1/reports", {"run": run.pk, "title": "Decision"}, format="json")["Location"]
    made = client.get(f"{address}.html")
    assert (made.status_code, made["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert made.content.lower().startswith(b"<!doctype html>")
    assert other.get(f"{address}.html").status_code == 404


def test_a_scenario_has_reports_of_its_newest_answer(client: APIClient, other: APIClient, finished: Run) -> None:
    address = f"/api/v1/scenarios/{finished.version.scenario_id}/reports"
    made = client.post(address, {"title": "Decision"}, format="json")
    assert (made.status_code, made.json()["run"], made.json()["title"]) == (201, finished.pk, "Decision")
    assert [item["id"] for item in client.get(address).json()["items"]] == [made.json()["id"]]
    copy = client.post(f"/api/v1/scenarios/{finished.version.scenario_id}/copy", {}, format="json").json()
    assert client.get(f"/api/v1/scenarios/{copy['id']}/reports").json()["items"] == []
    equal = client.post(f"/api/v1/scenarios/{copy['id']}/runs", {}, format="json").json()
    refused = client.post(f"/api/v1/scenarios/{copy['id']}/reports", {}, format="json")
    assert (equal["id"], refused.status_code) == (finished.pk, 409)
    assert "an equal run at /reports" in refused.json()["detail"]
    assert client.post("/api/v1/reports", {"run": equal["id"], "title": "Equal"}, format="json").status_code == 201
    assert other.get(address).status_code == other.post(address, {}, format="json").status_code == 404
