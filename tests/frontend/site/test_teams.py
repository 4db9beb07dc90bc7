"""The pages of teams, as an admin and as a viewer see them."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from planner import selectors, services
from planner.models import Scenario

pytestmark = pytest.mark.django_db


def signed_in(name: str) -> Client:
    client = Client()
    user, _ = User.objects.get_or_create(username=name)
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_a_team_from_its_first_page_to_the_last(owner: User, scenario: Scenario) -> None:
    ada, eve = signed_in(owner.username), signed_in("eve")
    assert "You are in no team" in ada.get("/teams/").content.decode()
    made = ada.post("/teams/", {"name": "Payments"})
    team = selectors.teams_list(user=owner).get()
    assert made["Location"] == f"/teams/{team.pk}/"
    page = ada.get(made["Location"]).content.decode()
    assert page.count("The team has no ") == 3
    assert f"{scenario.name}, of {scenario.created_at:%Y-%m-%d %H:%M} UTC</option>" in page
    ada.post(f"/teams/{team.pk}/members/", {"name": "eve", "role": "viewer"})
    ada.post("/hand-over/", {"thing": scenario.pk, "team": team.pk, "next": f"/teams/{team.pk}/"})
    seen = eve.get(f"/teams/{team.pk}/").content.decode()
    assert scenario.name in seen and "Invite somebody" not in seen and "Hand over" not in seen
    assert "Payments" in eve.get(f"/scenarios/{scenario.pk}/").content.decode()
    assert eve.get(f"/teams/{team.pk}/activity/").status_code == 403
    asked = ada.get(f"/teams/{team.pk}/activity/?since=soon&action=team.").content.decode()
    assert "what is not there: since soon" in asked and "Created a team" in asked
    refused = eve.post(f"/scenarios/{scenario.pk}/archive/")
    assert refused.status_code == 403 and "yours is “viewer”" in refused.content.decode()
    eve.post(f"/teams/{team.pk}/members/", {"name": "eve", "role": ""})
    assert eve.get(f"/teams/{team.pk}/").status_code == 404


def test_a_link_leads_through_the_sign_in_to_the_team(owner: User) -> None:
    ada, nobody = signed_in(owner.username), Client()
    team = services.team_create(actor=owner, name="Payments")
    pages = [ada.post(f"/teams/{team.pk}/invitations/", {"name": name, "role": "planner"}) for name in ("zoe", "eve")]
    link = re.findall("http://testserver(/invitations/[^<]+)<", pages[1].content.decode())[0]
    assert nobody.get(link)["Location"] == f"/login/?next={link}"
    eve = signed_in("eve")
    assert "Join Payments?" in eve.get(link).content.decode()
    refused = ada.get(link)
    assert refused.status_code == 404 and "other than ada" in refused.content.decode()
    shown = ada.get(f"/teams/{team.pk}/").content.decode()
    assert shown.count("invited as planner") == 2 and link not in shown
    assert eve.post(link)["Location"] == f"/teams/{team.pk}/"
    assert "your role: planner" in eve.get(f"/teams/{team.pk}/").content.decode()
    assert "Invite somebody" not in eve.get(f"/teams/{team.pk}/").content.decode()
    assert eve.post(link).status_code == 404
    asked = selectors.invitations_list(user=owner, team=team).get()
    ada.post(f"/teams/{team.pk}/invitations/", {"withdraw": asked.pk})
    assert not selectors.invitations_list(user=owner, team=team).exists()


def test_nothing_changes_through_a_form_that_does_many_at_once(owner: User, scenario: Scenario) -> None:
    team = services.team_create(actor=owner, name="Payments")
    services.hand_over(row=scenario, actor=owner, team=team)
    eve = signed_in("eve")
    services.member_set(team=team, actor=owner, name="eve", role="viewer")
    forms: tuple[tuple[str, dict[str, str]], ...] = (
        ("/scenarios/chosen/", {"scenario": scenario.pk, "action": "archive"}),
        ("/scenarios/chosen/", {"scenario": scenario.pk, "tag": "x"}),
        (f"/scenarios/chosen/undo/?scenario={scenario.pk}", {}),
        ("/compare/run/", {"id": scenario.pk}),
        (f"/scenarios/{scenario.pk}/", {"action": "save", "name": "Other"}),
    )
    for address, form in forms:
        assert eve.post(address, form).status_code == 403, address
    scenario.refresh_from_db()
    assert (scenario.archived_at, scenario.tags, scenario.revision) == (None, [], 1)


def test_the_versions_page_hands_a_scenario_over(owner: User, scenario: Scenario) -> None:
    User.objects.create_user("eve")
    ada = signed_in(owner.username)
    assert "nobody else sees it" in ada.get(f"/scenarios/{scenario.pk}/versions/").content.decode()
    wrong = ada.post("/hand-over/", {"thing": scenario.pk, "person": "nobody"}, follow=True)
    assert "there is nobody of this name" in wrong.content.decode()
    ada.post("/hand-over/", {"thing": scenario.pk, "person": "eve"})
    assert ada.get(f"/scenarios/{scenario.pk}/versions/").status_code == 404
    assert signed_in("eve").get(f"/scenarios/{scenario.pk}/versions/").status_code == 200
