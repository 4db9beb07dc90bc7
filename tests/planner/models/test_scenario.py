"""What a scenario says of itself."""

import pytest

from planner.models import Scenario, ScenarioVersion


def test_a_scenario_belongs_to_its_name_and_its_tags() -> None:
    assert Scenario(name="Orders", tags=["peak", "shop"]).applications == ("Orders", "peak", "shop")


def test_a_scenario_without_a_version_is_a_defect() -> None:
    with pytest.raises(ScenarioVersion.DoesNotExist, match="scn_1 has no version"):
        _ = Scenario(id="scn_1").version


def test_a_version_is_parsed_as_it_was_stored(scenario: Scenario) -> None:
    assert scenario.version.parsed.body() == scenario.version.spec
