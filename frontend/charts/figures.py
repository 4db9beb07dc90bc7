"""Figures of one point: pure functions from results to Plotly dictionaries, colours as names of the theme."""

from collections.abc import Mapping
from dataclasses import dataclass

from frontend.charts.curves import PERCENTILES
from frontend.charts.parts import Numbers, axis, band, level, line, objective_line, scaled, spans
from frontend.charts.theme import Figure
from frontend.wording import Scale, scale_of
from simulations.analysis.summary import Estimate

Column = Mapping[str, Numbers]


@dataclass(frozen=True)
class Thresholds:
    """Marks of the throttle, messages in flight; None where the platform has no such gate."""

    high: float | None = None
    low: float | None = None


def latency_over_time(timeline: Column, *, objective: float | None = None) -> Figure:
    """C1: percentiles of latency by part of the run, with the 95 % band of p95; blocked spans are shaded."""
    time, factors = timeline["band_time"], _scales(timeline["band_time"], timeline["p99"])
    x = scaled(time, factors[0].factor)
    data = band(
        x,
        scaled(timeline["p95_low"], factors[1].factor),
        scaled(timeline["p95_high"], factors[1].factor),
        name="p95",
        colour="blue",
    )
    for name, colour in (("p50", "sky"), ("p95", "blue"), ("p99", "orange")):
        y = scaled(timeline[name], factors[1].factor)
        look = {"meta": "ghost"} if name == "p95" else {}
        data.append(line(x, y, name=name, colour=colour, unit=factors[1].unit, legendgroup=name, **look))
    marks = [objective_line(objective, factors[1])] if objective is not None else []
    return {
        "data": data,
        "layout": {
            "xaxis": axis("simulated time", factors[0].unit, rangemode="tozero"),
            "yaxis": axis("latency", factors[1].unit, rangemode="tozero"),
            "shapes": [shape for shape, _ in marks],
            "annotations": [label for _, label in marks],
        },
    }


def throttle_timeline(timeline: Column, *, thresholds: Thresholds) -> Figure:
    """C2: messages in flight against the thresholds, prepared depth, JMS depth, and a ribbon of blocked time."""
    scale = _scales(timeline["time"], [])[0]
    x = scaled(timeline["time"], scale.factor)
    flight = [_sum(*pair) for pair in zip(timeline["prepared"], timeline["running"], strict=True)]
    step = {"shape": "hv"}
    data = [
        line(
            x,
            timeline["backlog"],
            name="on the destination",
            colour="purple",
            unit="messages",
            yaxis="y2",
            line={**step, "width": 1.2, "dash": "dot"},
        ),
        line(
            x,
            timeline["prepared"],
            name="prepared",
            colour="sky",
            unit="messages",
            fill="tozeroy",
            fillcolor="@sky/25",
            line={**step, "width": 1},
        ),
        line(x, flight, name="in flight", colour="blue", unit="messages", line={**step, "width": 1.6}),
    ]
    if any(timeline["idle_blocked"]):
        data.append(_idle(x, timeline["idle_blocked"]))
    data.append(_ribbon(x, timeline["blocked"]))
    marks = []
    if thresholds.high is not None and thresholds.low is not None:
        marks.append(level(thresholds.high, text=f"high threshold {thresholds.high:g}", colour="vermillion"))
        if thresholds.low != thresholds.high:
            marks.append(level(thresholds.low, text=f"low threshold {thresholds.low:g}", colour="green"))
    top = max([*(value or 0.0 for value in flight), thresholds.high or 0.0], default=1.0)
    return {
        "data": data,
        "layout": {
            "margin": {"r": 60},
            "xaxis": axis("simulated time", scale.unit, anchor="y3", rangemode="tozero"),
            "yaxis": axis("in flight", "messages", domain=[0.16, 1], range=[0, 1.12 * top or 1]),
            "yaxis2": axis("destination", "messages", overlaying="y", side="right", rangemode="tozero", anchor="x"),
            "yaxis3": {
                "domain": [0, 0.07],
                "range": [0, 1],
                "showticklabels": False,
                "ticks": "",
                "showgrid": False,
                "fixedrange": True,
                "title": {"text": ""},
            },
            "shapes": [shape for shape, _ in marks],
            "annotations": [*(label for _, label in marks), _ribbon_label()],
        },
    }


def tail(curve: Column, *, objective: float | None = None, marks: Mapping[str, Estimate] | None = None) -> Figure:
    """C3: share of messages slower than x, both axes logarithmic, with the 95 % band."""
    scale = scale_of(max((value or 0.0 for value in curve["latency"]), default=1.0), "s")
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
        "xaxis": axis("latency", scale.unit, type="log", exponentformat="none"),
        "yaxis": axis("share slower", "1", type="log", exponentformat="power", tickformat=".0e"),
    }
    if objective is not None:
        at = objective * scale.factor
        layout["shapes"] = [{
            "type": "line", "x0": at, "x1": at, "yref": "paper", "y0": 0, "y1": 1,
            "line": {"color": "@vermillion", "width": 1.5, "dash": "dash"},
        }]  # fmt: skip
    return {"data": data, "layout": layout}


def _scales(time: Numbers, values: Numbers) -> tuple[Scale, Scale]:
    longest = max((value for value in time if value is not None), default=1.0)
    largest = max((value for value in values if value is not None), default=1.0)
    return (Scale(1.0, "s") if longest >= 1 else scale_of(longest, "s")), scale_of(largest, "s")


def _sum(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first + second


def _idle(x: Numbers, idle: Numbers) -> Figure:
    hatch = {"shape": "/", "fgcolor": "@vermillion", "bgcolor": "@vermillion/10", "size": 6}
    drawn = line(
        list(x),
        idle,
        name="idle while blocked",
        colour="vermillion",
        unit="threads",
        fill="tozeroy",
        line={"shape": "hv", "width": 1},
    )
    return {**drawn, "fillpattern": hatch}


def _ribbon(x: Numbers, blocked: Numbers) -> Figure:
    closed = spans(x, blocked)
    edges: list[float | None] = []
    height: list[float | None] = []
    for begin, end in closed:
        edges += [begin, begin, end, end, None]
        height += [0, 1, 1, 0, None]
    return {
        "type": "scatter", "mode": "lines", "name": "throttle blocked", "x": edges, "y": height, "yaxis": "y3",
        "fill": "toself", "fillcolor": "@vermillion", "line": {"width": 0, "color": "@vermillion"}, "hoverinfo": "skip",
    }  # fmt: skip


def _ribbon_label() -> Figure:
    return {
        "xref": "paper", "x": -0.005, "xanchor": "right", "yref": "paper", "y": 0.035, "yanchor": "middle",
        "showarrow": False, "text": "blocked", "font": {"size": 11, "color": "@vermillion"},
    }  # fmt: skip


def _whisker(estimate: Estimate, share: float, scale: Scale, look: tuple[str, str, str]) -> Figure:
    value = estimate.value * scale.factor
    error = {
        "type": "data", "symmetric": False, "array": [(estimate.high - estimate.value) * scale.factor],
        "arrayminus": [(estimate.value - estimate.low) * scale.factor], "color": f"@{look[1]}", "thickness": 2,
    }  # fmt: skip
    return {
        "type": "scatter", "mode": "markers", "name": look[0], "error_x": error,
        "x": [float(f"{value:.6g}")], "y": [share],
        "marker": {"color": f"@{look[1]}", "size": 10, "symbol": "diamond"},
        "hovertemplate": f"%{{x:.4~g}} {scale.unit}<extra>{look[0]}</extra>",
    }  # fmt: skip
