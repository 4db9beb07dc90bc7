"""C6: a metric over two knobs, with the objective's contour, undecided cells, the choice and the present values.

C9 and the map of a single knob: a metric over the arrival rate or over one setting, with band and marks.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from frontend.charts.chart import Chart
from frontend.charts.curves import metric_chart
from frontend.charts.parts import STAR, Figure, axis, figure, measured, objective_lines, points, scaled, upright
from frontend.charts.swept import Sweep
from frontend.wording.numbers import metric_title
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import Estimate, estimate_text, scale_of
from simulations.experiment.verdicts import Verdict

Cell = tuple[int, int]
TICKS = 12
SHADES = 48
DOTS = 900
"""Most marks of one kind that can be told apart."""
COLORS = {"today": "green", "peak": "purple", "1.5 × peak": "purple", "objective": "vermillion", "stability": "grey"}
"""How the name of a marked rate begins -> color of its line."""


@dataclass(frozen=True)
class Axis:
    """A knob: its title and its values as people read them."""

    title: str
    labels: tuple[str, ...]


@dataclass(frozen=True)
class MapCell:
    """One cell: the estimate is None where the system is unstable; ``index`` is the point's."""

    index: int
    estimate: Estimate | None
    verdict: Verdict
    partial: bool


@dataclass(frozen=True)
class MapMarks:
    """What is drawn over the cells; places are in cells, fractions between two values."""

    objective: float | None = None
    chosen: Cell | None = None
    current: tuple[float, float] | None = None


def map_chart(x: Axis, y: Axis, cells: Mapping[Cell, MapCell], *, metric: str, marks: MapMarks, sentence: str) -> Chart:
    """Return the heatmap; its table has one row per value of ``y`` and one column per value of ``x``.
    ``layout.meta.cells[row][column]`` is the index of the point, for clicks and keys."""
    grid = [[cells.get((column, row)) for column in range(len(x.labels))] for row in range(len(y.labels))]
    texts = [[_text(cell) for cell in row] for row in grid]
    rows = tuple((label, *row) for label, row in zip(y.labels, texts, strict=True))
    title, columns = f"{metric_title(metric)} over {x.title} and {y.title}", (f"{y.title} \\ {x.title}", *x.labels)
    values = [cell.estimate.value for cell in cells.values() if cell.estimate is not None and cell.estimate.value > 0]
    scale = scale_of(max(values, default=1.0), BY_NAME[metric].unit)
    low, high = _ends(values, scale.factor)
    bar, bar_axes = _scale(low, high, metric_title(metric), scale.unit)
    z = [[_height(cell, scale.factor) for cell in row] for row in grid]
    words = {"text": texts, "hovertemplate": "%{text}<extra></extra>", "name": ""}
    data = [{"type": "heatmap", "z": z, **words, **_shades(low, high)}, bar, *_unstable(cells)]
    if marks.objective is not None:
        data.append(_contour(grid, marks.objective * scale.factor, scale.factor))
    indexes = [[cell.index if cell else None for cell in row] for row in grid]
    across, meta = {**_axis(x), "domain": [0.0, 0.93]}, {"cells": indexes, "rows": True}
    data += _marks(cells, marks)
    drawn = figure(data, across, _axis(y), hovermode="closest", meta=meta, **bar_axes)
    return Chart("map", title, sentence, drawn, columns, rows, wide=True)


def _shades(low: float, high: float) -> Figure:
    """How numbers become colors. Without gaps Plotly writes a style attribute, which the page's policy forbids."""
    colors = {"colorscale": "Cividis", "reversescale": True, "showscale": False}
    return {**colors, "zmin": low, "zmax": high, "xgap": 1, "ygap": 1}


def _scale(low: float, high: float, title: str, unit: str) -> tuple[Figure, Figure]:
    """The legend of the colors, drawn as a narrow map beside the map: Plotly's own legend writes style attributes."""
    steps = [low + (high - low) * step / (SHADES - 1) for step in range(SHADES)]
    shades = {**_shades(low, high), "ygap": 0}
    bar = {"type": "heatmap", "z": [[step] for step in steps], "y": steps, "xaxis": "x2", "yaxis": "y2", **shades}
    ticks = _ticks(low, high)
    marks = {"tickvals": [math.log10(tick) for tick in ticks], "ticktext": [f"{tick:g}" for tick in ticks]}
    quiet = {"showgrid": False, "zeroline": False}
    axes = {
        "xaxis2": {"domain": [0.955, 0.98], "anchor": "y2", "showticklabels": False, "ticks": "", **quiet},
        "yaxis2": axis(title, unit, anchor="x2", side="right", **marks, **quiet),
    }
    return {**bar, "hoverinfo": "skip", "name": ""}, axes


def _unstable(cells: Mapping[Cell, MapCell]) -> list[Figure]:
    """Unstable cells: a cross each, because they have no value."""
    places = [place for place, cell in cells.items() if cell.verdict == "unstable"]
    mark = {"symbol": "x-thin", "size": 7, "line": {"color": "@vermillion", "width": 1.5}}
    return _dots(places, "unstable", mark)


