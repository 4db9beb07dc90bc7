"""Traces and shapes that several figures share. Colours are names of the theme."""

from collections.abc import Sequence
from typing import Any

from frontend.charts.theme import Figure, text_colour
from frontend.wording.numbers import setting_text, titled
from simulations.analysis.estimates.quantities import Scale, scale_of
from simulations.analysis.estimates.summary import Estimate

Numbers = Sequence[float | None]


def scaled(values: Numbers, factor: float) -> list[float | None]:
    """Return the values times ``factor``, gaps kept, with the six digits that a screen can show."""
    return [None if value is None else float(f"{value * factor:.6g}") for value in values]


def line(x: Sequence[Any], y: Numbers, *, name: str, colour: str, unit: str, **more: Any) -> Figure:
    """Return a line; the hover text gives the value with its unit."""
    style = {"color": f"@{colour}", "width": 2, **more.pop("line", {})}
    hover = f"%{{y:.4~g}} {unit}<extra>{name}</extra>"
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": list(x),
        "y": list(y),
        "line": style,
        "hovertemplate": hover,
        **more,
    }


def band(x: Sequence[Any], low: Numbers, high: Numbers, *, name: str, colour: str, **more: Any) -> list[Figure]:
    """Return the two borders of a 95 % interval, the space between them filled; gaps are left out."""
    kept = [(at, below, above) for at, below, above in zip(x, low, high, strict=True) if None not in (below, above)]
    shared = {
        "type": "scatter",
        "mode": "lines",
        "hoverinfo": "skip",
        "showlegend": False,
        "x": [item[0] for item in kept],
    }
    border = {"line": {"width": 0, "color": f"@{colour}"}, "legendgroup": name, **more}
    return [
        {**shared, **border, "y": [item[1] for item in kept]},
        {**shared, **border, "y": [item[2] for item in kept], "fill": "tonexty", "fillcolor": f"@{colour}/18"},
    ]


def whiskers(estimates: Sequence[Estimate | None], factor: float, colour: str, thickness: float = 1.5) -> Figure:
    """Return the bars of 95 % intervals, whose sides may differ; none where there is no estimate."""
    above = [item.high - item.value if item else 0.0 for item in estimates]
    below = [item.value - item.low if item else 0.0 for item in estimates]
    ends = {"array": scaled(above, factor), "arrayminus": scaled(below, factor)}
    return {"type": "data", "symmetric": False, "color": f"@{colour}", "thickness": thickness, **ends}


def level(at: float, *, text: str, colour: str, axis: str = "y", dash: str = "dash") -> tuple[Figure, Figure]:
    """Return a labelled horizontal line over the whole width: shape and annotation."""
    shape = {
        "type": "line",
        "xref": "paper",
        "x0": 0,
        "x1": 1,
        "yref": axis,
        "y0": at,
        "y1": at,
        "line": {"color": f"@{colour}", "width": 1.5, "dash": dash},
    }
    label = {
        "xref": "paper",
        "x": 1,
        "xanchor": "right",
        "yref": axis,
        "y": at,
        "yanchor": "bottom",
        "showarrow": False,
        "text": text,
        "font": {"color": text_colour(colour), "size": 12},
        "bgcolor": "@surface/80",
    }
    return shape, label


def spans(time: Numbers, flags: Sequence[bool]) -> list[tuple[float, float]]:
    """Return the spans of ``time`` in which the flag is set, from a set one to the next that is not."""
    found: list[tuple[float, float]] = []
    began: float | None = None
    instants = [value or 0.0 for value in time]
    for at, flag in zip(instants, flags, strict=True):
        if flag and began is None:
            began = at
        elif not flag and began is not None:
            found.append((began, at))
            began = None
    return [*found, (began, instants[-1])] if began is not None else found


def time_scale(time: Numbers) -> Scale:
    """Return the scale of a time axis: seconds, or less for courses shorter than one."""
    longest = max((value for value in time if value is not None), default=1.0)
    return Scale(1.0, "s") if longest >= 1 else scale_of(longest, "s")


def axis(title: str, unit: str, **more: Any) -> Figure:
    """Return an axis titled with its unit."""
    return {"title": {"text": titled(title, unit)}, **more}


def objective_line(seconds: float, scale: Scale) -> tuple[Figure, Figure]:
    """Return the line of a latency objective, given in seconds, on an axis of ``scale``."""
    text = f"objective {setting_text(seconds, 's')}"
    return level(float(f"{seconds * scale.factor:.6g}"), text=text, colour="vermillion", dash="dash")


def linked(group: str, scale: Scale) -> Figure:
    """Return the part of a layout that joins figures over the same course: zooming one zooms those of its group.

    ``scale`` is that of the time axis; without a group nothing is joined.
    """
    return {"meta": {"link": group, "unit": 1 / scale.factor}} if group else {}
