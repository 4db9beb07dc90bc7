"""What no database can hold is not found, on pages as in the API."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

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
