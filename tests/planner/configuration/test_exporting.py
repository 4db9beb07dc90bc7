"""Chosen settings as the vendor can hold them."""

import pytest

from planner.configuration.exporting import configuration_written
from simulations.scenario.spec import parse
from tests.simulations.platforms.samples import scenario_body


@pytest.mark.parametrize(
    ("setting", "asked", "written"),
    [("transaction_timeout", 6.027, 7), ("redelivery_delay", 0.0302, 0.031), ("redelivery_delay", 1.5, 1.5)],
)
def test_times_are_written_up_to_whole_units_of_the_vendors_setting(setting: str, asked: float, written: float) -> None:
    """The transaction timeout is one of seconds, the delay before a redelivery one of milliseconds."""
    installed, wanted = (parse(scenario_body("weblogic", queue=own)) for own in ({}, {setting: asked}))
    made = configuration_written(installed=installed, wanted=wanted, scenario_hash="cafe", originals={})
    assert [(change.path, change.after) for change in made.changes] == [(f"queues.orders.settings.{setting}", written)]


def test_a_fraction_of_a_unit_above_what_is_installed_is_no_change() -> None:
    installed, wanted = (
        parse(scenario_body("weblogic", queue={"transaction_timeout": value})) for value in (7.0, 6.027)
    )
    made = configuration_written(installed=installed, wanted=wanted, scenario_hash="cafe", originals={})
    assert made.changes == ()
