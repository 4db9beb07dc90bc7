"""From a scenario to the points that are computed, within the installation's limit."""

import math

from django.conf import settings

from simulations.experiment import Point, expand
from simulations.problems import InvalidInput, problem
from simulations.scenario import ScenarioSpec


def plan_points(spec: ScenarioSpec) -> tuple[Point, ...]:
    """Return the scenario's points; raises InvalidInput that names every forbidden value of the sweep.

    Counts before it expands: a plan of 10^12 points costs nothing.
    """
    size, most = math.prod(axis.length for axis in spec.sweep), settings.ENVIRONMENT.max_sweep_points
    if size > most:
        message = f"the sweep has {size} points, at most {most} are allowed; use fewer values or steps"
        raise InvalidInput([problem(("sweep",), message, code="too_many_points", value=size)])
    return expand(spec)
