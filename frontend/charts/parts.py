"""Traces and shapes that several figures share, and the one look of all of them.

Figures name their colors (``@blue``); a theme turns the names into Okabe-Ito shades. Pages and files ship both themes
to ``charts.js``, which paints in the browser.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from frontend.wording.numbers import titled
from simulations.analysis.estimates.summary import Estimate, Scale, quantity, scale_of
from simulations.declarations.tables import table_beside

Figure = dict[str, Any]

THEME: Mapping[str, Any] = table_beside(__file__, "theme.yaml")
COLORS: Mapping[str, Mapping[str, str]] = THEME["colors"]
"""Theme -> name -> shade."""
LAYOUT: Figure = THEME["layout"]
"""What every figure has; a figure's own layout is laid over it."""


def themes() -> dict[str, Any]:
    """Return what ``charts.js`` needs to paint figures: both sets of colors, the layout, the configuration."""
    return {"colours": COLORS, "layout": LAYOUT, "config": THEME["config"]}


def figure(data: Sequence[Figure], x: Figure, y: Figure, **layout: Any) -> Figure:
    """Return the figure of traces over two axes, with what else its layout holds."""
    return {"data": [*data], "layout": {"xaxis": x, "yaxis": y, **layout}}


Numbers = Sequence[float | None]
STAR: Figure = {"symbol": "star", "size": 19, "color": "@orange", "line": {"color": "@surface", "width": 1.5}}
"""The mark of what is recommended."""


def scaled(values: Numbers, factor: float) -> list[float | None]:
    """Return the values times ``factor``, gaps kept, with the six digits that a screen can show."""
    return [None if value is None else float(f"{value * factor:.6g}") for value in values]


def line(x: Sequence[Any], y: Numbers, *, name: str, color: str, unit: str | None = None, **more: Any) -> Figure:
    """Return a line; the hover text gives the value with its unit, and there is none for a line without one."""
    style = {"color": f"@{color}", "width": 2, **more.pop("line", {})}
    hover = {"hoverinfo": "skip"} if unit is None else {"hovertemplate": f"%{{y:.4~g}} {unit}<extra>{name}</extra>"}
    course = {"type": "scatter", "mode": "lines", "name": name, "x": list(x), "y": list(y), "line": style}
    return {**course, **hover, **more}


def band(x: Sequence[Any], low: Numbers, high: Numbers, *, name: str, color: str, **more: Any) -> list[Figure]:
    """Return the two borders of a 95 % interval, the space between them filled, once for each stretch without gaps."""
    rows = zip(x, low, high, strict=True)
    stretches = [[*part] for whole, part in groupby(rows, lambda row: None not in row[1:]) if whole]
    shared = {"type": "scatter", "mode": "lines", "hoverinfo": "skip", "showlegend": False}
    border = {**shared, "line": {"width": 0, "color": f"@{color}"}, "legendgroup": name, **more}
    filled = {"fill": "tonexty", "fillcolor": f"@{color}/18"}
    courses = (map(list, zip(*part, strict=True)) for part in stretches)
    sides = ((at, *side) for at, *ends in courses for side in zip(ends, ({}, filled), strict=True))
    return [{**border, "x": at, "y": y, **look} for at, y, look in sides]


def measured(
    x: Sequence[Any], estimates: Sequence[Estimate | None], scale: Scale, *, name: str, color: str = "blue", **look: Any
) -> list[Figure]:
    """Return a metric over ``x`` with its 95 % interval: the band, and a line with a mark at each value."""
    values, low, high = sides(estimates, scale.factor)
    marks: Figure = {"mode": "lines+markers", "marker": {"size": 8, "color": f"@{color}"}, "legendgroup": name}
    marks["line"] = {"dash": look.pop("dash", "solid")}
    curve = line(x, values, name=name, color=color, unit=scale.unit, **marks, **look)
    return [*band(x, low, high, name=name, color=color, **look), curve]


def whiskers(estimates: Sequence[Estimate | None], factor: float, color: str, thickness: float = 1.5) -> Figure:
    """Return the bars of 95 % intervals, whose sides may differ; none where there is no estimate."""
    above = [item.high - item.value if item else 0.0 for item in estimates]
    below = [item.value - item.low if item else 0.0 for item in estimates]
    ends = {"array": scaled(above, factor), "arrayminus": scaled(below, factor)}
    return {"type": "data", "symmetric": False, "color": f"@{color}", "thickness": thickness, **ends}


