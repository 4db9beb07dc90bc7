"""Charts over the values of a swept setting: latency percentiles, or any other metric with its objective and rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from frontend.charts.chart import Chart
from frontend.charts.parts import THEME, Figure, axis, figure, measured, objective_lines, upright
from frontend.charts.swept import Sweep, stretches
from frontend.wording.numbers import lowered, metric_title
from simulations.analysis.estimates.metrics import BY_NAME
from simulations.analysis.estimates.summary import estimate_quantity, estimate_text, scale_of

PERCENTILES: Mapping[str, Sequence[str]] = THEME["percentiles"]
"""Metric -> legend, color and dash; the curve can show each of them."""
SHOWN = ("latency.p50", "latency.p95", "latency.p99")
DRAIN, TIMEOUTS = "drain_time", "timeouts.queue"
KEYS = {"throughput": "throughput", DRAIN: "drain", TIMEOUTS: "risk"}
"""Metric -> what its chart is called on the page; that of any other is the one that was asked for."""


@dataclass(frozen=True)
class Turn:
    """A rule that holds from the value at the place ``at`` of the sweep on, or not ``onwards`` but up to it."""

    rule: str
    title: str
    at: int
    onwards: bool


def curve_chart(
    sweep: Sweep, *, objective: float | None, shown: Sequence[str] = SHOWN, told: str = "latency.p95", bounded: str = ""
) -> Chart:
    """Return the latency percentiles, each with its 95 % interval; ``objective`` is a bound on a latency, seconds. The
    sentence is about the percentile ``told``; ``bounded``: the one that the objective is about, where it is known."""
    names = [name for name in PERCENTILES if any(name in item.metrics for item in sweep.values)]
    return Chart(
        "curve",
        sweep.title("Latency"),
        f"{_course_text(sweep, told)}{_met_text(sweep)}",
        _percentiles(sweep, objective, shown, bounded),
        (sweep.heading, *(metric_title(name) for name in names)),
        sweep.rows(names),
        wide=True,
        log=True,
        choices=tuple((name, PERCENTILES[name][0], name in shown) for name in names),
    )


def metric_chart(
    sweep: Sweep, metric: str, *, objective: float | None = None, zone: Sequence[int] = (), turns: Sequence[Turn] = ()
) -> Chart:
    """Return a metric with its 95 % interval and the line of its objective. ``zone`` holds the places of the best
    values, which are shaded; a line stands where each of the rules turns."""
    title, scale = metric_title(metric), sweep.scale(metric, objective)
    lines = [_turn_line(sweep, number, turn) for number, turn in enumerate(turns, 1)]
    lines += objective_lines(objective, scale, BY_NAME[metric].unit)
    shapes, name = sweep.marked(lines), lowered(title)
    shapes += [sweep.shaded(first, last, "green/18") for first, last in stretches(zone)]
    curve = measured(sweep.places, [item.metrics.get(metric) for item in sweep.values], scale, name=name)
    drawn = figure(curve, sweep.axis, axis(name, scale.unit, rangemode="tozero"), shapes=shapes)
    about = _zone_text(sweep, metric, zone) if zone else _course_text(sweep, metric)
    kept = [f"kept {_turn_reach(sweep, turn)}: {lowered(turn.title)}." for turn in turns]
    rules = "".join(f" Rule {number}, {words}" for number, words in enumerate(kept, 1))
    key, columns, rows = KEYS.get(metric, "asked"), (sweep.heading, title), sweep.rows([metric])
    return Chart(key, sweep.title(title), f"{about}{_met_text(sweep)}{rules}", drawn, columns, rows, wide=True)


def _percentiles(sweep: Sweep, objective: float | None, shown: Sequence[str], bounded: str) -> Figure:
    largest = max((estimate.value for name in shown for estimate in sweep.known(name).values()), default=0.0)
    scale = scale_of(max(largest, objective or 0.0), "s")
    data: list[Figure] = []
    for name, (legend, color, dash) in PERCENTILES.items():
        look: Figure = {"color": color, "dash": dash, "visible": name in shown, "meta": name}
        estimates = [item.metrics.get(name) for item in sweep.values]
        data += measured(sweep.places, estimates, scale, name=legend, **look)
    marks = sweep.marked(objective_lines(objective, scale, of=PERCENTILES[bounded][0] if bounded else ""))
    return figure(data, sweep.axis, axis("latency", scale.unit, rangemode="tozero"), shapes=marks)


def _course_text(sweep: Sweep, metric: str) -> str:
    """Where the metric is lowest and where highest, as far as the intervals, as they are written, tell."""
    title, known = metric_title(metric), sweep.known(metric)
    if not known:
        return f"{title}: no value of the setting has any."
    low, high = (extreme(known.values(), key=lambda item: item.value) for extreme in (min, max))
    lowest, highest = (
        f"{estimate_text(end, high.value)} at {sweep.reach([at for at, it in known.items() if it.value == end.value])}"
        for end in (low, high)
    )
    if low.value == high.value:
        return f"{title}: {lowest}."
    if low.high >= high.low or estimate_text(low, high.value) == estimate_text(high):
        return f"{title}: {lowest}, {highest}; these intervals tell no difference."
    return f"{title}: lowest {lowest}, highest {highest}."


def _met_text(sweep: Sweep) -> str:
    return f" Objectives met (shaded): {sweep.reach(sweep.met)}." if sweep.met else ""


def _turn_line(sweep: Sweep, number: int, turn: Turn) -> Figure:
    at = sweep.numbers[turn.at] if sweep.numbers else turn.at
    return upright(at, text=f"rule {number}, {_turn_reach(sweep, turn)}", color="purple")


def _zone_text(sweep: Sweep, metric: str, zone: Sequence[int]) -> str:
    best = min((sweep.values[place] for place in zone), key=lambda item: item.metrics[metric].value)
    shade, value = "deeper shade" if sweep.met else "shaded", estimate_quantity(best.metrics[metric])
    return f"Best ({shade}): {sweep.setting} {sweep.reach(zone)}, with {value} at {best.label}."


def _turn_reach(sweep: Sweep, turn: Turn) -> str:
    label = sweep.values[turn.at].label
    return f"from {label} on" if turn.onwards else f"up to {label}"
