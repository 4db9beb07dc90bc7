"""Every error becomes one problem: its status, its code, and what to do instead; never a trace."""

import json
from typing import Any

import pytest
from django.core.exceptions import DisallowedHost, PermissionDenied, SuspiciousOperation
from django.db import OperationalError
from django.http import Http404, HttpResponse
from django.test import RequestFactory
from rest_framework import exceptions

from planner import errors
from planner.web.problems import bad_request, problem_of, server_error
from simulations.declarations.problems import InvalidInput, problem

API = RequestFactory().get("/api/v1/runs")
PAGE = RequestFactory().get("/runs/")


def body_of(answer: HttpResponse) -> dict[str, Any]:
    assert answer["Content-Type"] == "application/problem+json"
    body: dict[str, Any] = json.loads(answer.content)
    assert (body["status"], body["instance"]) == (answer.status_code, "/api/v1/runs")
    assert body["type"] == f"urn:sluice:problem:{body['type'].rpartition(':')[2]}"
    return body


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (errors.NotFound("run", "r"), 404, "not_found"),
        (Http404(), 404, "not_found"),
        (errors.Forbidden("no"), 403, "forbidden"),
        (errors.Conflict("no"), 409, "conflict"),
        (errors.Stale(2), 412, "stale"),
        (errors.IdempotencyMismatch("no"), 422, "idempotency_key_reused"),
        (errors.Unavailable("no"), 503, "unavailable"),
        (PermissionDenied("no"), 403, "forbidden"),
        (SuspiciousOperation("odd"), 400, "bad_request"),
        (exceptions.ParseError("odd"), 400, "parse_error"),
    ],
)
def test_an_error_has_its_status_and_its_code(error: Exception, status: int, code: str) -> None:
    answer = problem_of(error, API)
    assert (answer.status_code, body_of(answer)["type"].rpartition(":")[2]) == (status, code)


def test_a_wrong_field_is_pointed_at() -> None:
    body = body_of(problem_of(InvalidInput([problem(("queues", 0, "name"), "is missing")]), API))
    assert (body["detail"], body["errors"][0]["pointer"]) == ("1 value is wrong", "/queues/0/name")


def test_a_database_that_is_away_is_worth_another_try() -> None:
    answer = problem_of(OperationalError("away"), API)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "away" not in body_of(answer)["detail"]


def test_a_page_says_that_the_database_is_away() -> None:
    for accepts in ("text/html", "application/json"):
        try:
            raise OperationalError("away")
        except OperationalError:
            answer = server_error(RequestFactory().get("/login/", headers={"accept": accepts}))
        assert isinstance(answer, HttpResponse)
        assert (answer.status_code, answer["Content-Type"].partition(";")[0]) == (503, accepts)
        assert "The database or the broker is not available; try again." in answer.content.decode()


def test_callers_are_told_how_long_to_wait() -> None:
    answer = problem_of(errors.Throttled("more than 9 requests", 0.2), API)
    assert (answer.status_code, answer["Retry-After"]) == (429, "1")
    told = body_of(answer)
    assert (told["detail"], told["type"]) == ("more than 9 requests; ask again in 1 s", "urn:sluice:problem:throttled")


def test_a_defect_has_a_number_and_no_trace(caplog: pytest.LogCaptureFixture) -> None:
    body = body_of(problem_of(ZeroDivisionError("hidden"), API))
    assert (body["status"], body["id"] in body["detail"], "hidden" in body["detail"]) == (500, True, False)
    assert body["id"] in caplog.text


def test_what_fails_outside_the_views_is_a_problem_for_the_api_only() -> None:
    host = bad_request(API, DisallowedHost())
    assert isinstance(host, HttpResponse)
    assert "ALLOWED_HOSTS" in body_of(host)["detail"]
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        defect = server_error(API)
    assert isinstance(defect, HttpResponse)
    assert body_of(defect)["status"] == 500
    for page in (bad_request(PAGE, SuspiciousOperation()), server_error(PAGE)):
        assert page["Content-Type"].startswith("text/html")
