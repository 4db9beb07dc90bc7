"""API tokens and signed-in browsers on their pages."""

from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.test import Client

from planner import services
from planner.models import ApiToken, AuditEvent

PAGE = "/account/sessions/"
PASSWORD = "correct-horse-battery"


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


def signed_in(user: User, agent: str, address: str) -> Client:
    """A browser of that person that has opened a page."""
    browser = Client(headers={"User-Agent": agent}, REMOTE_ADDR=address)
    browser.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    assert browser.get("/teams/").status_code == 200
    return browser


def test_people_see_where_they_are_signed_in_and_end_it_there(owner: User) -> None:
    here, there, third = (signed_in(owner, f"Browser/{number}", f"10.0.0.{number}") for number in (1, 2, 3))
    page = here.get(PAGE).content.decode()
    assert all(f"Browser/{number}" in page and f"10.0.0.{number}" in page for number in (1, 2, 3))
    assert page.count("this browser") == 1
    here.post(PAGE)
    assert [one.get("/teams/").status_code for one in (here, there, third)] == [200, 302, 302]


def test_people_end_one_browser_and_the_trail_tells(owner: User) -> None:
    here, there, third = (signed_in(owner, f"Browser/{number}", f"10.0.0.{number}") for number in (1, 2, 3))
    lost = UserSession.objects.get(user_agent="Browser/2")
    here.post(PAGE, {"session": lost.pk})
    assert [one.get("/teams/").status_code for one in (here, there, third)] == [200, 302, 200]
    event = AuditEvent.objects.get(action="sign-in.end")
    assert event.details == {"person": "ada", "address": "10.0.0.2", "browser": "Browser/2"}
    assert "Ended a browser" in here.get("/account/activity/").content.decode()


def test_nobody_ends_somebody_elses(owner: User, stranger: Client) -> None:
    here = signed_in(owner, "Browser/1", "10.0.0.1")
    stranger.post(PAGE)
    stranger.post(PAGE, {"session": UserSession.objects.get(user=owner).pk})
    assert "Browser/1" not in stranger.get(PAGE).content.decode()
    assert here.get("/teams/").status_code == 200


def test_a_changed_password_leaves_one_browser_in_the_list(owner: User) -> None:
    here = signed_in(owner, "Browser/1", "10.0.0.1")
    signed_in(owner, "Browser/2", "10.0.0.2")
    new = {"old_password": PASSWORD, "new_password1": "staple-of-batteries", "new_password2": "staple-of-batteries"}
    assert here.post("/account/password/", new).status_code == 302
    listed = here.get(PAGE).context["sessions"]
    assert [(one.user_agent, one.session_key) for one in listed] == [("Browser/1", here.session.session_key)]


def test_a_browser_is_noted_once_a_day(owner: User) -> None:
    browser = signed_in(owner, "Browser/1", "10.0.0.1")
    UserSession.objects.update(ip="10.0.0.9")
    browser.get("/teams/")
    assert UserSession.objects.get().ip == "10.0.0.9"
