"""From a scenario to the points that are computed, within the installation's limit."""

from django.conf import settings

from simulations.axes import size_problems
from simulations.experiment import Point, expand
from simulations.problems import InvalidInput
from simulations.scenario import ScenarioSpec


def plan_points(spec: ScenarioSpec) -> tuple[Point, ...]:
    """Return the scenario's points; raises InvalidInput when there are too many.

    Counts before it expands: a plan of 10^12 points costs nothing.
    """
    too_large = size_problems(spec.sweep, most=settings.ENVIRONMENT.max_sweep_points)
    if too_large:
        raise InvalidInput(too_large)
    return expand(spec)
