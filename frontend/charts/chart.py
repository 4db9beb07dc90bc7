"""A chart as a page shows it: figure, written sentence and data table together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from frontend.charts.parts import Figure, Numbers
from simulations.analysis.estimates.summary import quantity

TABLE_ROWS = 40
"""Most rows of a chart's table; a longer course is thinned, the numbers themselves are not changed."""


@dataclass(frozen=True)
class Column:
    """An axis over all runs that can be narrowed to a range; None for no number, ``texts`` with unit and half-width.
    ``choices`` names the places 0, 1, … of an axis that has no numbers."""

    title: str
    values: tuple[float | None, ...]
    texts: tuple[str, ...]
    unit: str = ""
    choices: tuple[str, ...] = ()

    @property
    def ends(self) -> tuple[float, float]:
        """The smallest and the largest value."""
        known = [value for value in self.values if value is not None]
        return min(known, default=0.0), max(known, default=1.0)


@dataclass(frozen=True)
class Chart:
    """``key`` names the chart on the page; ``rows`` are texts, the first of each is the row's heading."""

    key: str
    title: str
    sentence: str
    figure: Figure
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    wide: bool = False
    log: bool = False
    """Whether the latency axis can be switched to a logarithmic one."""
    choices: tuple[tuple[str, str, bool], ...] = ()
    """Metrics that can be shown: name, legend, shown at first."""
    low: bool = False
    """Whether a low picture is enough, for example a single bar."""
    ranges: tuple[Column, ...] = ()
    """Axes by which the rows of the table can be narrowed, in the order of the columns after the first."""


@dataclass(frozen=True)
class CourseRows(Sequence[tuple[str, ...]]):
    """The rows of a course, one per instant of ``x`` (s), at most about ``TABLE_ROWS`` of them. A row is written when
    it is asked for: the live panel draws charts whose tables nobody sees."""

    x: Numbers
    columns: Sequence[Numbers]
    units: Sequence[str]

    def __len__(self) -> int:
        return len(self._shown)

    def __getitem__(self, place: Any) -> Any:
        at = self._shown[place]
        return [self._row(item) for item in at] if isinstance(at, range) else self._row(at)

    @property
    def _shown(self) -> range:
        return range(0, len(self.x), -(-len(self.x) // TABLE_ROWS) or 1)

    def _row(self, at: int) -> tuple[str, ...]:
        values = (cell(column[at], unit) for column, unit in zip(self.columns, self.units, strict=True))
        return (cell(self.x[at], "s"), *values)


def cell(value: float | None, unit: str) -> str:
    """Return a number with its unit, a dash for none."""
    return "–" if value is None else str(quantity(value, unit))
