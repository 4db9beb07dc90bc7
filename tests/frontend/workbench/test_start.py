"""A scenario from nothing."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from planner.models import Scenario
from simulations.platforms import PLATFORMS

ASKED = {
    "name": "Orders",
    "queues.0.arrivals.rate": "30/s",
    "queues.0.service.mean": "50ms",
    "objectives.0.value": "2 s",
}


@pytest.mark.parametrize("platform", PLATFORMS)
def test_four_numbers_make_a_scenario(person: Client, owner: User, platform: str) -> None:
    assert f"?platform={platform}" in person.get("/scenarios/start/").content.decode()
    form = person.get("/scenarios/start/", {"platform": platform}).content.decode()
    assert form.count('<div class="field') == 5
    answer = person.post("/scenarios/start/", {"platform": platform, **ASKED})
    made = Scenario.objects.get(owner=owner)
    assert answer.headers["Location"] == f"/scenarios/{made.pk}/"
    spec = made.version.parsed
    assert (made.name, spec.platform, spec.objectives[0].at_most) == ("Orders", platform, 2.0)
    assert spec.body()["queues"][0]["arrivals"]["rate"] == 30.0
    assert spec.body()["queues"][0]["service"]["mean"] == 0.05


def test_a_wrong_number_is_told_at_its_field(person: Client, owner: User) -> None:
    wrong = {**ASKED, "platform": "weblogic", "queues.0.arrivals.rate": "many"}
    answer = person.post("/scenarios/start/", wrong)
    assert answer.status_code == 422
    assert 'value="many"' in answer.content.decode()
    assert 'aria-invalid="true"' in answer.content.decode()
    assert not Scenario.objects.filter(owner=owner).exists()
