"""C2 and C11: the throttle and the producers' flow control over time, against the thresholds that switch them."""

from collections.abc import Mapping
from dataclasses import dataclass

from frontend.charts.chart import Chart, CourseRows, cell
from frontend.charts.parts import THEME, Figure, Numbers, axis, figure, level, line, linked, scaled, timed
from simulations.analysis.estimates.summary import quantity

STEP = {"shape": "hv"}
DOTTED = {**STEP, "width": 1.2, "dash": "dot"}
HATCH = {"shape": "/", "fgcolor": "@vermillion", "bgcolor": "@vermillion/10", "size": 6}
RIBBON: Figure = THEME["ribbon"]


@dataclass(frozen=True)
class Thresholds:
    """Marks of the limit before the threads, messages in flight, None for none; what it is to be there, and where."""

    high: float | None = None
    low: float | None = None
    full: str = "The throttle was blocked"
    where: str = ""


def throttle_chart(path: Mapping[str, Numbers], thresholds: Thresholds, *, link: str = "") -> Chart:
    """Return C2: messages in flight, prepared and on the destination, idle threads, and when the gate was closed."""
    names = ("backlog", "prepared", "running", "blocked", "idle_blocked")
    columns = ("Time", "On the destination", "Prepared", "Running", "Gates blocked", "Idle while blocked")
    units = ("messages", "messages", "messages", "instances", "threads")
    rows = CourseRows(path["time"], [path[name] for name in names], units=units)
    drawn, sentence = _timeline(path, thresholds, link), _sentence(path, thresholds)
    return Chart("throttle", "Messages over time", sentence, drawn, columns, rows, wide=True)


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
    right = {"overlaying": "y", "side": "right", "anchor": "x", "tickmode": "auto", "nticks": 5}
    time = axis("simulated time", scale.unit, zeroline=False)
    held = axis("in flight", "messages", domain=[0.12, 1], range=[0, 1.12 * _top(flight, thresholds) or 1])
    waiting = axis("destination", "messages", domain=[0.12, 1], range=[0, max(1.12 * deepest, 10)], **right)
    layout: Figure = {"margin": {"r": 64}, "yaxis2": waiting, "shapes": _marks(thresholds), **linked(link, scale)}
    if thresholds.high is not None:
        data.append(ribbon(x, path["blocked"], name="throttle blocked"))
        time["anchor"] = "y3"
        layout |= {"yaxis3": RIBBON, "annotations": [ribbon_label("blocked")]}
    if path.get("step"):
        ways = {"time": scaled(path["step_time"], scale.factor), "step": path["step"], "message": path["message"]}
        layout["meta"] = {**layout.get("meta", {}), "ways": ways}
    return figure(data, time, held, **layout)


def _marks(thresholds: Thresholds) -> list[Figure]:
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
    first, last = (quantity(path["time"][at] or 0.0, "s", beside=path["time"][-1] or 0.0) for at in (0, -1))
    if not path["time"][0]:
        return ""
    closed = "the limit is reached" if any(path["blocked"]) else "most messages wait"
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
    return f"{thresholds.full}{thresholds.where} {100 * share:.0f} % of the time shown; {threads}.{_stretch(path)}"


_LIMIT, _DEPTH = [0.56, 1], [0.13, 0.46]
"""Where the two parts of the picture lie, as shares of its height; the ribbon is below both."""


@dataclass(frozen=True)
class FlowMarks:
    """Limits of one producer (messages per second) and the thresholds of the condition (messages; 0 = none)."""

    maximum: float
    minimum: float
    producers: int
    high: float
    low: float


def flow_chart(path: Mapping[str, Numbers], marks: FlowMarks) -> Chart:
    """Return C11 from the sampled path of a queue in which flow control was in force."""
    limit = [None if value is None else value / marks.producers for value in path["admitted"]]  # None: free
    changed = [place for place in range(len(limit)) if place == 0 or limit[place] != limit[place - 1]]
    steps = [(path["time"][place], limit[place]) for place in changed]
    rows = tuple((cell(at, "s"), "no limit" if value is None else cell(value, "/s")) for at, value in steps)
    columns = ("From", "Limit of each producer")
    drawn = _flow_figure(path, limit, marks)
    return Chart("flow", "Flow-control limit", _flow_sentence(steps, marks), drawn, columns, rows, wide=True)


def _flow_figure(path: Mapping[str, Numbers], limit: Numbers, marks: FlowMarks) -> Figure:
    """Limit, depth against the thresholds and the ribbon of the condition over simulated time."""
    (x, scale), allowed = timed(path["time"]), scaled(limit, 1)
    # What the thresholds count: messages on the destination, prepared and running together.
    columns = zip(path["backlog"], path["prepared"], path["running"], strict=True)
    depth = [sum(value or 0.0 for value in values) for values in columns]
    data = [
        line(x, allowed, name="limit of a producer", color="blue", unit="messages/s", line=STEP, connectgaps=False),
        line(x, depth, name="messages inside", color="purple", unit="messages", yaxis="y2", line=DOTTED),
        ribbon(x, condition(depth, marks), name="condition on"),
    ]
    lines = [
        level(marks.maximum, text=f"FlowMaximum {marks.maximum:g}", color="green"),
        level(marks.minimum, text=f"FlowMinimum {marks.minimum:g}", color="orange"),
    ]
    if marks.high:
        lines.append(level(marks.high, text=f"high threshold {marks.high:g}", color="vermillion", axis="y2"))
        lines.append(level(marks.low, text=f"low threshold {marks.low:g}", color="purple", axis="y2"))
    time = axis("simulated time", scale.unit, rangemode="tozero", zeroline=False, anchor="y3")
    sent = axis("limit", "messages/s", domain=_LIMIT, range=[0, 1.2 * marks.maximum])
    inside = axis("inside", "messages", domain=_DEPTH, rangemode="tozero", showgrid=True)
    return figure(data, time, sent, yaxis2=inside, yaxis3=RIBBON, shapes=lines, annotations=[ribbon_label("on")])


def condition(depth: list[float], marks: FlowMarks) -> list[float]:
    """Return 1 where the condition is on: from above the high threshold until below the low one, by sample."""
    state, states = 0.0, []
    for value in depth:
        if value > marks.high:
            state = 1.0
        elif value < marks.low:
            state = 0.0
        states.append(state)
    return states


def _flow_sentence(steps: list[tuple[float | None, float | None]], marks: FlowMarks) -> str:
    limits = [value for _, value in steps if value is not None]
    lowest = quantity(min(limits), "/s")
    began = next(at for at, value in steps if value is not None)
    after = [at for at, value in steps if value is None and at is not None and began is not None and at > began]
    free = "they are not free again in the time shown"
    if after:
        free = f"the producers are free again at {quantity(after[0], 's')}"
    return (
        f"From {quantity(began or 0.0, 's')} on each producer may send at most {quantity(marks.maximum, '/s')}, "
        f"then down to {lowest}; {free}."
    )
