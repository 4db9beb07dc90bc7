"""The page that says what broken rules cost."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from planner import services
from planner.models import Run, Scenario
from simulations.scenario.spec import parse
from tests.planner.management.commands.test_rule_costs import broken


@pytest.fixture
def narrow(owner: User) -> Scenario:
    """Open MQ with a window half as large as its pool."""
    return services.scenario_store(owner=owner, spec=parse(broken()))


def test_broken_rules_are_listed_and_measured_only_when_asked(person: Client, narrow: Scenario) -> None:
    before = person.get(f"/scenarios/{narrow.pk}/costs/").content.decode()
    assert "openmq.limit-covers-pool" in before
    assert "More than with the cure" not in before
    after = person.post(f"/scenarios/{narrow.pk}/costs/").content.decode()
    section = next(part for part in after.split("<section") if "openmq.limit-covers-pool" in part)
    rows = re.findall(r'<th scope="row">([^<]+)</th><td class="num">([^<]+)</td><td>(\w+)</td>', section)
    assert ("Mean latency", "worse") in {(title, way) for title, _, way in rows}
    assert all("±" in text for _, text, _ in rows)
    assert not Run.objects.exists()


def test_a_scenario_that_keeps_every_rule_says_so(person: Client, owner: User) -> None:
    body = broken()
    body["queues"][0] = {**body["queues"][0], "arrivals": {"kind": "poisson", "rate": 1.0}, "settings": {}}
    page = person.get(f"/scenarios/{services.scenario_store(owner=owner, spec=parse(body)).pk}/costs/").content.decode()
    assert "keeps every rule" in page
    assert "<button" not in page.split("<main")[1].split("Back to the workbench")[1].split("</main")[0]


def test_the_workbench_leads_there_and_others_do_not_see_it(
    person: Client, narrow: Scenario, client: Client, django_user_model: Any
) -> None:
    address = f"/scenarios/{narrow.pk}/costs/"
    assert f'href="{address}"' in person.get(f"/scenarios/{narrow.pk}/").content.decode()
    client.force_login(django_user_model.objects.create_user("other"))
    assert client.get(address).status_code == 404
    assert client.post(address).status_code == 404
