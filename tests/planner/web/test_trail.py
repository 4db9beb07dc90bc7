"""The trail of sign-ins, downloads and readings of shared reports, and who reads it."""

import csv
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from frontend.wording.numbers import TEXTS
from planner import selectors, services
from planner.errors import Forbidden
from planner.models import AuditEvent, Run
from planner.settings.environment import BASE_DIR
from planner.web.trail import FACTORS
from tests.planner.computing import compute

pytestmark = pytest.mark.django_db(transaction=True)  # the heartbeat of a run asks on a connection of its own


def trail(**which: object) -> list[str]:
    return list(AuditEvent.objects.filter(**which).order_by("pk").values_list("action", flat=True))


def test_sign_ins_are_noted_and_those_that_were_refused(owner: User, client: Client) -> None:
    owner.set_password("correct horse battery")
    owner.save()
    for password in ("wrong", "correct horse battery"):
        client.post("/login/", {"username": "ada", "password": password})
    client.post("/login/", {"username": "nobody", "password": "x"})
    assert trail(target=str(owner.pk)) == ["sign-in.refused", "sign-in"]
    refused = AuditEvent.objects.get(action="sign-in.refused")
    assert (refused.actor, refused.details) == (None, {"person": "ada", "address": "127.0.0.1"})
    assert selectors.events_list(user=owner).count() == 2


def test_downloads_are_noted_for_the_team_of_what_was_saved(run: Run, owner: User, stranger: User) -> None:
    compute(run)
    team = services.team_create(actor=owner, name="Payments")
    services.hand_over(row=run.version.scenario, actor=owner, team=team)
    services.member_set(team=team, actor=owner, name="eve", role="viewer")
    issued = services.token_create(owner=stranger, name="t", scopes=["export"])
    answer = Client().get(f"/api/v1/runs/{run.pk}/results.csv", headers={"Authorization": f"Bearer {issued.secret}"})
    assert answer.status_code == 200
    event = AuditEvent.objects.get(action="download")
    assert (event.actor, event.team, event.target, event.details) == (stranger, team, run.pk, {"file": "results.csv"})
    report = services.report_create(run=run, owner=owner)
    link = services.share_create(report=report, actor=owner, days=1)
    assert Client().get(f"/shared/{link.secret}/").status_code == 200
    assert trail(team=team, actor=None) == ["report.read"]
    with pytest.raises(Forbidden):
        selectors.events_list(user=stranger, team=team)
    assert "download" in {event.action for event in selectors.events_list(user=owner, team=team)}


def test_the_activity_is_a_page_and_a_file(owner: User, client: Client) -> None:
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    team = services.team_create(actor=owner, name="Payments")
    page = client.get(f"/teams/{team.pk}/activity/?action=team.").content.decode()
    assert "Created a team" in page and "Signed in" not in page.partition("<tbody>")[2]
    text = client.get("/account/activity/?format=csv&since=2000-01-01").content.decode()
    rows = list(csv.reader(text.splitlines()))
    assert rows[0] == ["at", "who", "what", "to", "details"] and {row[2] for row in rows[1:]} == {
        "team.create",
        "sign-in",
    }
    assert "Nothing matches" in client.get("/account/activity/?since=2999-01-01").content.decode()


def test_every_action_has_words_and_its_thing_a_link(run: Run, owner: User, client: Client) -> None:
    code = "".join(file.read_text() for file in (BASE_DIR / "planner").rglob("*.py"))
    recorded = set(re.findall(r'(?:action=|actor, )"([a-z-]+\.[a-z-]+|download|sign-in)"', code))
    assert len(recorded) > 25 and recorded | set(FACTORS.values()) <= set(TEXTS["activity"])
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    scenario = run.version.scenario
    again = services.run_start(version=run.version, owner=owner, force=True).run
    rows = client.get("/account/activity/").content.decode().partition("<tbody>")[2]
    assert f'href="/runs/{again.pk}/">{scenario.name}</a>' in rows and "Started a run" in rows
    assert f'href="/scenarios/{scenario.pk}/">{scenario.name}</a>' in rows and "run.start" not in rows
    text = client.get("/account/activity/?format=csv").content.decode()
    assert f"run.start,{again.pk}" in text and scenario.name not in text