def level(at: float, *, text: str, color: str, axis: str = "y", dash: str = "dash") -> Figure:
    """Return a horizontal line over the whole width, named in the legend: on the picture its words would hide data."""
    stroke = {"color": f"@{color}", "width": 1.5, "dash": dash}
    shape = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "yref": axis, "y0": at, "y1": at, "line": stroke}
    return {**shape, **in_legend(text)}


def upright(at: float, *, text: str, color: str, dash: str = "dot") -> Figure:
    """Return a vertical line over the whole height, named in the legend."""
    stroke = {"color": f"@{color}", "width": 1.5, "dash": dash}
    return {"type": "line", "x0": at, "x1": at, "yref": "paper", "y0": 0, "y1": 1, "line": stroke, **in_legend(text)}


def in_legend(text: str) -> Figure:
    """Return what names a shape in the legend; nothing without a text."""
    return {"name": text, "showlegend": True} if text else {}


def shade(first: float, last: float, color: str) -> Figure:
    """Return the shading between two places of the x axis, below the lines."""
    look = {"fillcolor": f"@{color}", "line": {"width": 0}, "layer": "below"}
    return {"type": "rect", "x0": first, "x1": last, "yref": "paper", "y0": 0, "y1": 1, **look}


def shades(stretches: Sequence[tuple[float, float]], color: str) -> list[Figure]:
    """Return the shading of many stretches as one shape: the browser needs a third of the time for sixty."""
    path = "".join(f"M{first:.6g},0V1H{last:.6g}V0Z" for first, last in stretches)
    return [{**shade(0, 0, color), "type": "path", "path": path}] if path else []


def points(x: Sequence[Any], y: Sequence[Any], *, name: str, marker: Figure, **more: Any) -> Figure:
    """Return marks without a line; they say nothing under the pointer unless ``more`` has a template."""
    hover = {} if "hovertemplate" in more else {"hoverinfo": "skip"}
    return {"type": "scatter", "mode": "markers", "name": name, "x": x, "y": y, "marker": marker, **hover, **more}


def sides(estimates: Sequence[Estimate | None], factor: float) -> Iterator[list[float | None]]:
    """Yield the values times ``factor``, then the lower and the upper ends of their intervals, gaps kept."""
    for side in ("value", "low", "high"):
        yield scaled([getattr(item, side) if item else None for item in estimates], factor)


def spans(time: Numbers, flags: Sequence[bool]) -> list[tuple[float, float]]:
    """Return the spans of ``time`` in which the flag is set, from a set one to the next that is not."""
    instants = [value or 0.0 for value in time]
    turns = [at for at, before, now in zip(instants, [False, *flags], flags, strict=False) if before != now]
    return list(zip(turns[::2], [*turns[1::2], *instants[-1:]], strict=False))


def timed(time: Numbers) -> tuple[list[float | None], Scale]:
    """Return instants (s) as their axis has them, and its scale: seconds, or less for courses shorter than one."""
    longest = max((value for value in time if value is not None), default=1.0)
    scale = Scale(1.0, "s") if longest >= 1 else scale_of(longest, "s")
    return scaled(time, scale.factor), scale


def axis(title: str, unit: str, **more: Any) -> Figure:
    """Return an axis titled with its unit."""
    return {"title": {"text": titled(title, unit)}, **more}


def objective_label(bound: float, unit: str = "s") -> str:
    """Return the label of the line of an objective."""
    return f"objective {quantity(bound, unit)}"


def objective_lines(bound: float | None, scale: Scale, unit: str = "s", of: str = "") -> list[Figure]:
    """Return the line of an objective, given in ``unit``, ``of`` one of the curves, on an axis of ``scale``, if any."""
    if bound is None:
        return []
    text = f"{objective_label(bound, unit)}{f' ({of})' if of else ''}"
    return [level(float(f"{bound * scale.factor:.6g}"), text=text, color="vermillion")]


def linked(group: str, scale: Scale) -> Figure:
    """Return the part of a layout that joins figures over the same course: zooming one zooms those of its group.
    ``scale`` is that of the time axis; without a group nothing is joined."""
    return {"meta": {"link": group, "unit": 1 / scale.factor}} if group else {}
