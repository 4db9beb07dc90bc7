"""Presets become an owner's scenarios, once."""

from django.contrib.auth.models import User

from planner import services
from planner.models import Scenario, Server
from planner.presets.files import presets
from planner.services.inventory import server_read


def test_presets_are_stored_once_with_their_servers(owner: User, stranger: User) -> None:
    keys = [preset.key for preset in presets()]
    made = services.presets_load(owner=owner)
    assert [scenario.preset for scenario in made] == keys
    assert made[0].version.note == presets()[0].question
    assert Server.objects.filter(owner=owner).exists()
    assert services.presets_load(owner=owner) == []
    assert len(services.presets_load(owner=stranger)) == len(keys)


def test_an_archived_preset_does_not_come_back_and_a_missing_one_does(owner: User) -> None:
    first, second, *_ = services.presets_load(owner=owner)
    services.scenario_archive(scenario=first, actor=owner)
    Scenario.objects.filter(pk=second.pk).update(preset="")
    assert [scenario.preset for scenario in services.presets_load(owner=owner)] == [second.preset]


def test_a_server_of_another_platform_stays_where_a_preset_has_its_name(owner: User) -> None:
    shop = server_read("openmq", {"name": "shop", "cpus": 2})
    services.server_store(owner=owner, platform="openmq", read=shop)
    assert "limit-of-16" in [scenario.preset for scenario in services.presets_load(owner=owner)]
    assert Server.objects.get(owner=owner, name="shop").platform == "openmq"
    assert Server.objects.filter(owner=owner, name="hub").exists()
