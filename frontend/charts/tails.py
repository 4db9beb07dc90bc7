"""C3, of one subject and of several laid over each other: the share of messages slower than x."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from frontend.charts.curves import PERCENTILES
from frontend.charts.parts import Numbers, axis, band, line, scaled, upright, whiskers
from frontend.charts.theme import Figure, text_colour
from frontend.wording.numbers import setting_text
from simulations.analysis.estimates.quantities import Scale, scale_of
from simulations.analysis.estimates.summary import Estimate

Tail = Mapping[str, Numbers]
"""Columns: latency (s), survival, low and high (shares)."""
WHOLE = 0.98
"""The tail is drawn from where fewer messages than this are slower: before that the curve is flat."""
_DECADES = (1.0, 0.1, 0.01, 0.001, 0.0001, 0.00001)


class Drawn(NamedTuple):
    """One curve with its look; ``ghost``: it may leave a ghost when it changes."""

    name: str
    curve: Tail
    colour: str
    dash: str = "solid"
    ghost: bool = False


def tail(curve: Tail, *, objective: float | None = None, marks: Mapping[str, Estimate] | None = None) -> Figure:
    """C3: share of messages slower than x, both axes logarithmic, with the 95 % band."""
    figure = overlaid_tails([Drawn("P(latency > x)", curve, "blue", ghost=True)], objective=objective)
    scale = _scale([curve])
    for name, share in (("latency.p95", 0.05), ("latency.p99", 0.01)):
        if marks and name in marks:
            figure["data"].append(_whisker(marks[name], share, scale, PERCENTILES[name]))
    return figure


def overlaid_tails(curves: Sequence[Drawn], *, objective: float | None = None) -> Figure:
    """Return the tails of several subjects with their 95 % bands and the objective (s), both axes logarithmic."""
    scale = _scale([drawn.curve for drawn in curves])
    layout: Figure = {
        "hovermode": "closest",
        "xaxis": axis("latency", scale.unit, type="log", exponentformat="none", nticks=8),
        "yaxis": axis(
            "slower messages", "%", type="log", tickvals=list(_DECADES), ticktext=[f"{100 * at:g}" for at in _DECADES]
        ),
    }
    if objective is not None:
        at = objective * scale.factor
        text, place = f"objective {setting_text(objective, 's')}", {"x": math.log10(at), "xref": "x"}
        shape, label = upright(at, text=text, colour="vermillion", dash="dash", **place)
        layout |= {"annotations": [label], "shapes": [shape]}
    return {"data": [trace for drawn in curves for trace in _traces(drawn, scale)], "layout": layout}


def _scale(curves: Sequence[Tail]) -> Scale:
    return scale_of(max((value or 0.0 for curve in curves for value in curve["latency"]), default=1.0), "s")


def _traces(drawn: Drawn, scale: Scale) -> list[Figure]:
    """Band and line from where the curve is no longer flat; a band that reaches zero ends at the least share."""
    shown = [at for at, share in enumerate(drawn.curve["survival"]) if share is not None and share <= WHOLE]
    curve = {name: [column[at] for at in shown] for name, column in drawn.curve.items()}
    x = scaled(curve["latency"], scale.factor)
    least = min((value for value in curve["survival"] if value), default=1e-6)
    low = [max(value or least, least) for value in curve["low"]]
    more = {"meta": "ghost"} if drawn.ghost else {"legendgroup": drawn.name}
    stroke = {"dash": drawn.dash}
    return [
        *band(x, low, curve["high"], name=drawn.name, colour=drawn.colour),
        line(x, curve["survival"], name=drawn.name, colour=drawn.colour, unit="", line=stroke, **more),
    ]


def _whisker(estimate: Estimate, share: float, scale: Scale, look: tuple[str, str, str]) -> Figure:
    value = estimate.value * scale.factor
    return {
        "type": "scatter",
        "mode": "markers+text",
        "name": look[0],
        "error_x": whiskers([estimate], scale.factor, look[1], 2),
        "x": [float(f"{value:.6g}")],
        "y": [share],
        "marker": {"color": f"@{look[1]}", "size": 10, "symbol": "diamond"},
        "hovertemplate": f"%{{x:.4~g}} {scale.unit}<extra>{look[0]}</extra>",
        "showlegend": False,
        "text": [look[0]],
        "textposition": "bottom left",
        "textfont": {"color": text_colour(look[1])},
    }
