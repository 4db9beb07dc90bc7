"""API tokens on the page."""

from django.test import Client

from planner import services
from planner.models import ApiToken


def test_a_token_is_shown_once(person: Client) -> None:
    made = person.post("/account/tokens/", {"name": "nightly", "scopes": ["read", "run"]}).content.decode()
    secret = made.split('id="secret">')[1].split("<")[0]
    token = services.token_use(secret=secret)
    assert token is not None
    assert token.scopes == ["read", "run"]
    assert secret not in person.get("/account/tokens/").content.decode()


def test_a_token_needs_a_scope(person: Client) -> None:
    answer = person.post("/account/tokens/", {"name": "nothing"})
    assert answer.status_code == 422
    assert not ApiToken.objects.exists()


def test_a_revoked_token_opens_nothing(person: Client) -> None:
    made = person.post("/account/tokens/", {"name": "nightly", "scopes": ["read"]}).content.decode()
    secret = made.split('id="secret">')[1].split("<")[0]
    person.post(f"/account/tokens/{ApiToken.objects.get().pk}/revoke/")
    assert services.token_use(secret=secret) is None
