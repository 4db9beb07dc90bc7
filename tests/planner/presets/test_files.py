"""Every preset is a scenario that can be run, says where its numbers come from, and shows something."""

import pytest

from planner.jobs.plans import plan_points
from planner.presets.files import CARDS, FOLDER, Preset, presets
from simulations.platforms import PLATFORMS
from simulations.scenario.spec import parse


def test_every_file_has_a_card_and_every_card_a_file() -> None:
    keys = [preset.key for preset in presets()]
    assert len(set(keys)) == len(keys) >= 5
    assert set(keys) == {path.stem for path in FOLDER.glob("*.yaml")} - {CARDS}


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.key)
def test_a_preset_can_be_run_and_composed_again(preset: Preset) -> None:
    assert preset.spec.platform in PLATFORMS
    assert len(plan_points(preset.spec)) > 1
    assert preset.spec.name not in {other.spec.name for other in presets() if other is not preset}
    assert parse(preset.spec.body()) == preset.spec
    assert len(preset.source) > 20


def test_servers_of_different_presets_have_different_names() -> None:
    """They share one inventory, where a name stands for one server."""
    names = [server.name for preset in presets() for server in preset.spec.servers]
    assert len(set(names)) == len(names)
