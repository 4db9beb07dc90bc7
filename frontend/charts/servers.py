"""C5, what the threads of a server do, and C12, how the instances of a cluster share the messages of a queue."""

from collections.abc import Mapping, Sequence

from frontend.charts import parts
from frontend.charts.chart import Chart, CourseRows
from frontend.charts.parts import Figure
from frontend.wording.numbers import counted
from simulations.analysis.estimates.summary import Estimate, estimate_quantity, estimate_text, percent

STATES: Mapping[str, Sequence[str]] = parts.THEME["thread_states"]
"""Column -> legend, color and pattern, from the bottom of the stack to its top."""
ROOM = 4
"""A capacity of up to so many times the most threads in use is drawn to scale."""
COLORS = ("blue", "orange", "green", "purple")
"""One for each instance; more instances than this are drawn as a band from the least to the most."""
ROWS = {"buffered": ("y", "buffered", "messages"), "running": ("y2", "in process", "threads")}
"""What an instance holds and works on -> axis, words and unit."""
BUSIEST = "balance.busiest_share"


def threads_chart(
    curve: Mapping[str, parts.Numbers], metrics: Mapping[str, Estimate], *, server: str, capacity: int, link: str = ""
) -> Chart:
    """Return C5: the mean number of threads in each state, by part of the run. ``metrics`` are the server's own,
    ``capacity`` its most threads over all instances. Old summaries lack a state."""
    states = [name for name in STATES if name in curve]
    columns = ("Time", *(STATES[name][0].capitalize() for name in states))
    rows = CourseRows(curve["band_time"], [curve[name] for name in states], units=("threads",) * len(states))
    figure, title = _threads_figure(curve, capacity, link), f"Threads of {server} by state"
    return Chart("threads", title, _threads_sentence(metrics, capacity), figure, columns, rows)


def balance_chart(instances: Sequence[Estimate], metrics: Mapping[str, Estimate]) -> Chart:
    """Return C12 from the messages that each instance completed and the metrics of the queue."""
    total = sum(item.value for item in instances)
    rows = tuple(
        (f"instance {number}", estimate_text(item), percent(item.value / total) if total else "–")
        for number, item in enumerate(instances, start=1)
    )
    even = percent(1 / len(instances))
    sentence = f"An even share is {even} of the messages."
    if BUSIEST in metrics:
        most = f"the busiest of {len(instances)} instances completed {percent(metrics[BUSIEST].value)}"
        sentence = f"In each run {most} of the messages; even is {even}."
    columns = ("Instance", "Messages completed", "Share")
    return Chart("balance", "Messages by instance", sentence, _balance_figure(instances), columns, rows)


def instances_chart(course: Mapping[str, parts.Numbers], *, link: str = "") -> Chart:
    """Return C12 over time: what each instance holds, and when one idles beside another's buffer. ``course``: ``time``
    (s), ``buffered.1``, ``running.1`` and so on for each instance."""
    count = sum(name.startswith("running.") for name in course)
    held = {row: [course[f"{row}.{number}"] for number in range(1, count + 1)] for row in ROWS}
    columns = ("Time", *(f"{words.capitalize()} {at + 1}" for _, words, _ in ROWS.values() for at in range(count)))
    units = [unit for _, _, unit in ROWS.values() for _ in range(count)]
    rows = CourseRows(course["time"], [*held["buffered"], *held["running"]], units=units)
    uneven = [_is_uneven(now) for now in zip(*held["buffered"], *held["running"], strict=True)]
    share = sum(uneven) / max(len(uneven), 1)
    sentence = "At no time did an instance idle while another had messages in its buffer."
    if share:
        idle = f"{percent(share)} of the time shown an instance had nothing to do"
        sentence = f"{idle} while another had messages in its buffer."
    figure = _instances_figure(course["time"], held, uneven, link)
    return Chart("instances", "Instances over time", sentence, figure, columns, rows, wide=True)


def _threads_figure(curve: Mapping[str, parts.Numbers], capacity: int, link: str) -> Figure:
    """The stacked means, the 95 % band of the busy threads and the line of the capacity."""
    x, scale = parts.timed(curve["band_time"])
    data = [_area(x, curve[name], *look) for name, look in STATES.items() if any(curve.get(name, ()))]
    if "busy_low" in curve:
        data += parts.band(x, curve["busy_low"], curve["busy_high"], name="busy", color="ink")
    top = _top(curve, capacity)
    text = counted(capacity, "thread") if capacity <= top else f"↑ {counted(capacity, 'thread')} in all"
    most = parts.level(min(capacity, top), text=text, color="ink", dash="dot")
    time = parts.axis("simulated time", scale.unit, rangemode="tozero")
    threads = parts.axis("threads", "threads", range=[0, 1.15 * top])
    return parts.figure(data, time, threads, shapes=[most], **parts.linked(link, scale))