def _marks(cells: Mapping[Cell, MapCell], marks: MapMarks) -> list[Figure]:
    unsure = [place for place, cell in cells.items() if cell.verdict == "unsure"]
    dot = {"symbol": "circle", "size": 5, "color": "@surface", "line": {"color": "@ink", "width": 1}}
    data = _dots(unsure, "undecided", dot)
    if marks.current is not None:
        ring = {"symbol": "circle-open", "size": 20, "line": {"color": "@surface", "width": 3}, "color": "@surface"}
        inner = {"symbol": "circle-open", "size": 16, "line": {"color": "@ink", "width": 2}, "color": "@ink"}
        data += _dots([marks.current], "", ring, showlegend=False) + _dots([marks.current], "current", inner)
    return data if marks.chosen is None else [*data, *_dots([marks.chosen], "recommended", STAR)]


def _dots(places: Sequence[tuple[float, float]], name: str, marker: Figure, **more: Any) -> list[Figure]:
    if not places or len(places) > DOTS:
        return []
    x, y = zip(*places, strict=True)
    return [points(list(x), list(y), name=name, marker=marker, **more)]


def _contour(grid: Sequence[Sequence[MapCell | None]], bound: float, factor: float) -> Figure:
    """The line along which the metric equals the objective; unstable cells count as far above it."""
    at = math.log10(bound)
    z = [[at + 1 if cell and not cell.estimate else _height(cell, factor) for cell in row] for row in grid]
    return {
        "type": "contour",
        "z": z,
        "autocontour": False,
        "showscale": False,
        "hoverinfo": "skip",
        "name": "objective",
        "contours": {"start": at, "end": at, "size": 1, "coloring": "none"},
        "connectgaps": True,
        "showlegend": True,
        "line": {"color": "@vermillion", "width": 3, "smoothing": 0.6},
    }


def _axis(knob: Axis) -> Figure:
    places = list(range(0, len(knob.labels), -(-len(knob.labels) // TICKS) or 1))
    marks = {"tickvals": places, "ticktext": [knob.labels[place] for place in places]}
    return axis(knob.title, "1", range=[-0.5, len(knob.labels) - 0.5], showgrid=False, zeroline=False, **marks)


def _height(cell: MapCell | None, factor: float) -> float | None:
    if cell is None or cell.estimate is None or cell.estimate.value <= 0:
        return None
    return float(f"{math.log10(cell.estimate.value * factor):.5g}")


def _text(cell: MapCell | None) -> str:
    if cell is None:
        return "between points that agree"
    if cell.estimate is None:
        return "unstable"
    return f"{estimate_text(cell.estimate)}{' so far' if cell.partial else ''}"


def _ends(values: Sequence[float], factor: float) -> tuple[float, float]:
    low, high = min(values, default=1.0) * factor, max(values, default=10.0) * factor
    if high < 1.05 * low:
        low, high = low / 1.05, high * 1.05
    return math.log10(low), math.log10(high)


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers between two logarithms: 1, 2 and 5 of each decade, or a few in between."""
    steps = [base * 10.0**decade for decade in range(math.floor(low), math.ceil(high) + 1) for base in (1, 2, 5)]
    inside = [step for step in steps if low <= math.log10(step) <= high]
    if len(inside) >= 2:
        return inside
    return [float(f"{10 ** (low + (high - low) * part / 3):.3g}") for part in range(4)]


def headroom_chart(
    sweep: Sweep, metric: str, *, objective: float | None, marks: Mapping[str, float], sentence: str
) -> Chart:
    """Return C9: the metric over the arrival rate, with upright lines at ``marks`` (name -> place). ``objective``: the
    largest value of the metric that is allowed."""
    title, scale = metric_title(metric), sweep.scale(metric, objective)
    lines = [*objective_lines(objective, scale, BY_NAME[metric].unit), *_uprights(marks)]
    estimates = [item.metrics.get(metric) for item in sweep.values]
    data = measured([item.number for item in sweep.values], estimates, scale, name=title)
    x = axis(sweep.setting, sweep.unit, rangemode="tozero")
    drawn = figure(data, x, axis(title, scale.unit, type="log"), shapes=lines)
    columns, rows = (sweep.heading, title), sweep.rows([metric])
    return Chart("headroom", f"{title} over {sweep.setting}", sentence, drawn, columns, rows, wide=True)


def along_chart(sweep: Sweep, metric: str, *, objective: float | None, chosen: int | None, sentence: str) -> Chart:
    """Return the map of a single knob: the metric over its values, the one at the place ``chosen`` with a star."""
    chart = metric_chart(sweep, metric, objective=objective)
    if chosen is not None and metric in sweep.values[chosen].metrics:
        y = scaled([sweep.values[chosen].metrics[metric].value], sweep.scale(metric, objective).factor)
        star = points([sweep.places[chosen]], y, name="recommended", marker={**STAR, "size": 18})
        chart.figure["data"].append(star)
    return replace(chart, key="map", sentence=sentence, log=True)


def _uprights(marks: Mapping[str, float]) -> list[Figure]:
    lines = []
    for name, at in sorted(marks.items(), key=lambda item: item[1]):
        color = next((color for word, color in COLORS.items() if name.startswith(word)), "soft")
        lines.append(upright(at, text=name, color=color, dash="dot" if "×" in name else "solid"))
    return lines
