"""C1 and C3: the latency over the course of a run, and the share of messages slower than a given latency."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from frontend.charts import parts
from frontend.charts.chart import Chart, CourseRows
from frontend.charts.curves import PERCENTILES, SHOWN
from frontend.charts.parts import Figure
from frontend.charts.throttle import FlowMarks, Thresholds
from frontend.wording.numbers import lowered
from simulations.analysis.estimates.summary import Estimate, Scale, estimate_text, percent, quantity, scale_of

MOST_SPANS = 60
"""More blocked spans than this cannot be told apart; C2 shows them."""
RUN = "run"
"""Group of the figures over the whole course of a run."""
WHOLE = 0.98
"""The tail is drawn from where fewer messages than this are slower: before that the curve is flat."""
_DECADES = (1.0, 0.1, 0.01, 0.001, 0.0001, 0.00001)


class Moment(NamedTuple):
    """An instant (s) at which something happens to the queue, with its words."""

    at: float
    text: str


@dataclass(frozen=True)
class QueueMarks:
    """What the charts of one queue are measured against.

    Attributes:
        objective: bound on a latency percentile, seconds.
        flow: limits of the producers' flow control, where the queue has one.
        server: the server that works the queue off, and its ``capacity``, threads over all instances.
        saturated: the queue is always full, so its latency says nothing.
        whole: the throttle's course covers the whole run, so that its time axis is that of the other charts.
    """

    thresholds: Thresholds = field(default_factory=Thresholds)
    objective: float | None = None
    moments: tuple[Moment, ...] = ()
    flow: FlowMarks | None = None
    server: str = ""
    capacity: int = 0
    saturated: bool = False
    whole: bool = False


class Tail(NamedTuple):
    """One curve with its look: columns latency (s), survival, low and high (shares). ``ghost``: it may leave a ghost
    when it changes."""

    name: str
    curve: Mapping[str, parts.Numbers]
    color: str
    dash: str = "solid"
    ghost: bool = False


def latency_chart(
    timeline: Mapping[str, parts.Numbers], metrics: Mapping[str, Estimate], marks: QueueMarks, top: float | None = None
) -> Chart:
    """Return C1: percentiles of the latency by part of the run, with the 95 % band of p95. ``top`` (s) fixes the
    height, so that several charts can be compared."""
    values = [value for value in timeline["p95"] if value is not None]
    ends = [float(f"{end(values, default=0.0):.3g}") for end in (min, max)]
    low, high = (quantity(end, "s", beside=ends[1]) for end in ends)
    columns = ("Time", "p50", "p95", "p95 low", "p95 high", "p99")
    names = ("p50", "p95", "p95_low", "p95_high", "p99")
    rows = CourseRows(timeline["band_time"], [timeline[name] for name in names], units=("s",) * 5)
    closed = metrics.get("gate.blocked_fraction")
    blocked = (
        f"; {lowered(marks.thresholds.full)} {percent(closed.value)} of the time" if closed and closed.value > 0 else ""
    )
    course = f"lies between {low} and {high}" if low != high else f"stays at {low}"
    sentence = f"Over the run p95 {course}{blocked}."
    figure = _over_time(timeline, marks, top)
    return Chart("latency", "Latency over time", sentence, figure, columns, rows, log=True)


def tail_chart(
    curve: Mapping[str, parts.Numbers], metrics: Mapping[str, Estimate], *, objective: float | None
) -> Chart:
    """Return C3 of one queue, with the intervals of p95 and p99."""
    figure = tails_figure([Tail("P(latency > x)", curve, "blue", ghost=True)], objective)
    scale = _scale([curve])
    for name, share in (("latency.p95", 0.05), ("latency.p99", 0.01)):
        if name in metrics:
            figure["data"].append(_whisker(metrics[name], share, scale, PERCENTILES[name]))
    rows = CourseRows(curve["latency"], [curve[name] for name in ("survival", "low", "high")], units=("1", "1", "1"))
    slowest = max((metrics[name].value for name in ("latency.p99", "latency.p999") if name in metrics), default=0.0)
    said = [
        f"{share} take at least {estimate_text(metrics[name], slowest)}"
        for name, share in (("latency.p99", "1 % of the messages"), ("latency.p999", "0.1 %"))
        if name in metrics
    ]
    sentence = f"{', '.join(said)}." if said else "The share of messages slower than a given latency."
    return Chart("tail", "Tail of the latency", sentence, figure, ("Latency", "Share slower", "Low", "High"), rows)


def tails_figure(tails: Sequence[Tail], objective: float | None) -> Figure:
    """Return tails over each other with their 95 % bands and the objective (s), both axes logarithmic."""
    scale = _scale([tail.curve for tail in tails])
    ticks = {"tickvals": list(_DECADES), "ticktext": [f"{100 * at:g}" for at in _DECADES]}
    x = parts.axis("latency", scale.unit, type="log", exponentformat="none", nticks=8)
    y = parts.axis("slower messages", "%", type="log", **ticks)
    more: Figure = {"hovermode": "closest"}
    if objective is not None:
        at, text = objective * scale.factor, parts.objective_label(objective)
        more["shapes"] = [parts.upright(at, text=text, color="vermillion", dash="dash")]
    return parts.figure([trace for tail in tails for trace in _traces(tail, scale)], x, y, **more)


def _over_time(timeline: Mapping[str, parts.Numbers], marks: QueueMarks, top: float | None) -> Figure:
    largest = top or max((value for value in timeline["p99"] if value is not None), default=1.0)
    (x, time), scale = parts.timed(timeline["band_time"]), scale_of(largest, "s")
    low, high = (parts.scaled(timeline[name], scale.factor) for name in ("p95_low", "p95_high"))
    data = parts.band(x, low, high, name="p95", color="blue")
    for name, color, dash in map(PERCENTILES.__getitem__, SHOWN):
        y = parts.scaled(timeline[name], scale.factor)
        look: Figure = {"legendgroup": name, "line": {"dash": dash}, **({"meta": "ghost"} if name == "p95" else {})}
        data.append(parts.line(x, y, name=name, color=color, unit=scale.unit, **look))
    end = max((value for value in timeline["band_time"] if value is not None), default=0.0)
    lines = parts.objective_lines(marks.objective, scale)
    lines += [
        parts.upright(moment.at * time.factor, text=moment.text, color="purple")
        for moment in marks.moments
        if moment.at <= end
    ]
    spans = parts.spans(timeline["time"], list(map(bool, timeline["blocked"]))) if timeline.get("time") else []
    if len(spans) <= MOST_SPANS:
        blocked = [(start * time.factor, stop * time.factor) for start, stop in spans]
        lines = [*parts.shades(blocked, "vermillion/12"), *lines]
    reach = {"rangemode": "tozero"} if top is None else {"range": [0, 1.05 * top * scale.factor]}
    along = parts.axis("simulated time", time.unit, rangemode="tozero")
    latency = parts.axis("latency", scale.unit, **reach)
    return parts.figure(data, along, latency, shapes=lines, **parts.linked(RUN, time))


def _scale(curves: Sequence[Mapping[str, parts.Numbers]]) -> Scale:
    return scale_of(max((value or 0.0 for curve in curves for value in curve["latency"]), default=1.0), "s")


def _traces(tail: Tail, scale: Scale) -> list[Figure]:
    """Band and line from where the curve is no longer flat; a band that reaches zero ends at the least share."""
    shown = [at for at, share in enumerate(tail.curve["survival"]) if share is not None and share <= WHOLE]
    curve = {name: [column[at] for at in shown] for name, column in tail.curve.items()}
    x = parts.scaled(curve["latency"], scale.factor)
    least = min((value for value in curve["survival"] if value), default=1e-6)
    low = [max(value or least, least) for value in curve["low"]]
    more: Figure = {"meta": "ghost", "showlegend": False} if tail.ghost else {"legendgroup": tail.name}
    stroke = {"dash": tail.dash}
    return [
        *parts.band(x, low, curve["high"], name=tail.name, color=tail.color),
        parts.line(x, curve["survival"], name=tail.name, color=tail.color, unit="", line=stroke, **more),
    ]


def _whisker(estimate: Estimate, share: float, scale: Scale, look: Sequence[str]) -> Figure:
    legend, color, _ = look
    return parts.points(
        parts.scaled([estimate.value], scale.factor),
        [share],
        name=legend,
        marker={"color": f"@{color}", "size": 10, "symbol": "diamond"},
        error_x=parts.whiskers([estimate], scale.factor, color, 2),
        hovertemplate=f"%{{x:.4~g}} {scale.unit}<extra>{legend}</extra>",
    )