def _top(curve: Mapping[str, parts.Numbers], capacity: int) -> float:
    """The height of the axis: threads that are never used would flatten those that are."""
    used = zip(*(curve[name] for name in STATES if name in curve and name != "idle_no_work"), strict=True)
    most = max(sum(value or 0.0 for value in values) for values in used)
    return capacity if capacity <= ROOM * most else 1.5 * most or capacity


def _area(x: parts.Numbers, y: parts.Numbers, legend: str, color: str, pattern: str) -> Figure:
    look = {"shape": "hvh", "width": 1}
    area = parts.line(x, parts.scaled(y, 1), name=legend, color=color, unit="threads", line=look, stackgroup="threads")
    hatch = {"shape": pattern, "fgcolor": f"@{color}", "bgcolor": f"@{color}/18", "size": 9, "solidity": 0.15}
    return {**area, "fillcolor": f"@{color}/35", **({"fillpattern": hatch} if pattern else {})}


def _threads_sentence(metrics: Mapping[str, Estimate], capacity: int) -> str:
    busy, idle = metrics.get("threads.busy"), metrics.get("threads.idle_blocked")
    if busy is None:
        return f"The server has at most {counted(capacity, 'thread')}."
    mean = estimate_quantity(busy)._replace(unit="")
    lead = f"On average {mean} of {counted(capacity, 'thread')} are busy ({percent(busy.value / capacity)})"
    if idle is None or idle.value < 0.005:
        return f"{lead}; none idles while messages are held back."
    return f"{lead}; idle while a throttle or a flow limit holds messages back: {estimate_text(idle)}."


def _balance_figure(instances: Sequence[Estimate]) -> Figure:
    """One bar per instance with its 95 % interval, and the line of an even share."""
    even = sum(item.value for item in instances) / len(instances)
    drawn = {
        "type": "bar",
        "x": [f"instance {place + 1}" for place in range(len(instances))],
        "y": [item.value for item in instances],
        "name": "completed",
        "marker": {"color": "@blue", "line": {"color": "@ink", "width": 1}},
        "hovertemplate": "%{y:.4~g} messages<extra>%{x}</extra>",
        "error_y": parts.whiskers(instances, 1.0, "ink"),
    }
    completed = parts.axis("completed per run", "messages", rangemode="tozero")
    share = parts.level(even, text="even share", color="green")
    return parts.figure([drawn], {"type": "category"}, completed, hovermode="closest", bargap=0.5, shapes=[share])


def _instances_figure(
    time: parts.Numbers, held: Mapping[str, Sequence[parts.Numbers]], uneven: Sequence[bool], link: str
) -> Figure:
    x, scale = parts.timed(time)
    data = [trace for row in ROWS for trace in _traces(row, x, held[row])]
    across = parts.axis("simulated time", scale.unit, anchor="y2")
    buffered = parts.axis("buffered", "messages", domain=[0.5, 1], rangemode="tozero")
    running = parts.axis("in process", "threads", domain=[0, 0.42], rangemode="tozero", showgrid=True)
    shapes = parts.shades(parts.spans(x, uneven), "vermillion/12")
    return parts.figure(data, across, buffered, yaxis2=running, shapes=shapes, **parts.linked(link, scale))


def _traces(row: str, x: parts.Numbers, course: Sequence[parts.Numbers]) -> list[Figure]:
    where, words, unit = ROWS[row]
    shown: Figure = {"yaxis": where, "line": {"shape": "hv", "width": 1.5}}
    if len(course) > len(COLORS):
        low, high = ([end(value or 0.0 for value in now) for now in zip(*course, strict=True)] for end in (min, max))
        edges = parts.band(x, low, high, name=words, color="blue", yaxis=where)
        return [*edges, parts.line(x, high, name=f"most {words}", color="blue", unit=unit, **shown)]
    shown |= {"unit": f"{unit} {words}", "showlegend": row == "buffered"}
    return [
        parts.line(x, values, name=f"instance {place + 1}", color=COLORS[place], legendgroup=str(place), **shown)
        for place, values in enumerate(course)
    ]


def _is_uneven(now: Sequence[float | None]) -> bool:
    """Whether an instance has nothing to do while another holds messages that none of its threads works on."""
    values = [value or 0.0 for value in now]
    count = len(values) // 2
    return max(values[:count]) > 0 and min(values[count:]) == 0
