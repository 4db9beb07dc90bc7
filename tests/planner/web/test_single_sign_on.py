"""Signing in with a provider of OpenID Connect: a real one, built on Authlib, that listens on this machine."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from allauth.socialaccount.models import SocialAccount
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.test import Client

from planner.models import AuditEvent
from planner.settings.connections import provider_settings
from planner.settings.environment import Environment
from tests.identity_provider import known, provider

PASSWORD = "correct-horse-battery"
SignIn = Callable[..., Any]


@pytest.fixture(scope="module")
def issuer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with provider(tmp_path_factory.mktemp("provider")) as address:
        yield address


@pytest.fixture
def _configured(issuer: str, settings: Any, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("kept-in-a-file\n")
    given = {"oidc_issuer": issuer, "oidc_client_id": "sluice", "oidc_client_secret_file": secret}
    found = provider_settings(Environment.model_validate({**given, "oidc_name": "Example Ltd"}))
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": found}}


@pytest.fixture
def sign_in(issuer: str, _configured: None) -> SignIn:
    """Sign somebody in by the browser's way: our form, the page that leads on, the provider's form, and back."""

    def done(client: Client, sub: str = "7", follow: str = "/teams/", **claims: object) -> Any:
        known(issuer, sub, **claims)
        leaving = client.post("/login/localhost/", {"next": follow})
        address = leaving.context["address"]
        assert address.startswith(f"{issuer}/")
        assert "code_challenge_method=S256" in address
        back = httpx.post(address, data={"sub": sub})
        return client.get(back.headers["Location"].removeprefix("http://testserver"))

    return done


def verified(address: str) -> dict[str, object]:
    return {"email": address, "email_verified": True}


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("ada", "Ada@example.org", PASSWORD)


def test_the_sign_in_offers_only_what_is_configured(client: Client, db: None) -> None:
    assert "Sign in with" not in client.get("/login/").content.decode()
    assert client.post("/login/localhost/").status_code == 404
    assert client.get("/login/localhost/callback/?code=x&state=y").status_code in (403, 404)


@pytest.mark.usefixtures("_configured")
def test_the_button_names_the_provider_and_the_policy_stays(client: Client, db: None) -> None:
    page = client.get("/login/?next=/teams/")
    assert "Sign in with Example Ltd" in page.content.decode()
    leaving = client.post("/login/localhost/")
    assert leaving.headers["Content-Security-Policy"] == page.headers["Content-Security-Policy"]
    assert "form-action 'self'" in page.headers["Content-Security-Policy"]
    assert client.get("/login/localhost/").status_code == 405, "another site's link signs nobody in"
    assert Client(enforce_csrf_checks=True).post("/login/localhost/").status_code == 403


def test_a_verified_address_opens_the_account_that_has_it(client: Client, ada: User, sign_in: SignIn) -> None:
    done = sign_in(client, **verified("ada@example.org"), preferred_username="somebody")
    assert (done.status_code, done.headers["Location"]) == (302, "/teams/")
    assert client.get("/teams/").context["user"] == ada
    ada.refresh_from_db()
    assert ada.check_password(PASSWORD), "the password stays"
    event = AuditEvent.objects.get(action="sign-in")
    assert (event.actor, event.details) == (ada, {"address": "127.0.0.1", "provider": "localhost"})


def test_who_came_before_is_known_whatever_the_address_is_now(client: Client, ada: User, sign_in: SignIn) -> None:
    sign_in(client, **verified("ada@example.org"))
    again = Client()
    assert sign_in(again, **verified("countess@example.org")).status_code == 302
    assert again.get("/teams/").context["user"] == ada


def test_somebody_new_has_an_account_without_rights(client: Client, ada: User, sign_in: SignIn) -> None:
    claims = {"preferred_username": "ada", "given_name": "Bob", "family_name": "Builder"}
    assert sign_in(client, "8", **verified("bob@example.org"), **claims).status_code == 302
    made = User.objects.exclude(pk=ada.pk).get()
    assert client.get("/teams/").context["user"] == made
    assert (made.email, made.first_name, made.last_name) == ("bob@example.org", "Bob", "Builder")
    assert made.username != "ada"
    assert not made.has_usable_password()
    rights = (made.is_staff, made.is_superuser, made.get_all_permissions(), made.memberships.count())
    assert rights == (False, False, set(), 0)


@pytest.mark.parametrize("word", [False, "false", None])
def test_an_address_that_nobody_verified_opens_nothing(client: Client, ada: User, sign_in: SignIn, word: Any) -> None:
    refused = sign_in(client, email="ada@example.org", email_verified=word)
    assert refused.status_code == 403
    assert "not verified" in refused.content.decode()
    assert User.objects.count() == 1
    assert client.get("/teams/").status_code == 302


def test_an_address_of_two_people_opens_neither(client: Client, ada: User, sign_in: SignIn) -> None:
    User.objects.create_user("lovelace", "ada@example.org")
    assert "Several people" in sign_in(client, **verified("ada@example.org")).content.decode()


@pytest.mark.parametrize("came_before", [False, True])
def test_a_closed_account_stays_closed(client: Client, ada: User, sign_in: SignIn, came_before: bool) -> None:  # noqa: FBT001
    if came_before:
        sign_in(Client(), **verified("ada@example.org"))
    User.objects.update(is_active=False)
    assert "closed" in sign_in(client, **verified("ada@example.org")).content.decode()
    assert User.objects.count() == 1


def test_nobody_connects_another_identity_to_who_is_signed_in(
    client: Client, ada: User, sign_in: SignIn, issuer: str
) -> None:
    client.force_login(ada, backend="django.contrib.auth.backends.ModelBackend")
    known(issuer, "9", **verified("eve@example.org"))
    address = client.post("/login/localhost/", {"process": "connect"}).context["address"]
    back = httpx.post(address, data={"sub": "9"}).headers["Location"]
    assert client.get(back.removeprefix("http://testserver")).status_code == 403
    assert not SocialAccount.objects.exists()


def test_what_the_provider_refuses_is_a_page(
    client: Client, db: None, sign_in: SignIn, caplog: pytest.LogCaptureFixture
) -> None:
    address = client.post("/login/localhost/").context["address"]
    denied = httpx.post(address, data={"sub": "7", "action": "deny"}).headers["Location"]
    for back in (denied.removeprefix("http://testserver"), "/login/localhost/callback/?code=x&state=forged"):
        page = client.get(back)
        assert page.status_code == 403
        assert "Nothing has changed" in page.content.decode()
    assert "signing in with the provider failed" in caplog.text


def test_a_provider_that_is_away_is_said_to_be(client: Client, db: None, settings: Any) -> None:
    away = {"provider_id": "away", "name": "x", "client_id": "x", "secret": "x"}
    away_settings: dict[str, Any] = {**away, "settings": {"server_url": "http://127.0.0.1:9"}}
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [away_settings]}}
    page = client.post("/login/away/")
    assert page.status_code == 503
    assert "does not answer" in page.content.decode()


def test_guessed_passwords_count_beside_it(client: Client, ada: User, sign_in: SignIn, settings: Any) -> None:
    for _ in range(settings.AXES_FAILURE_LIMIT):
        locked = client.post("/login/", {"username": "ada", "password": "wrong"})
    assert locked.status_code == 429
    assert sign_in(client, **verified("ada@example.org")).status_code == 302
    assert not AccessAttempt.objects.exists(), "who has signed in has shown who they are"
