"""A plan gives the first points of a question and, after each round, which are decided and which ones come next."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from simulations.analysis.estimates.summary import PointSummary
from simulations.experiment.points import Point
from simulations.scenario.spec import ScenarioSpec

Answers = Mapping[int, PointSummary]
"""The newest answer of each point that has one, by index; each from all replications planned for it so far."""


@dataclass(frozen=True)
class Steering:
    """What a plan wants after a round."""

    settled: frozenset[int] = frozenset()
    """Points that need no more replications, precise or not."""
    more: tuple[Point, ...] = ()
    """New points."""
    upcoming: int = 0
    """Points that may still come after those: only the progress depends on it."""


class Plan(Protocol):
    """The course of a question. It depends on the answers only, never on time or on how they were computed."""

    spec: ScenarioSpec
    """The scenario as the question simulates it."""

    def first(self) -> tuple[Point, ...]:
        """Return the points of the first round; point 0 is the one that all others are compared with."""

    def steer(self, answers: Answers) -> Steering:
        """Return what shall happen after a round."""
