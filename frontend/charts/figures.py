"""Figures of one point: pure functions from results to Plotly dictionaries, colours as names of the theme."""

import math
from collections.abc import Mapping, Sequence

from frontend.charts.curves import PERCENTILES
from frontend.charts.parts import Numbers, axis, band, line, linked, objective_line, scaled, time_scale
from frontend.charts.theme import Figure
from frontend.wording import Scale, scale_of, setting_text
from simulations.analysis.summary import Estimate

Column = Mapping[str, Numbers]
WHOLE = 0.98
"""The tail is drawn from where fewer messages than this are slower: before that the curve is flat."""
_LINES = {"p50": ("green", "dash"), "p95": ("blue", "solid"), "p99": ("orange", "dashdot")}
"""Percentile -> colour and dash."""
_DECADES = (1.0, 0.1, 0.01, 0.001, 0.0001, 0.00001)


def latency_over_time(
    timeline: Column,
    *,
    objective: float | None = None,
    spans: Sequence[tuple[float, float]] = (),
    moments: Sequence[tuple[float, str]] = (),
    top: float | None = None,
    link: str = "",
) -> Figure:
    """C1: percentiles of latency by part of the run, with the 95 % band of p95.

    ``spans`` (s) are shaded as blocked, ``moments`` (s) are marked with their words; ``top`` (s) fixes the height.
    """
    largest = top or max((value for value in timeline["p99"] if value is not None), default=1.0)
    time, factors = timeline["band_time"], (time_scale(timeline["band_time"]), scale_of(largest, "s"))
    x = scaled(time, factors[0].factor)
    low, high = (scaled(timeline[name], factors[1].factor) for name in ("p95_low", "p95_high"))
    data = band(x, low, high, name="p95", colour="blue")
    for name, (colour, dash) in _LINES.items():
        y = scaled(timeline[name], factors[1].factor)
        look = {"meta": "ghost"} if name == "p95" else {}
        stroke = {"dash": dash}
        data.append(line(x, y, name=name, colour=colour, unit=factors[1].unit, legendgroup=name, line=stroke, **look))
    marks = [objective_line(objective, factors[1])] if objective is not None else []
    reach = {"rangemode": "tozero"} if top is None else {"range": [0, 1.05 * top * factors[1].factor]}
    uprights = [_moment(at * factors[0].factor, words) for at, words in moments]
    return {
        "data": data,
        "layout": {
            "xaxis": axis("simulated time", factors[0].unit, rangemode="tozero"),
            "yaxis": axis("latency", factors[1].unit, **reach),
            "shapes": [
                *(_span(start * factors[0].factor, stop * factors[0].factor) for start, stop in spans),
                *(shape for shape, _ in (*marks, *uprights)),
            ],
            "annotations": [label for _, label in (*marks, *uprights) if label["text"]],
            **linked(link, factors[0]),
        },
    }


def _span(start: float, stop: float) -> Figure:
    return {
        "type": "rect", "layer": "below", "x0": start, "x1": stop, "yref": "paper", "y0": 0, "y1": 1,
        "fillcolor": "@vermillion/12", "line": {"width": 0},
    }  # fmt: skip


def _moment(at: float, words: str) -> tuple[Figure, Figure]:
    shape = {
        "type": "line", "x0": at, "x1": at, "yref": "paper", "y0": 0, "y1": 1,
        "line": {"color": "@purple", "width": 1.5, "dash": "dot"},
    }  # fmt: skip
    label = {
        "x": at, "y": 1, "yref": "paper", "xanchor": "left", "yanchor": "top", "xshift": 4, "showarrow": False,
        "text": words, "font": {"color": "@purple", "size": 12}, "bgcolor": "@surface/80",
    }  # fmt: skip
    return shape, label


def tail(curve: Column, *, objective: float | None = None, marks: Mapping[str, Estimate] | None = None) -> Figure:
    """C3: share of messages slower than x, both axes logarithmic, with the 95 % band."""
    scale = scale_of(max((value or 0.0 for value in curve["latency"]), default=1.0), "s")
    shown = [at for at, share in enumerate(curve["survival"]) if share is not None and share <= WHOLE]
    curve = {name: [column[at] for at in shown] for name, column in curve.items()}
    x = scaled(curve["latency"], scale.factor)
    least = min((value for value in curve["survival"] if value), default=1e-6)
    low = [max(value or least, least) for value in curve["low"]]
    data = band(x, low, curve["high"], name="P(latency > x)", colour="blue")
    data.append(line(x, curve["survival"], name="P(latency > x)", colour="blue", unit="", meta="ghost"))
    for name, share in (("latency.p95", 0.05), ("latency.p99", 0.01)):
        if marks and name in marks:
            data.append(_whisker(marks[name], share, scale, PERCENTILES[name]))
    layout: Figure = {
        "hovermode": "closest",
        "xaxis": axis("latency", scale.unit, type="log", exponentformat="none", nticks=8),
        "yaxis": axis(
            "slower messages", "%", type="log", tickvals=list(_DECADES), ticktext=[f"{100 * at:g}" for at in _DECADES]
        ),
    }
    if objective is not None:
        at = objective * scale.factor
        layout["annotations"] = [_upright(at, f"objective {setting_text(objective, 's')}")]
        layout["shapes"] = [{
            "type": "line", "x0": at, "x1": at, "yref": "paper", "y0": 0, "y1": 1,
            "line": {"color": "@vermillion", "width": 1.5, "dash": "dash"},
        }]  # fmt: skip
    return {"data": data, "layout": layout}


def _whisker(estimate: Estimate, share: float, scale: Scale, look: tuple[str, str, str]) -> Figure:
    value = estimate.value * scale.factor
    error = {
        "type": "data", "symmetric": False, "array": [(estimate.high - estimate.value) * scale.factor],
        "arrayminus": [(estimate.value - estimate.low) * scale.factor], "color": f"@{look[1]}", "thickness": 2,
    }  # fmt: skip
    return {
        "type": "scatter", "mode": "markers+text", "name": look[0], "error_x": error,
        "x": [float(f"{value:.6g}")], "y": [share],
        "marker": {"color": f"@{look[1]}", "size": 10, "symbol": "diamond"},
        "hovertemplate": f"%{{x:.4~g}} {scale.unit}<extra>{look[0]}</extra>",
        "showlegend": False, "text": [look[0]], "textposition": "top right", "textfont": {"color": f"@{look[1]}"},
    }  # fmt: skip


def _upright(at: float, text: str) -> Figure:
    return {
        "x": math.log10(at), "xref": "x", "y": 1, "yref": "paper", "yanchor": "top", "xanchor": "left",
        "text": text, "showarrow": False, "font": {"color": "@vermillion", "size": 12}, "bgcolor": "@surface/80",
    }  # fmt: skip
