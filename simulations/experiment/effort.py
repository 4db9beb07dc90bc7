"""How much each point of a plan gets, so that a map of a thousand cells is readable soon and a few are precise."""

from simulations.experiment.questions import Effort, Kind
from simulations.scenario.runsettings import Replications
from simulations.scenario.spec import ScenarioSpec

FEW_POINTS = 100
"""Up to so many points each is as precise as the scenario asks; more make a map, whose cells only need a verdict."""
MESSAGES = 24_000_000
"""Messages of the fewest replications of all points together."""
SHORTEST = 4_000
"""Messages of one replication, at least: fewer say little about a 95th percentile."""
MAP_REPLICATIONS = Replications(min=3, max=24)
MAP_PRECISION = 0.05
SEARCH_REPLICATIONS = Replications(min=8, max=40)


def affordable(effort: Effort, spec: ScenarioSpec, points: int, *, kind: Kind) -> Effort:
    """Return ``effort`` with everything chosen that was left out."""
    many = points > FEW_POINTS
    replications = effort.replications or (MAP_REPLICATIONS if many else _replications(spec, kind))
    messages = effort.messages
    if messages is None and spec.run.horizon.messages is not None:
        share = MESSAGES // (points * replications.min)
        messages = min(spec.run.horizon.messages, max(SHORTEST, share))
    precision = effort.precision or (MAP_PRECISION if many else spec.run.precision.relative)
    return Effort(messages=messages, replications=replications, precision=precision)


def _replications(spec: ScenarioSpec, kind: Kind) -> Replications:
    own = spec.run.replications
    if kind in ("sweep", "optimize"):
        return own
    return Replications(min=min(own.min, SEARCH_REPLICATIONS.min), max=min(own.max, SEARCH_REPLICATIONS.max))
