"""A search through many settings in the order of their cost, which ends where nothing dearer can be the answer.

What is not simulated has a reason that is certain: it costs more than a setting that surely meets the objectives, a
closed form says that it does not carry its load, or the engine would simulate a cheaper setting once more. ADR 107.
"""

import itertools
import math
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from simulations.analysis.estimates.stability import may_keep_up
from simulations.declarations.problems import InvalidInput
from simulations.engine.network.model import NetworkSpec
from simulations.experiment.choice import Best, Cost, best_of, nearest_cheaper, resources
from simulations.experiment.grids import COARSE, Cell, Grid, grid_of, searched
from simulations.experiment.names import RESOURCES
from simulations.experiment.points import Answers, Point, Steering, changes_nothing, value_at, with_overrides
from simulations.experiment.questions import Optimize
from simulations.scenario.spec import ScenarioSpec

BATCH = 64
"""Settings that join a round at most."""
LARGEST_LEVEL = 1_000
"""Settings of equal cost that can all be simulated; beyond it a map from coarse to fine has to do."""


def in_order(question: Optimize, spec: ScenarioSpec) -> "SearchPlan | None":
    """Return the search in the order of cost; None for a small grid, or where costs hardly tell settings apart."""
    if not resources(question) or math.prod(grid_of(question).lengths) <= COARSE:
        return None
    plan = SearchPlan(question, spec)
    return plan if max(plan.levels.values()) <= LARGEST_LEVEL else None


class SearchPlan:
    """Point 0 is the scenario as it is; cell c of the grid is point 1 + c, as in a map."""

    def __init__(self, question: Optimize, spec: ScenarioSpec) -> None:
        self.question, self.spec, self.grid = question, spec, grid_of(question)
        self.own = spec.body()
        self.simulated = set[NetworkSpec]()
        self.overloaded: Point | None = None
        self.costs: dict[int, Cost] = {}
        self.ahead = deque(sorted(_costs(resources(question), spec, self.grid)))
        self.levels = Counter(cost for cost, _ in self.ahead)

    def first(self) -> tuple[Point, ...]:
        """Return the scenario and the cheapest settings that may carry their load."""
        own = {path: value_at(self.spec, path) for path in self.grid.paths}
        return (Point(0, own, self.spec), *self._next(None))

    def steer(self, answers: Answers) -> Steering:
        """Go on to dearer settings until one meets the objectives, then settle what is in doubt."""
        best = best_of(self.question, self.spec, answers, self.costs)
        more = tuple(self._next(best.chosen.cost if best.chosen else None)) or self._explained(best)
        return searched(best, self.spec, answers, more)

    def _next(self, most: Cost | None) -> Iterator[Point]:
        """Yield the next settings that must be simulated, up to the cost ``most``."""
        count = 0
        while self.ahead and count < BATCH and (most is None or self.ahead[0][0] <= most):
            point = self._needed(self.ahead.popleft()[1])
            if point is not None:
                count += 1
                yield point

    def _needed(self, cell: Cell) -> Point | None:
        """The point of a cell, or None where it need not be simulated."""
        overrides = self.grid.overrides(cell)
        if changes_nothing(self.own, overrides):
            return None
        try:
            spec = with_overrides(self.spec, overrides)
        except InvalidInput:
            return None  # each value is allowed, all together are not
        point, network = Point(self.grid.number(cell), overrides, spec), spec.network()
        if not may_keep_up(network, spec.family.largest_throughputs(spec.system)):
            self.overloaded = point
            return None
        if network in self.simulated:
            return None
        self.simulated.add(network)
        return point

    def _explained(self, best: Best) -> tuple[Point, ...]:
        """The dearest setting that does not carry its load, where no other says why nothing cheaper will do."""
        point, self.overloaded = self.overloaded, None
        return (point,) if point is not None and (best.chosen is None or nearest_cheaper(best) is None) else ()


def _costs(names: Sequence[str], spec: ScenarioSpec, grid: Grid) -> Iterator[tuple[Cost, Cell]]:
    """Yield every cell with its cost; what is used is found once for all cells that differ in other knobs only."""
    using = _knobs_that_use(spec, grid) if RESOURCES.keys() & set(names) else ()
    known: dict[Cell, Mapping[str, float] | None] = {}
    for cell in itertools.product(*map(range, grid.lengths)):
        overrides = grid.overrides(cell)
        places = tuple(cell[axis] for axis in using)
        if known.get(places) is None:  # the values of those before did not fit together, these may
            known[places] = _used(spec, overrides if using else {})
        used = known[places]
        if used is not None:
            costs = {**overrides, **used}
            yield tuple(float(costs[name]) for name in names), cell


def _knobs_that_use(spec: ScenarioSpec, grid: Grid) -> tuple[int, ...]:
    """The knobs whose two ends differ in what is used while all others are at an end, and those without numbers."""
    ends = [(0, length - 1) for length in grid.lengths]
    used = {corner: _used(spec, grid.overrides(corner)) for corner in itertools.product(*ends)}

    def may_use(axis: int) -> bool:
        if not all(isinstance(value, int | float) for value in grid.values[axis]):
            return True
        last = ends[axis][1]
        return any(used[(*corner[:axis], last, *corner[axis + 1 :])] != of_corner for corner, of_corner in used.items())

    return tuple(filter(may_use, range(len(ends))))


def _used(spec: ScenarioSpec, overrides: Mapping[str, Any]) -> Mapping[str, float] | None:
    """What the scenario with these settings uses; None where they do not fit together."""
    try:
        changed = with_overrides(spec, overrides)
    except InvalidInput:
        return None
    return {name: used(changed) for name, used in RESOURCES.items()}
