"""What no database can hold is not found, on pages as in the API; texts travel compressed, events as they are."""

import logging

import pytest
from django.contrib.auth.models import User
from django.test import Client
from rest_framework.test import APIClient

from planner.models import Run

GZIP = {"Accept-Encoding": "gzip"}
HALF = "%ED%A0%80"
"""Half a surrogate pair: no UTF-8, so Django leaves the escapes as they stand."""


@pytest.fixture
def person(client: Client, db: None) -> Client:
    """Somebody who has signed in, and may see the admin site."""
    client.force_login(User.objects.create_superuser("ada"))
    return client


@pytest.mark.parametrize(
    "address",
    [
        "/runs/%00/",
        "/runs/a%00b/live/",
        "/scenarios/%00/",
        "/reports/%00/",
        "/reports/%00.pdf",
        "/shared/%00/",
        "/?search=%00",
        "/?%00=x",
        "/compare/?id=run_1&id=%00",
        "/admin/planner/run/%00/change/",
        "/api/v1/runs/%00",
        "/api/v1/experiments/a%00/cells",
        "/api/v1/reports/%00.html",
        f"/runs/{HALF}/",
    ],
)
def test_it_is_not_found(person: Client, address: str) -> None:
    answer = person.get(address)
    assert answer.status_code == 404
    is_problem = answer.headers["Content-Type"] == "application/problem+json"
    assert is_problem is address.startswith("/api/")


@pytest.mark.parametrize("address", ["/runs/%00/cancel/", "/runs/%00/pause/", "/api/v1/runs/%00/cancel"])
def test_nothing_is_done_there(person: Client, address: str) -> None:
    assert person.post(address).status_code == 404


def test_who_has_not_signed_in_signs_in_first(client: Client, db: None) -> None:
    assert client.get("/runs/%00/").headers["Location"].startswith("/login/")


@pytest.mark.django_db
def test_a_page_and_an_answer_of_the_api_are_compressed(owner: User) -> None:
    browser = Client()
    browser.force_login(owner)
    for address in ("/", "/api/v1/platforms"):
        assert browser.get(address, headers=GZIP)["Content-Encoding"] == "gzip"
        plain = browser.get(address)
        assert "Content-Encoding" not in plain
        assert "Accept-Encoding" in plain["Vary"]


@pytest.mark.django_db
def test_events_are_sent_when_they_happen(run: Run) -> None:
    client = APIClient()
    client.force_authenticate(run.owner)
    client.force_login(run.owner)
    answer = client.get(f"/api/v1/runs/{run.pk}/events", headers=GZIP)
    assert "Content-Encoding" not in answer


def answered(caplog: pytest.LogCaptureFixture) -> list[dict[str, object]]:
    """What the access log says of the answers so far."""
    records = [record for record in caplog.records if record.getMessage() == "answered"]
    return [{"level": record.levelno, **vars(record)} for record in records]


def test_an_answer_is_logged_with_who_asked_and_how_long_it_took(
    person: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    answer = person.get("/runs/no-such/?search=private", headers={"X-Request-ID": "proxy-1"})
    assert answer.headers["X-Request-ID"] == "proxy-1"
    (event,) = answered(caplog)
    asked = (event["method"], event["path"], event["status"], event["user_id"], event["address"], event["level"])
    assert asked == ("GET", "/runs/no-such/", 404, User.objects.get().pk, "127.0.0.1", logging.INFO)
    assert isinstance(event["ms"], float)


def test_an_id_is_made_where_none_is_given(client: Client, db: None) -> None:
    first, second = (client.get("/login/", headers={"X-Request-ID": "two\\nlines"}) for _ in range(2))
    assert first.headers["X-Request-ID"] != second.headers["X-Request-ID"]
    assert len(first.headers["X-Request-ID"]) == 16


def test_secrets_of_addresses_and_polls_are_no_news(person: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    person.get("/shared/the-secret/")
    person.get("/runs/", headers={"HX-Request": "true"})
    shared, polled = answered(caplog)
    assert shared["path"] == "/shared/<str:secret>/"
    assert polled["level"] == logging.DEBUG
