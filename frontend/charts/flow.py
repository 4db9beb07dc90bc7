"""C11, the producers' flow control: the limit of each producer step by step, and the depth that causes it."""

from collections.abc import Mapping
from dataclasses import dataclass

from frontend.charts.chart import Chart, cell
from frontend.charts.parts import Numbers, axis, labelled, level, line, scaled, timed
from frontend.charts.theme import Figure
from frontend.charts.throttle import DOTTED, RIBBON, STEP, ribbon, ribbon_label
from simulations.analysis.estimates.quantities import quantity

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
    limit = _per_producer(path, marks)
    changed = [place for place in range(len(limit)) if place == 0 or limit[place] != limit[place - 1]]
    steps = [(path["time"][place], limit[place]) for place in changed]
    rows = tuple((cell(at, "s"), "no limit" if value is None else cell(value, "/s")) for at, value in steps)
    columns = ("From", "Limit of each producer")
    figure = _figure(path, marks)
    return Chart("flow", "Flow-control limit", _sentence(steps, marks), figure, columns, rows, wide=True)


def _figure(path: Mapping[str, Numbers], marks: FlowMarks) -> Figure:
    """Limit, depth against the thresholds and the ribbon of the condition over simulated time."""
    x, scale = timed(path["time"])
    limit = scaled(_per_producer(path, marks), 1)
    # What the thresholds count: messages on the destination, prepared and running together.
    columns = zip(path["backlog"], path["prepared"], path["running"], strict=True)
    depth = [sum(value or 0.0 for value in values) for values in columns]
    data = [
        line(x, limit, name="limit of a producer", color="blue", unit="messages/s", line=STEP, connectgaps=False),
        line(x, depth, name="messages inside", color="purple", unit="messages", yaxis="y2", line=DOTTED),
        ribbon(x, condition(depth, marks), name="condition on"),
    ]
    lines = [
        level(marks.maximum, text=f"FlowMaximum {marks.maximum:g}", color="green"),
        level(marks.minimum, text=f"FlowMinimum {marks.minimum:g}", color="orange"),
    ]
    if marks.high:
        lines.append(level(marks.high, text=f"high threshold {marks.high:g}", color="vermillion", axis="y2"))
        shape, label = level(marks.low, text=f"low threshold {marks.low:g}", color="green", axis="y2")
        lines.append((shape, {**label, "x": 0.72}))
    layout = {
        "xaxis": axis("simulated time", scale.unit, rangemode="tozero", zeroline=False, anchor="y3"),
        "yaxis": axis("limit", "messages/s", domain=_LIMIT, range=[0, 1.2 * marks.maximum]),
        "yaxis2": axis("inside", "messages", domain=_DEPTH, rangemode="tozero", showgrid=True),
        "yaxis3": RIBBON,
        **labelled(lines),
    }
    layout["annotations"].append(ribbon_label("on"))
    return {"data": data, "layout": layout}


def _per_producer(path: Mapping[str, Numbers], marks: FlowMarks) -> list[float | None]:
    """The limit of one producer; None where it is free."""
    return [None if value is None else value / marks.producers for value in path["admitted"]]


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


def _sentence(steps: list[tuple[float | None, float | None]], marks: FlowMarks) -> str:
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
