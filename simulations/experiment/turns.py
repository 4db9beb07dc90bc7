"""Where the first objective turns along the one swept setting: read off the sweep, then found between two values of it.

The search takes the objective to turn once between two neighbors of the sweep. All values are simulated with the same
random numbers, so that one value is never luckier than the next.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from simulations.analysis.estimates.summary import Estimate, PointSummary
from simulations.declarations.problems import InvalidInput
from simulations.experiment.points import Point, with_overrides
from simulations.experiment.verdicts import Verdict, estimate_of, verdict_of
from simulations.scenario.spec import ScenarioSpec, revised

MOST_STAGES = 8
"""Rounds of the search at most."""
INNER = 3
"""Values tried between two ends in one round."""
FINE = 50
"""Numbers that are not whole are searched to the power of ten below this part of the upper end."""
Simulate = Callable[[Sequence[Point]], Iterable[PointSummary]]


@dataclass(frozen=True)
class Turn:
    """Up to ``last`` the first objective is met, from ``first`` on it is missed; the reverse unless ``met_below``.

    Each end is at least 97.5 % sure. Between the two it cannot be told, or was not tried.

    Attributes:
        last: a value of the setting at ``path``; ``first`` is another above it.
        below: the objective's metric at ``last``, ``above`` at ``first``; None where the backlog grows there.
        replications: fewest behind an end.
        tried: how many values between them were simulated.
    """

    path: str
    last: float
    first: float
    met_below: bool
    below: Estimate | None
    above: Estimate | None
    replications: int
    tried: int = 0

    @property
    def step(self) -> float:
        """The difference of two values that the search tells apart."""
        if isinstance(self.last, int) and isinstance(self.first, int):
            return 1
        return 10.0 ** math.floor(math.log10(self.first / FINE))

    @property
    def found(self) -> bool:
        """Whether the ends are as close as the search tells values apart."""
        return self.first - self.last <= self.step * (1 + 1e-9)


def turn_of(spec: ScenarioSpec, summaries: Iterable[PointSummary]) -> Turn | None:
    """Return the one turn; None where the sweep is not of one number, nothing turns, it turns twice, or that is not
    sure of a value outside the two ends."""
    if len(spec.sweep) != 1 or not spec.objectives:
        return None
    path = spec.sweep[0].path
    known = _judged(spec, path, (item for item in summaries if item.status != "invalid"))
    sure = [(value, verdict == "met", item) for value, (verdict, item) in known.items() if verdict != "unsure"]
    turns = [(one, other) for one, other in pairwise(sure) if one[1] != other[1]]
    if len(turns) != 1:
        return None
    (last, met, below), (first, _, above) = turns[0]
    unsure = [value for value, (verdict, _) in known.items() if verdict == "unsure"]
    if not all(last < value < first for value in unsure):
        return None
    ends = (estimate_of(below, spec.objectives[0]), estimate_of(above, spec.objectives[0]))
    if any(end is None and item.status != "unstable" for end, item in zip(ends, (below, above), strict=True)):
        return None
    return Turn(path, last, first, met, *ends, min(below.replications, above.replications), len(unsure))


def found_turn(spec: ScenarioSpec, summaries: Sequence[PointSummary], simulate: Simulate) -> Turn | None:
    """Return the turn after a search between its ends; None as ``turn_of`` does, and where the search refutes it.
    ``simulate`` gets points with the fewest replications that the scenario asks for."""
    turn, answers = turn_of(spec, summaries), list(summaries)
    fewest = spec.run.replications.min
    run = {**spec.run.model_dump(mode="json"), "replications": {"min": fewest, "max": fewest}}
    base = revised(spec.unswept, [(("run",), run)])
    for _ in range(MOST_STAGES):
        points = list(_points(base, turn, spec, answers)) if turn else []
        if not points:
            break
        answers += simulate(points)
        turn = turn_of(spec, answers)
    return turn


def _judged(
    spec: ScenarioSpec, path: str, summaries: Iterable[PointSummary]
) -> Mapping[float, tuple[Verdict, PointSummary]]:
    """Every value with its verdict, in the order of the values; empty where one is no number above 0. Zero and less
    often mean that there is no limit."""
    by_value: dict[Any, PointSummary] = {item.overrides.get(path): item for item in summaries}
    if any(isinstance(value, bool) or not isinstance(value, int | float) or value <= 0 for value in by_value):
        return {}
    return {value: (verdict_of(spec.objectives[:1], item), item) for value, item in sorted(by_value.items())}


def _points(base: ScenarioSpec, turn: Turn, spec: ScenarioSpec, answers: Iterable[PointSummary]) -> Iterator[Point]:
    """The next values between the ends and what cannot be told, as far as the scenario allows them."""
    tried = [value for value in _judged(spec, turn.path, answers) if turn.last <= value <= turn.first]
    gaps = dict.fromkeys(((tried[0], tried[1]), (tried[-2], tried[-1])))
    values = [value for low, high in gaps for value in _between(low, high, turn.step)]
    for place, value in enumerate(values):
        try:
            yield Point(place, {turn.path: value}, with_overrides(base, {turn.path: value}))
        except InvalidInput:
            continue  # the other values still narrow the turn


def _between(low: float, high: float, step: float) -> list[float]:
    """Up to ``INNER`` values inside, evenly spread over the multiples of ``step``."""
    start, end = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    count = min(INNER, end - start - 1)
    places = (start + round((end - start) * part / (count + 1)) for part in range(1, count + 1))
    return [place * step if isinstance(step, int) else round(place * step, 12) for place in places]
