"""C12 over time: what each instance of a cluster holds and works on, and when one idles beside another's buffer."""

from collections.abc import Mapping, Sequence

from frontend.charts.chart import Chart, CourseRows
from frontend.charts.parts import Numbers, axis, band, line, linked, scaled, spans, time_scale
from frontend.charts.theme import Figure
from simulations.analysis.estimates.quantities import percent

COLOURS = ("blue", "orange", "green", "purple")
"""One for each instance; more instances than this are drawn as a band from the least to the most."""
ROWS = {"buffered": ("y", "buffered"), "running": ("y2", "in process")}
Course = Sequence[Numbers]
"""Values over time by instance."""


def instances_chart(course: Mapping[str, Numbers], *, link: str = "") -> Chart:
    """Return C12 over time from ``time`` (s), ``buffered.1``, ``running.1`` and so on for each instance."""
    count = sum(name.startswith("running.") for name in course)
    held = {row: [course[f"{row}.{number}"] for number in range(1, count + 1)] for row in ROWS}
    uneven = [_is_uneven(now) for now in zip(*held["buffered"], *held["running"], strict=True)]
    columns = ("Time", *(f"{title.capitalize()} {number + 1}" for _, title in ROWS.values() for number in range(count)))
    units = ("messages",) * count + ("threads",) * count
    rows = CourseRows(course["time"], [*held["buffered"], *held["running"]], units=units)
    figure = _figure(course["time"], held, uneven, link)
    return Chart("instances", "Instances over time", _sentence(uneven), figure, columns, rows, wide=True)


def _figure(time: Numbers, held: Mapping[str, Course], uneven: Sequence[bool], link: str) -> Figure:
    scale = time_scale(time)
    x = scaled(time, scale.factor)
    data = [trace for row in ROWS for trace in _traces(row, x, held[row])]
    shade = {"type": "rect", "yref": "paper", "y0": 0, "y1": 1, "fillcolor": "@vermillion/12", "line": {"width": 0}}
    layout = {
        "xaxis": {**axis("simulated time", scale.unit, rangemode="tozero"), "anchor": "y2"},
        "yaxis": axis("buffered", "messages", domain=[0.5, 1], rangemode="tozero"),
        "yaxis2": axis("in process", "threads", domain=[0, 0.42], rangemode="tozero", showgrid=True),
        "shapes": [{**shade, "x0": from_, "x1": to} for from_, to in spans(x, uneven)],
        **linked(link, scale),
    }
    return {"data": data, "layout": layout}


def _traces(row: str, x: Numbers, course: Course) -> list[Figure]:
    where, title = ROWS[row]
    unit = "messages" if row == "buffered" else "threads"
    shown = {"yaxis": where, "line": {"shape": "hv", "width": 1.5}}
    if len(course) > len(COLOURS):
        low, high = ([pick(now) for now in zip(*course, strict=True)] for pick in (_least, _most))
        edges = band(x, low, high, name=title, colour="blue", yaxis=where)
        return [*edges, line(x, high, name=f"most {title}", colour="blue", unit=unit, **shown)]
    first = row == "buffered"
    return [
        {
            **line(x, values, name=f"instance {place + 1}", colour=COLOURS[place], unit=f"{unit} {title}", **shown),
            "legendgroup": str(place),
            "showlegend": first,
        }
        for place, values in enumerate(course)
    ]


def _least(values: Sequence[float | None]) -> float:
    return min(value or 0.0 for value in values)


def _most(values: Sequence[float | None]) -> float:
    return max(value or 0.0 for value in values)


def _is_uneven(now: Sequence[float | None]) -> bool:
    """Whether an instance has nothing to do while another holds messages that none of its threads works on."""
    count = len(now) // 2
    return _most(now[:count]) > 0 and _least(now[count:]) == 0


def _sentence(uneven: Sequence[bool]) -> str:
    share = sum(uneven) / max(len(uneven), 1)
    if not share:
        return "At no time did an instance idle while another had messages in its buffer."
    return f"{percent(share)} of the time shown an instance had nothing to do while another had messages in its buffer."
