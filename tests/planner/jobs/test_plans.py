"""A scenario is expanded within the limit of the installation."""

from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from planner.jobs.plans import plan_points
from simulations.declarations.problems import InvalidInput
from simulations.scenario.spec import parse


def test_the_points_of_a_sweep_are_planned_up_to_the_limit(body: dict[str, Any]) -> None:
    spec = parse(body)
    assert [point.index for point in plan_points(spec).points] == [0, 1]
    small = settings.ENVIRONMENT.model_copy(update={"max_sweep_points": 1})
    with override_settings(ENVIRONMENT=small), pytest.raises(InvalidInput, match="2 points"):
        plan_points(spec)
