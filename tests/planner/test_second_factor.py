"""A second factor: somebody turns it on, is asked for it ever after, and an administrator ends one that was lost."""

import base64
import hashlib
import hmac
import re
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client, override_settings

from planner.models import AuditEvent
from planner.settings.connections import cache_settings
from simulations.pipeline.spark.server import PROJECT
from tests.planner.test_sign_in import PASSWORD

pytestmark = pytest.mark.django_db(transaction=True)
ASKED, ON, OFF = (f"/account/factor/{part}/" for part in ("authenticate", "totp/activate", "totp/deactivate"))


@pytest.fixture(autouse=True)
def _nobody_asked_before() -> Iterator[None]:
    """Wrong codes are counted in the cache, and a code counts once."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("ada", "ada@example.org", PASSWORD)


def code_of(secret: str, *, steps: int = 0) -> str:
    """Return the code of this half minute, or of one ``steps`` later, as RFC 6238 says."""
    counter = (int(time.time()) // 30 + steps).to_bytes(8, "big")
    digest = hmac.new(base64.b32decode(secret), counter, hashlib.sha1).digest()
    at = digest[-1] & 15
    return str((int.from_bytes(digest[at : at + 4], "big") & 0x7FFFFFFF) % 1_000_000).zfill(6)


def by_password(client: Client, **more: str) -> Any:
    return client.post("/login/", {"username": "ada", "password": PASSWORD, **more})


def turned_on(client: Client) -> tuple[str, list[str]]:
    """Turn it on as a person does; return the secret and the recovery codes."""
    by_password(client)
    page = client.get(ON)
    assert page.headers["Location"] == f"/account/confirm/?next={quote(ON, safe='')}"
    assert "Enter your password once more" in client.get(page.headers["Location"]).content.decode()
    page = client.post(page.headers["Location"], {"password": PASSWORD, "next": ON})
    assert page.headers["Location"] == ON
    page = client.get(ON)
    assert "img-src 'self' data:" in page.headers["Content-Security-Policy"]
    text = page.content.decode()
    assert 'src="data:image/svg+xml;base64,' in text
    found = re.search(r'<code id="secret">(\w+)</code>', text)
    assert found is not None
    assert "Incorrect code" in client.post(ON, {"code": "000"}).content.decode()
    done = client.post(ON, {"code": code_of(found[1])}, follow=True).content.decode()
    codes = re.findall(r"<li><code>(\d{8})</code></li>", done)
    assert len(codes) == 10
    return found[1], codes


def test_who_turned_it_on_is_asked_for_a_code(client: Client, ada: User) -> None:
    secret, codes = turned_on(client)
    assert "It is on" in client.get("/account/factor/").content.decode()
    browser = Client()
    asked = by_password(browser, next="/teams/")
    assert (asked.status_code, asked.headers["Location"]) == (302, ASKED)
    assert browser.get("/teams/").status_code == 302, "the password alone opens nothing"
    assert browser.get("/api/v1/runs").status_code == 401
    assert "Incorrect code" in browser.post(ASKED, {"code": "000000x"}).content.decode()
    done = browser.post(ASKED, {"code": code_of(secret, steps=1)})
    assert (done.status_code, done.headers["Location"]) == (302, "/teams/")
    assert browser.get("/teams/").status_code == 200
    again = Client()
    by_password(again)
    assert again.post(ASKED, {"code": code_of(secret, steps=1)}).status_code == 200, "a code opens once"
    assert again.post(ASKED, {"code": codes[0]}).status_code == 302
    events = list(AuditEvent.objects.order_by("pk").values_list("action", "details"))
    assert [action for action, _ in events] == [
        *("sign-in", "factor.add", "factor.add", "sign-in.refused", "sign-in", "sign-in.refused", "sign-in"),
    ]
    assert [details.get("type") for _, details in events][1:] == [
        *("totp", "recovery_codes", "totp", "totp", "totp", "recovery_codes"),
    ]


def test_wrong_codes_are_limited(client: Client, ada: User) -> None:
    _, codes = turned_on(client)
    browser = Client()
    by_password(browser)
    for number in range(5):
        browser.post(ASKED, {"code": f"wrong-{number}"})
    assert "Too many failed" in browser.post(ASKED, {"code": codes[0]}).content.decode()


def test_the_admin_site_has_no_way_around_it(client: Client, ada: User) -> None:
    User.objects.update(is_staff=True, is_superuser=True)
    turned_on(client)
    browser = Client()
    page = browser.post("/admin/login/?next=/admin/", {"username": "ada", "password": PASSWORD})
    assert (page.status_code, page.headers["Location"]) == (302, "/login/?next=%2Fadmin%2F")
    assert browser.get("/admin/").status_code == 302


def test_it_is_turned_off_and_codes_are_made_anew_after_a_confirmation(client: Client, ada: User) -> None:
    secret, codes = turned_on(client)
    renewed = client.post("/account/factor/recovery-codes/generate/", follow=True).content.decode()
    fresh = re.findall(r"<li><code>(\d{8})</code></li>", renewed)
    assert set(fresh).isdisjoint(codes)
    assert "Turn it off" in client.get(OFF).content.decode()
    browser = Client()
    by_password(browser)
    browser.post(ASKED, {"code": code_of(secret)})
    assert browser.post(OFF).headers["Location"].startswith("/account/confirm/?"), "who finds a browser cannot"
    assert client.post(OFF).status_code == 302
    assert not Authenticator.objects.exists()
    assert by_password(Client()).headers["Location"] == "/"


def test_an_administrator_ends_one_that_was_lost(client: Client, ada: User) -> None:
    secret, _ = turned_on(client)
    root, site = User.objects.create_superuser("root"), Client()
    site.force_login(root, backend="django.contrib.auth.backends.ModelBackend")
    factor = Authenticator.objects.get(type="totp")
    shown = site.get(f"/admin/mfa/authenticator/{factor.pk}/change/").content.decode()
    assert "TOTP" in shown and secret not in shown
    site.post("/admin/mfa/authenticator/", {"action": "end", "_selected_action": [factor.pk]})
    assert not Authenticator.objects.exists(), "the recovery codes end with it"
    event = AuditEvent.objects.get(action="factor.end")
    assert (event.actor, event.details) == (root, {"person": "ada", "type": "totp"})
    assert by_password(Client()).headers["Location"] == "/"


def test_the_only_administrator_ends_it_on_the_server(client: Client, ada: User) -> None:
    turned_on(client)
    text = (PROJECT / "docs" / "operations.md").read_text()
    [line] = re.findall(r'manage.py shell -c "(.*factor_end.*)"`', text)
    call_command("shell", "-c", line.replace("NAME", "ada"))
    assert not Authenticator.objects.exists(), "the recovery codes end with it"
    event = AuditEvent.objects.get(action="factor.end")
    assert (event.actor, event.details) == (None, {"person": "ada", "type": "totp"})


def test_without_redis_a_code_is_asked_again_later(client: Client, ada: User) -> None:
    _, codes = turned_on(client)
    browser = Client(raise_request_exception=False)
    with override_settings(CACHES=cache_settings("redis+socket:///no/such/socket?virtual_host=0")):
        assert by_password(browser).headers["Location"] == ASKED
        refused = browser.post(ASKED, {"code": codes[0]})
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
    assert "the broker is not available" in refused.content.decode()
    assert browser.post(ASKED, {"code": codes[0]}).status_code == 302, "it was not used up"
