"""Expanding a scenario into the points that are computed, within the installation's limit."""

from django.conf import settings

from simulations.declarations.problems import InvalidInput
from simulations.experiment import Expansion, expansion
from simulations.scenario.axes import size_problems
from simulations.scenario.spec import ScenarioSpec


def plan_points(spec: ScenarioSpec) -> Expansion:
    """Return the scenario's points; raises InvalidInput when there are too many, or none that can be simulated.

    Counts before it expands: a plan of 10^12 points costs nothing.
    """
    too_large = size_problems(spec.sweep, most=settings.ENVIRONMENT.max_sweep_points)
    if too_large:
        raise InvalidInput(too_large)
    return expansion(spec)
