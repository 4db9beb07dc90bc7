"""Signing in: who guesses waits and is logged, and people change their passwords themselves."""

import logging
import re
from collections.abc import Iterator
from importlib import reload

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client, override_settings
from django.urls import clear_url_caches

from planner import urls

PASSWORD = "correct-horse-battery"


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("ada", "ada@example.org", PASSWORD)


def sign_in(client: Client, password: str, *, name: str = "ada", address: str = "10.0.0.1") -> int:
    sent = {"username": name, "password": password}
    return client.post("/login/", sent, REMOTE_ADDR=address).status_code


def test_who_guesses_waits_even_with_the_right_password(
    client: Client, ada: User, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, logger="axes")
    tried = [sign_in(client, f"wrong-{number}") for number in range(settings.AXES_FAILURE_LIMIT)]
    assert tried == [200] * (len(tried) - 1) + [429]
    assert sign_in(client, PASSWORD) == 429
    assert "ada" in caplog.text
    assert "10.0.0.1" in caplog.text
    assert "wrong-0" not in caplog.text, "a password is nobody's business"
    page = client.post("/login/", {"username": "ada", "password": PASSWORD}, REMOTE_ADDR="10.0.0.1").content.decode()
    assert "15 min" in page


def test_others_and_other_places_are_not_locked_out(client: Client, ada: User) -> None:
    User.objects.create_user("bob", password=PASSWORD)
    for number in range(settings.AXES_FAILURE_LIMIT):
        sign_in(client, f"wrong-{number}")
    assert sign_in(client, PASSWORD, name="bob") == 302
    assert sign_in(client, PASSWORD, address="10.0.0.2") == 302


def test_a_success_forgets_the_failures(client: Client, ada: User) -> None:
    sign_in(client, "wrong")
    assert AccessAttempt.objects.get().failures_since_start == 1
    assert sign_in(client, PASSWORD) == 302
    assert not AccessAttempt.objects.exists()


def test_a_changed_password_ends_the_other_sessions(client: Client, ada: User) -> None:
    elsewhere = Client()
    for browser in (client, elsewhere):
        browser.force_login(ada, backend="django.contrib.auth.backends.ModelBackend")
    assert "Change the password" in client.get("/account/password/").content.decode()
    short = {"old_password": PASSWORD, "new_password1": "short", "new_password2": "short"}
    assert "too short" in client.post("/account/password/", short).content.decode()
    new = {"old_password": PASSWORD, "new_password1": "staple-of-batteries", "new_password2": "staple-of-batteries"}
    assert "Your password is changed" in client.post("/account/password/", new, follow=True).content.decode()
    assert client.get("/account/password/").status_code == 200
    assert elsewhere.get("/account/password/").status_code == 302
    ada.refresh_from_db()
    assert ada.check_password("staple-of-batteries")


def test_without_mail_nobody_is_offered_a_link(client: Client, db: None) -> None:
    assert "forgot" not in client.get("/login/").content.decode()
    assert client.get("/account/reset/").status_code in (302, 404)


@pytest.fixture
def with_mail() -> Iterator[None]:
    with override_settings(EMAIL_HOST="mail.example.org"):
        reload(urls)
        clear_url_caches()
        yield
    reload(urls)
    clear_url_caches()


@pytest.mark.usefixtures("with_mail")
def test_where_mail_is_sent_a_link_makes_a_new_password(client: Client, ada: User) -> None:
    assert "I forgot my password" in client.get("/login/").content.decode()
    assert client.post("/account/reset/", {"email": "ada@example.org"}, follow=True).status_code == 200
    link = re.search(r"https?://[^/]+(/account/reset/\S+)", str(mail.outbox[0].body))
    assert link is not None
    page = client.get(link[1], follow=True)
    new = {"new_password1": "staple-of-batteries", "new_password2": "staple-of-batteries"}
    done = client.post(page.redirect_chain[-1][0], new, follow=True)
    assert "Your new password works" in done.content.decode()
    assert "used before" in client.get(link[1]).content.decode()
    assert sign_in(client, "staple-of-batteries") == 302
