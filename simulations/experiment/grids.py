"""The grid of two or more knobs, filled from coarse to fine: a block is refined where its corners disagree."""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulations.analysis.estimates.summary import PointSummary
from simulations.declarations.problems import InvalidInput
from simulations.experiment.choice import Best, Cost, best_of
from simulations.experiment.points import Answers, Point, Steering, value_at, values_of, with_overrides
from simulations.experiment.questions import Optimize, Sweep
from simulations.experiment.verdicts import verdict_of
from simulations.scenario.spec import ScenarioSpec

COARSE = 130
"""Most cells of the first round."""
ALIKE = 0.2
"""Corners whose KPI differs by less, relative to the smallest, need no cells between them."""
Cell = tuple[int, ...]


@dataclass(frozen=True)
class Grid:
    """The values of each knob. Cells are positions on the axes, counted row by row; point = 1 + number of the cell."""

    paths: tuple[str, ...]
    values: tuple[tuple[Any, ...], ...]

    @property
    def lengths(self) -> tuple[int, ...]:
        """Number of values of each knob."""
        return tuple(len(values) for values in self.values)

    def overrides(self, cell: Cell) -> dict[str, Any]:
        """Return the settings of a cell."""
        return {path: self.values[axis][at] for axis, (path, at) in enumerate(zip(self.paths, cell, strict=True))}

    def number(self, cell: Cell) -> int:
        """Return the point's index of a cell that is not the baseline."""
        return 1 + int(np.ravel_multi_index(cell, self.lengths))

    def cell(self, index: int) -> Cell:
        """Return the cell of a point that is not the baseline."""
        return tuple(int(at) for at in np.unravel_index(index - 1, self.lengths))

    def home(self, own: Mapping[str, Any]) -> Cell | None:
        """Return the cell with these values; None where they do not all lie on the axes."""
        pairs = [(own.get(path), values) for path, values in zip(self.paths, self.values, strict=True)]
        on_axes = all(value in values for value, values in pairs)
        return tuple(values.index(value) for value, values in pairs) if on_axes else None

    def positions(self, strides: Sequence[int]) -> list[list[int]]:
        """Return the positions on each axis that a stride leaves, the last one included."""
        axes = zip(self.lengths, strides, strict=True)
        return [sorted({*range(0, length, stride), length - 1}) for length, stride in axes]

    def coarse(self) -> tuple[int, ...]:
        """Return the strides of the first round: halved from round to round until all are 1."""
        strides = [1] * len(self.lengths)
        while math.prod(len(line) for line in self.positions(strides)) > COARSE:
            lines = self.positions(strides)
            longest = max(range(len(lines)), key=lambda axis: len(lines[axis]))
            strides[longest] *= 2
        return tuple(strides)


def grid_of(question: Sweep | Optimize) -> Grid:
    """Return the grid of a complete question."""
    return Grid(tuple(axis.path for axis in question.knobs), tuple(values_of(axis) for axis in question.knobs))


class GridPlan:
    """Point 0 is the baseline, the scenario as it is; the cell with the same settings is that point."""

    def __init__(self, question: Sweep | Optimize, spec: ScenarioSpec) -> None:
        self.question, self.spec = question, spec
        self.grid = grid_of(question)
        self.strides = self.grid.coarse()
        self.known: dict[Cell, int] = {}
        self.costs: dict[int, Cost] = {}

    def first(self) -> tuple[Point, ...]:
        """Return the baseline and the coarse cells."""
        own = {path: value_at(self.spec, path) for path in self.grid.paths}
        baseline = own | (self.question.baseline if isinstance(self.question, Sweep) else {})
        start = Point(0, baseline, with_overrides(self.spec, baseline))
        home = self.grid.home({path: value_at(start.spec, path) for path in self.grid.paths})
        if home is not None:
            self.known[home] = 0
        return (start, *self._points(itertools.product(*self.grid.positions(self.strides))))

    def steer(self, answers: Answers) -> Steering:
        """Settle what is clear, and refine once."""
        more = tuple(self._refined(answers)) if max(self.strides) > 1 else ()
        if isinstance(self.question, Optimize):
            best = best_of(self.question, self.spec, answers, self.costs)
            return searched(best, self.spec, answers, more, self._upcoming())
        return Steering(frozenset(answers) - self._open(answers), more, self._upcoming())

    def _open(self, answers: Answers) -> frozenset[int]:
        """The points of which more replications could change something that is asked."""
        if not self.spec.objectives or math.prod(self.grid.lengths) <= COARSE:
            return frozenset(answers)
        return frozenset(index for index in answers if verdict_of(self.spec.objectives, answers[index]) == "unsure")

    def _refined(self, answers: Answers) -> Iterator[Point]:
        """Halve the strides, and yield what is new inside the blocks whose corners are known and differ."""
        before = self.grid.positions(self.strides)
        self.strides = tuple(max(1, stride // 2) for stride in self.strides)
        after = self.grid.positions(self.strides)
        wanted = set[Cell]()
        pairs = [list(itertools.pairwise(line)) if len(line) > 1 else [(line[0], line[0])] for line in before]
        for block in itertools.product(*pairs):
            corners = list(itertools.product(*block))
            if self.known.keys() >= set(corners) and self._differ([answers[self.known[each]] for each in corners]):
                lines = zip(after, block, strict=True)
                inner = ([at for at in line if low <= at <= high] for line, (low, high) in lines)
                wanted.update(itertools.product(*inner))
        yield from self._points(sorted(wanted))

    def _differ(self, corners: Sequence[PointSummary]) -> bool:
        verdicts = {verdict_of(self.spec.objectives, summary) for summary in corners}
        if len(verdicts) > 1 or "unsure" in verdicts:
            return True
        known = (summary.metrics.get(self.question.kpi) for summary in corners)
        values = [estimate.value for estimate in known if estimate is not None]
        return bool(values) and max(values) - min(values) > ALIKE * abs(min(values))

    def _points(self, cells: Iterable[Cell]) -> Iterator[Point]:
        for cell in cells:
            if cell in self.known:
                continue
            overrides = self.grid.overrides(cell)
            try:
                spec = with_overrides(self.spec, overrides)
            except InvalidInput:
                continue  # each value is allowed, all together are not: the cell stays empty
            index = self.known[cell] = self.grid.number(cell)
            yield Point(index, overrides, spec)

    def _upcoming(self) -> int:
        """About half of the cells between the known ones, as long as there are finer rounds."""
        return 0 if max(self.strides) == 1 else (math.prod(self.grid.lengths) - len(self.known)) // 2


def searched(best: Best, spec: ScenarioSpec, answers: Answers, more: tuple[Point, ...], upcoming: int = 0) -> Steering:
    """Return what follows in a search: new points first, then more replications of what is in doubt, then the end.

    Settled are points that surely miss an objective; the others wait until the choice is sure, because they may become
    rivals when what is chosen now turns out worse.
    """
    growing = {index for index in best.open if answers[index].replications < spec.run.replications.max}
    if more:
        return Steering(best.dismissed, more, upcoming, waiting=frozenset(answers))
    if not growing:
        return Steering(frozenset(answers))
    return Steering(best.dismissed, waiting=frozenset(answers) - growing)


def cells_of(grid: Grid, answers: Answers) -> Mapping[Cell, PointSummary]:
    """Return the answers by their cell; the baseline where it lies on the grid."""
    found = {grid.cell(index): summary for index, summary in answers.items() if index}
    home = grid.home(answers[0].overrides) if 0 in answers else None
    return found if home is None else {**found, home: answers[0]}
