"""C5, threads by state: what the threads of one server did in each part of the run."""

from collections.abc import Mapping

from frontend.charts.chart import Chart, CourseRows
from frontend.charts.parts import Numbers, axis, band, level, line, linked, scaled, time_scale
from frontend.charts.theme import Figure
from frontend.wording.numbers import counted
from simulations.analysis.estimates.quantities import estimate_quantity, estimate_text, percent
from simulations.analysis.estimates.summary import Estimate

STATES = {
    "busy": ("busy", "blue", ""),
    "held": ("held", "purple", "."),
    "idle_blocked": ("idle, held back", "vermillion", "/"),
    "idle_no_work": ("idle, no work", "grey", "-"),
}
"""Column -> legend, colour and pattern, from the bottom of the stack to its top."""

ROOM = 4
"""A capacity of up to so many times the most threads in use is drawn to scale."""


def threads_chart(
    curve: Mapping[str, Numbers], metrics: Mapping[str, Estimate], *, server: str, capacity: int, link: str
) -> Chart:
    """Return C5 of a server; ``metrics`` are its own, ``capacity`` its most threads over all instances."""
    columns = ("Time", *(legend.capitalize() for legend, _, _ in STATES.values()))
    rows = CourseRows(curve["band_time"], [curve[name] for name in STATES], units=("threads",) * len(STATES))
    figure = threads_by_state(curve, capacity=capacity, link=link)
    title = f"Threads of {server} by state"
    return Chart("threads", title, _sentence(metrics, capacity), figure, columns, rows)


def threads_by_state(curve: Mapping[str, Numbers], *, capacity: int, link: str = "") -> Figure:
    """Return the stacked means by part of the run, the 95 % band of the busy ones and the line of the capacity."""
    scale = time_scale(curve["band_time"])
    x = scaled(curve["band_time"], scale.factor)
    data = [_area(x, curve[name], *look) for name, look in STATES.items() if any(curve[name])]
    if "busy_low" in curve:
        data += band(x, curve["busy_low"], curve["busy_high"], name="busy", colour="ink")
    top = _top(curve, capacity)
    shape, label = level(min(capacity, top), text=_capacity(capacity, top), colour="ink", dash="dot")
    layout = {
        "xaxis": axis("simulated time", scale.unit, rangemode="tozero"),
        "yaxis": axis("threads", "threads", range=[0, 1.15 * top]),
        "shapes": [shape],
        "annotations": [label],
        **linked(link, scale),
    }
    return {"data": data, "layout": layout}


def _top(curve: Mapping[str, Numbers], capacity: int) -> float:
    """The height of the axis: threads that are never used would flatten those that are."""
    used = zip(*(curve[name] for name in STATES if name != "idle_no_work"), strict=True)
    most = max(sum(value or 0.0 for value in values) for values in used)
    return capacity if capacity <= ROOM * most else 1.5 * most or capacity


def _capacity(capacity: int, top: float) -> str:
    return counted(capacity, "thread") if capacity <= top else f"↑ {counted(capacity, 'thread')} in all"


def _area(x: Numbers, y: Numbers, legend: str, colour: str, pattern: str) -> Figure:
    look = {"shape": "hvh", "width": 1}
    area = line(x, scaled(y, 1), name=legend, colour=colour, unit="threads", line=look, stackgroup="threads")
    hatch = {"shape": pattern, "fgcolor": f"@{colour}", "bgcolor": f"@{colour}/18", "size": 9, "solidity": 0.15}
    return {**area, "fillcolor": f"@{colour}/35", **({"fillpattern": hatch} if pattern else {})}


def _sentence(metrics: Mapping[str, Estimate], capacity: int) -> str:
    busy, idle = metrics.get("threads.busy"), metrics.get("threads.idle_blocked")
    if busy is None:
        return f"The server has at most {counted(capacity, 'thread')}."
    mean = estimate_quantity(busy)._replace(unit="")
    said = f"On average {mean} of {counted(capacity, 'thread')} are busy ({percent(busy.value / capacity)})"
    if idle is None or idle.value < 0.005:
        return f"{said}; none idles while messages are held back."
    return f"{said}; idle while a throttle or a flow limit holds messages back: {estimate_text(idle)}."
