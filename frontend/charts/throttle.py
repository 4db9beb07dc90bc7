"""C2, the throttle timeline: messages in flight against the thresholds, with a ribbon of blocked time."""

from collections.abc import Mapping
from dataclasses import dataclass

from frontend.charts.chart import Chart, CourseRows
from frontend.charts.parts import Numbers, axis, labelled, level, line, linked, spans, timed
from frontend.charts.theme import Figure
from simulations.analysis.estimates.quantities import quantity

STEP = {"shape": "hv"}
DOTTED = {**STEP, "width": 1.2, "dash": "dot"}
HATCH = {"shape": "/", "fgcolor": "@vermillion", "bgcolor": "@vermillion/10", "size": 6}
RIBBON = {
    "domain": [0, 0.06],
    "range": [0, 1],
    "showticklabels": False,
    "ticks": "",
    "showgrid": False,
    "showline": False,
    "fixedrange": True,
    "title": {"text": ""},
}


@dataclass(frozen=True)
class Thresholds:
    """Marks of the throttle, messages in flight; None where the platform has no such gate."""

    high: float | None = None
    low: float | None = None


def throttle_chart(path: Mapping[str, Numbers], thresholds: Thresholds, *, link: str = "") -> Chart:
    """Return C2: messages in flight, prepared and on the destination, idle threads, and when the gate was closed."""
    names = ("backlog", "prepared", "running", "blocked", "idle_blocked")
    columns = ("Time", "On the destination", "Prepared", "Running", "Gates blocked", "Idle while blocked")
    units = ("messages", "messages", "messages", "instances", "threads")
    rows = CourseRows(path["time"], [path[name] for name in names], units=units)
    figure, sentence = _timeline(path, thresholds, link), _sentence(path, thresholds)
    return Chart("throttle", "Messages over time", sentence, figure, columns, rows, wide=True)


def blocked_spans(path: Mapping[str, Numbers]) -> list[tuple[float, float]]:
    """Return the spans of the sampled path (s) in which a gate was closed."""
    return spans(path["time"], [bool(closed) for closed in path["blocked"]])


def ribbon(x: Numbers, on: Numbers, *, name: str) -> Figure:
    """Return the ribbon below a picture that is filled where ``on`` is above 0; its axis is y3, see ``RIBBON``."""
    closed = [min(value or 0.0, 1.0) for value in on]
    look: Figure = {"fill": "tozeroy", "fillcolor": "@vermillion", "line": {**STEP, "width": 0}, "yaxis": "y3"}
    return line(x, closed, name=name, color="vermillion", **look)


def ribbon_label(text: str) -> Figure:
    """Return the word to the left of the ribbon."""
    place = {"xref": "paper", "x": -0.006, "xanchor": "right", "yref": "paper", "y": 0.03, "yanchor": "middle"}
    return {**place, "showarrow": False, "text": text, "font": {"size": 11, "color": "@vermillion"}}


def _timeline(path: Mapping[str, Numbers], thresholds: Thresholds, link: str) -> Figure:
    """In-flight step line, prepared depth, depth of the destination on the right, idle threads hatched."""
    x, scale = timed(path["time"])
    filled = {"fill": "tozeroy", "fillcolor": "@sky/30"}
    pairs = zip(path["prepared"], path["running"], strict=True)
    flight = [None if held is None or busy is None else held + busy for held, busy in pairs]
    data = [
        line(x, path["backlog"], name="on the destination", color="purple", unit="messages", yaxis="y2", line=DOTTED),
        line(x, path["prepared"], name="prepared", color="sky", unit="messages", line={**STEP, "width": 1}, **filled),
        line(x, flight, name="in flight", color="blue", unit="messages", line={**STEP, "width": 1.6}),
    ]
    if any(path["idle_blocked"]):
        look = {"fill": "tozeroy", "fillpattern": HATCH, "line": {**STEP, "width": 1}}
        idle = path["idle_blocked"]
        data.append(line(x, idle, name="idle while blocked", color="vermillion", unit="threads", **look))
    deepest = max((value or 0.0 for value in path["backlog"]), default=0.0)
    layout = {**_layout(scale.unit, _top(flight, thresholds), deepest), **labelled(_marks(thresholds))}
    if thresholds.high is not None:
        data.append(ribbon(x, path["blocked"], name="throttle blocked"))
        layout["yaxis3"] = RIBBON
        layout["xaxis"]["anchor"] = "y3"
        layout["annotations"].append(ribbon_label("blocked"))
    return {"data": data, "layout": {**layout, **linked(link, scale)}}


def _layout(unit: str, top: float, deepest: float) -> Figure:
    right = {"overlaying": "y", "side": "right", "anchor": "x", "tickmode": "auto", "nticks": 5}
    return {
        "margin": {"r": 64},
        "xaxis": axis("simulated time", unit, zeroline=False),
        "yaxis": axis("in flight", "messages", domain=[0.12, 1], range=[0, 1.12 * top or 1]),
        "yaxis2": axis("destination", "messages", domain=[0.12, 1], range=[0, max(1.12 * deepest, 10)], **right),
    }


def _marks(thresholds: Thresholds) -> list[tuple[Figure, Figure]]:
    if thresholds.high is None:
        return []
    marks = [level(thresholds.high, text=f"high threshold {thresholds.high:g}", color="vermillion")]
    if thresholds.low is not None and thresholds.low != thresholds.high:
        marks.append(level(thresholds.low, text=f"low threshold {thresholds.low:g}", color="green"))
    return marks


def _top(flight: list[float | None], thresholds: Thresholds) -> float:
    """The height of the axis: a threshold that the course never comes near would flatten the course."""
    most = max((value or 0.0 for value in flight), default=1.0)
    near = [mark for mark in (thresholds.high, thresholds.low) if mark is not None and mark <= 4 * most]
    return max([most, *near])


def _stretch(path: Mapping[str, Numbers]) -> str:
    """Say which seconds of the first replication are shown, and why these; nothing where they begin with it."""
    first, last = (quantity(at or 0.0, "s") for at in (path["time"][0], path["time"][-1]))
    if not path["time"][0]:
        return ""
    closed = "the throttle closes" if any(path["blocked"]) else "most messages wait"
    reason = "most threads idle while messages are held back" if any(path["idle_blocked"]) else closed
    return f" Shown are {first} to {last} of the first replication, where {reason}."


def _sentence(path: Mapping[str, Numbers], thresholds: Thresholds) -> str:
    if thresholds.high is None:
        return f"Messages on the destination, prepared and running.{_stretch(path)}"
    closed = [value for value in path["blocked"] if value is not None]
    idle = [value for value in path["idle_blocked"] if value is not None]
    share = sum(1 for value in closed if value) / max(len(closed), 1)
    mean = sum(idle) / max(len(idle), 1)
    threads = f"{mean:.1f} threads idled behind it on average" if mean >= 0.05 else "no thread idled behind it"
    return f"The throttle was blocked {100 * share:.0f} % of the time shown; {threads}.{_stretch(path)}"
