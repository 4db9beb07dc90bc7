"""Calibrations as bodies."""

from planner.api.schemas.calibrations import CalibrationLine
from planner.models import Calibration, Scenario


def test_a_line_names_what_it_began_with_and_what_was_made_of_it(scenario: Scenario) -> None:
    row = Calibration.objects.create(owner=scenario.owner, name="log", location="log.csv", base=scenario.version)
    line = CalibrationLine.of(row)
    assert (line.id, line.status, line.base, line.scenario) == (row.pk, "queued", scenario.pk, None)
