"""An answer has the form that the address says or ``Accept`` asks for."""

import pytest
from rest_framework.test import APIClient

from planner.models import Run
from tests.paper import no_browser
from tests.planner.api.conftest import TokenClient


@pytest.mark.parametrize(
    ("address", "accept", "form"),
    [
        ("results", "*/*", "application/json"),
        ("results", "text/html, */*;q=0.8", "application/json"),
        ("results", "text/csv", "text/csv; charset=utf-8"),
        ("results.csv", "text/csv", "text/csv; charset=utf-8"),
        ("results.csv", "application/json", "text/csv; charset=utf-8"),
        ("results.json", "application/json", "application/json"),
        ("events", "text/event-stream", "text/event-stream"),
    ],
)
def test_what_is_asked_for_is_answered(client: APIClient, finished: Run, address: str, accept: str, form: str) -> None:
    answer = client.get(f"/api/v1/runs/{finished.pk}/{address}", headers={"Accept": accept})
    assert (answer.status_code, answer["Content-Type"]) == (200, form)


@pytest.mark.parametrize(("address", "accept"), [("results", "application/pdf"), ("results.json", "text/csv")])
def test_a_form_that_does_not_exist_is_refused(client: APIClient, finished: Run, address: str, accept: str) -> None:
    answer = client.get(f"/api/v1/runs/{finished.pk}/{address}", headers={"Accept": accept})
    assert (answer.status_code, answer["Content-Type"]) == (406, "application/problem+json")
    assert "application/json" in answer.json()["detail"].partition("; ask for ")[2]


def test_a_form_needs_its_own_scope(finished: Run, token_client: TokenClient) -> None:
    reader = token_client(finished.owner, "read")
    address = f"/api/v1/runs/{finished.pk}/results"
    assert reader.get(address).status_code == 200
    assert reader.get(address, headers={"Accept": "text/csv"}).status_code == 403


def test_a_report_is_asked_for_as_pdf(client: APIClient, finished: Run) -> None:
    address = client.post("/api/v1/reports", {"run": finished.pk, "title": "Decision"}, format="json")["Location"]
    with no_browser():
        for path, headers in (
            (f"{address}.pdf", {"Accept": "application/pdf"}),
            (address, {"Accept": "application/pdf"}),
        ):
            assert "CHROMIUM_PATH" in client.get(path, headers=headers).json()["detail"]
        assert client.get(f"{address}.json", headers={"Accept": "application/json"}).status_code == 200


def test_a_parameter_named_format_is_no_form(client: APIClient) -> None:
    assert client.get("/api/v1/runs?format=xml").json()["errors"][0]["code"] == "unknown_parameter"
