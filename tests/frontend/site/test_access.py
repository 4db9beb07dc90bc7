"""Every page asks the same questions: who may open it, with which method."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from planner import services
from planner.models import Run, Scenario
from simulations.scenario.spec import parse

PACKED = ["report-parquet", "report-capsule"]
"""Downloads that are no text."""
GET_ONE = [
    "workbench",
    "run",
    "run-live",
    "report",
    "report-html",
    "report-json",
    "report-csv",
    *PACKED,
    "versions",
    "server",
    "queue-new",
    "queue",
]
GET_ALL = ["scenarios", "drawer", "reports", "report-schema", "tokens", "inventory", "compare"]
POST_ONE = [
    "workbench-answer",
    "workbench-fields",
    "scenario-copy",
    "scenario-archive",
    "scenario-restore",
    "run-cancel",
    "run-pause",
    "run-resume",
    "run-retry",
    "run-fix",
    "run-longer",
    "run-proof",
    "report-new",
    "report-step",
    "report-share",
    "share-revoke",
    "token-revoke",
    "scenario-tags",
    "scenario-store",
    "version-restore",
    "server-archive",
    "server-restore",
    "queue-archive",
    "queue-restore",
]
WRITTEN_TOO = ["workbench", "tokens", "server", "queue", "queue-new"]


def test_a_page_older_than_the_signing_in_is_refused_in_words(owner: User, scenario: Scenario) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(owner)
    answer = browser.post(f"/scenarios/{scenario.pk}/", {"action": "save"})
    assert answer.status_code == 403
    text = answer.content.decode()
    assert "You signed in again after this page was loaded" in text
    assert "style=" not in text


@pytest.fixture
def addresses(finished: Run, scenario: Scenario) -> dict[str, str]:
    """The address of every page by its name."""
    report = services.report_create(run=finished, owner=finished.owner)
    (server,) = services.inventory_save(owner=finished.owner, spec=parse(finished.spec))
    token = services.token_create(owner=finished.owner, name="check", scopes=["read"]).row
    keys = {
        "workbench": scenario.pk,
        "scenario": scenario.pk,
        "run": finished.pk,
        "report": report.pk,
        "token": token.pk,
        "versions": scenario.pk,
        "server": server.pk,
        "queue": server.queues.get().pk,
        "queue-new": server.pk,
        "report-new": finished.pk,
        "share": services.share_create(report=report, actor=finished.owner, days=1).row.pk,
    }
    further = {"version-restore": reverse("version-restore", args=[scenario.pk, 1])}
    named = {
        name: further.get(name) or reverse(name, args=[keys.get(name) or keys[name.split("-")[0]]])
        for name in (*GET_ONE, *POST_ONE)
    }
    return {**named, **{name: reverse(name) for name in (*GET_ALL, "scenario-new")}}


def test_the_owner_reads_every_page(person: Client, addresses: dict[str, str]) -> None:
    assert {name: person.get(addresses[name]).status_code for name in (*GET_ONE, *GET_ALL)} == dict.fromkeys(
        (*GET_ONE, *GET_ALL), 200
    )


def test_strangers_cannot_tell_that_it_exists(stranger: Client, addresses: dict[str, str]) -> None:
    read = {name: stranger.get(addresses[name]).status_code for name in GET_ONE}
    changed = {name: stranger.post(addresses[name]).status_code for name in POST_ONE}
    assert set({**read, **changed}.values()) == {404}, {**read, **changed}


def test_nobody_comes_in_without_signing_in(client: Client, addresses: dict[str, str]) -> None:
    for name, address in addresses.items():
        answer = client.post(address) if name in POST_ONE else client.get(address)
        assert answer.status_code == 302, name
        assert answer.headers["Location"].startswith("/login/"), name


@pytest.mark.parametrize(
    ("came", "back"), [("http://testserver/questions/?q=a", "/questions/?q=a"), ("https://elsewhere.example/x", "/")]
)
def test_who_sends_a_form_after_the_session_ended_comes_back_to_the_page_with_it(
    client: Client, owner: User, came: str, back: str
) -> None:
    owner.set_password("correct horse")
    owner.save()
    sent = client.post("/scenarios/new/", {"preset": "surge-backlog"}, headers={"Referer": came})
    signed = client.post(sent.headers["Location"], {"username": owner.username, "password": "correct horse"})
    assert signed.headers["Location"].removeprefix("http://testserver") == back


def test_an_address_that_takes_a_form_says_so_to_who_opens_it(person: Client) -> None:
    refused = person.get("/scenarios/new/")
    assert (refused.status_code, refused.headers["Allow"]) == (405, "POST")
    assert "takes what a form sends" in refused.content.decode()
    assert "It answers GET, HEAD only." in person.post("/runs/").content.decode()


def test_changes_need_post_and_lists_take_none(person: Client, addresses: dict[str, str]) -> None:
    assert {person.get(addresses[name]).status_code for name in (*POST_ONE, "scenario-new")} == {405}
    reading = [name for name in (*GET_ONE, *GET_ALL) if name not in WRITTEN_TOO]
    assert {person.post(addresses[name]).status_code for name in reading} == {405}


def test_every_page_forbids_inline_code(person: Client, addresses: dict[str, str]) -> None:
    for name in (*GET_ONE, *GET_ALL):
        answer = person.get(addresses[name])
        policy = answer.headers["Content-Security-Policy"]
        assert "script-src 'self';" in f"{policy};", name
        assert "unsafe" not in policy, name
        if name in PACKED:
            continue
        text = answer.content.decode()
        assert " style=" not in text, name
        assert " onclick=" not in text, name


def test_who_is_signed_out_is_led_to_the_sign_in_and_scripts_are_refused(client: Client, scenario: Scenario) -> None:
    page = f"/scenarios/{scenario.pk}/"
    assert client.get(page).headers["Location"].startswith("/login/")
    assert client.get("/runs/", headers={"HX-Request": "true"}).status_code == 401
    assert client.post(f"{page}answer/", headers={"Accept": "application/json"}).status_code == 401
