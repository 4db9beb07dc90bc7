"""A chart as a page shows it: figure, written sentence and data table together."""

from collections.abc import Sequence
from dataclasses import dataclass

from frontend.charts.parts import Numbers
from frontend.charts.theme import Figure
from frontend.wording import quantity

TABLE_ROWS = 40
"""Most rows of a chart's table; a longer course is thinned, the numbers themselves are not changed."""


@dataclass(frozen=True)
class Range:
    """An axis whose runs can be narrowed to a range: in its unit, or from one of its ``choices`` to another."""

    title: str
    unit: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Chart:
    """``key`` names the chart on the page; ``rows`` are texts, the first of each is the row's heading."""

    key: str
    title: str
    sentence: str
    figure: Figure
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    wide: bool = False
    log: bool = False
    """Whether the latency axis can be switched to a logarithmic one."""
    choices: tuple[tuple[str, str, bool], ...] = ()
    """Metrics that can be shown: name, legend, shown at first."""
    low: bool = False
    """Whether a low picture is enough, for example a single bar."""
    ranges: tuple[Range, ...] = ()
    """Axes by which the rows of the table can be narrowed, in the order of the columns after the first."""


def table_rows(x: Numbers, columns: Sequence[Numbers], *, units: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return one row of texts per instant (s) of ``x``, at most about ``TABLE_ROWS`` of them."""
    step = -(-len(x) // TABLE_ROWS) or 1
    return tuple(
        (cell(x[at], "s"), *(cell(column[at], unit) for column, unit in zip(columns, units, strict=True)))
        for at in range(0, len(x), step)
    )


def cell(value: float | None, unit: str) -> str:
    """Return a number with its unit, a dash for none."""
    return "–" if value is None else str(quantity(value, unit))
