"""Whether a point meets the scenario's objectives."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.experiment.verdicts import estimate_of
from simulations.scenario.runsettings import Objective

_ROUNDING = 1e-9
"""Relative size of what adding floating point numbers up can change; no interval is that narrow."""


@dataclass(frozen=True)
class Verdict:
    """An objective at a point; ``estimate`` is None where the point has no such number, and then it is missed."""

    objective: Objective
    estimate: Estimate | None
    met: bool

    @property
    def unresolved(self) -> bool:
        """Whether the bound lies inside the interval, so that more replications may turn the verdict."""
        bound = self.objective.at_most if self.objective.at_most is not None else self.objective.at_least
        if self.estimate is None or bound is None or not self.estimate.low <= bound <= self.estimate.high:
            return False
        return self.estimate.half_width > 0

    @property
    def word(self) -> Literal["met", "missed", "unresolved"]:
        """How it is judged."""
        return "unresolved" if self.unresolved else "met" if self.met else "missed"


def objective_verdicts(objectives: Sequence[Objective], summary: PointSummary) -> tuple[Verdict, ...]:
    """Judge every objective by the estimated value."""
    estimates = [(objective, estimate_of(summary, objective)) for objective in objectives]
    return tuple(Verdict(item, found, found is not None and _met(item, found.value)) for item, found in estimates)


def _met(objective: Objective, value: float) -> bool:
    if objective.at_most is not None:
        return value <= objective.at_most + _ROUNDING * abs(objective.at_most)
    if objective.at_least is not None:
        return value >= objective.at_least - _ROUNDING * abs(objective.at_least)
    return value == objective.equals
