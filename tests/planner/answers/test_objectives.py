"""Objectives at their very bound: rounding decides nothing, an interval around the bound leaves it open."""

from dataclasses import replace

import pytest

from simulations.analysis.estimates.summary import Estimate
from simulations.experiment.verdicts import objective_verdicts
from simulations.scenario.runsettings import Objective
from tests.planner.conftest import summary_of

SECONDS = 2.0


@pytest.mark.parametrize(
    ("value", "half", "met", "unresolved"),
    [
        (2.0, 0.0, True, False),
        (2.0 + 4e-16, 4e-16, True, False),
        (2.0 - 4e-16, 4e-16, True, False),
        (1.999, 0.01, True, True),
        (2.001, 0.0, False, False),
    ],
)
def test_a_value_at_its_bound(value: float, half: float, met: bool, unresolved: bool) -> None:  # noqa: FBT001
    drained = Estimate(value, value - half, value + half, "s")
    summary = replace(summary_of(0), metrics={"drain_time": drained})
    (verdict,) = objective_verdicts((Objective(metric="drain_time", at_most=SECONDS),), summary)
    assert (verdict.met, verdict.unresolved) == (met, unresolved)
