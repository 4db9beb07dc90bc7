"""Charts over the values of a swept setting: latency percentiles, throughput, timeouts, the drain time of a surge."""

from collections.abc import Sequence
from dataclasses import dataclass

from frontend.charts.chart import Chart
from frontend.charts.parts import axis, band, labelled, line, note, objective_line, sides, upright
from frontend.charts.swept import Sweep, Swept
from frontend.charts.theme import Figure
from frontend.wording.numbers import lowered, metric_title
from simulations.analysis.estimates.quantities import estimate_quantity, estimate_text, scale_of, significant

PERCENTILES = {
    "latency.mean": ("mean", "grey", "dot"),
    "latency.p50": ("p50", "green", "dash"),
    "latency.p90": ("p90", "purple", "longdash"),
    "latency.p95": ("p95", "blue", "solid"),
    "latency.p99": ("p99", "orange", "dashdot"),
    "latency.p999": ("p99.9", "vermillion", "longdashdot"),
}
"""Metric -> legend, color and dash; the curve can show each of them."""
SHOWN = ("latency.p50", "latency.p95", "latency.p99")
DRAIN, TIMEOUTS = "drain_time", "timeouts.queue"
_MARKED = {"mode": "lines+markers", "marker": {"size": 8, "color": "@blue"}}


@dataclass(frozen=True)
class Turn:
    """A rule that holds from the value at the place ``at`` of the sweep on, or not ``onwards`` but up to it."""

    rule: str
    title: str
    at: int
    onwards: bool


def curve_chart(sweep: Sweep, *, objective: float | None, shown: Sequence[str] = SHOWN) -> Chart:
    """Return the latency percentiles, each with its 95 % interval; ``objective`` is a bound on a latency, seconds."""
    names = [name for name in PERCENTILES if any(name in item.metrics for item in sweep.values)]
    return Chart(
        "curve",
        f"Latency over {sweep.setting}",
        _curve_sentence(sweep),
        _percentiles(sweep, objective, shown),
        (sweep.heading, *(metric_title(name) for name in names)),
        sweep.rows(names),
        wide=True,
        log=True,
        choices=tuple((name, PERCENTILES[name][0], name in shown) for name in names),
    )


def throughput_chart(sweep: Sweep) -> Chart:
    """Return the throughput, for queues that are always full."""
    sentence = "; ".join(f"{label}: {estimate_text(estimate)}" for label, estimate in sweep.known("throughput"))
    figure = _metric_curve(sweep, "throughput", name="throughput", unit="messages/s")
    title, columns = f"Throughput over {sweep.setting}", (sweep.heading, "Throughput")
    return Chart("curve", title, f"{sentence}.", figure, columns, sweep.rows(["throughput"]), wide=True)


def risk_chart(sweep: Sweep) -> Chart:
    """Return the messages that time out before a thread takes them."""
    known = sweep.known(TIMEOUTS)
    free = [label for label, estimate in known if estimate.value == 0]
    worst, most = max(known, key=lambda item: item[1].value)
    lead = f"No message times out in the queue at {sweep.setting} {', '.join(free)}; at" if free else "At"
    sentence = f"{lead} {worst} {estimate_text(most)} do in each run."
    figure = _metric_curve(sweep, TIMEOUTS, name="queue timeouts per run", unit="messages")
    rows = tuple((label, estimate_text(estimate)) for label, estimate in known)
    columns = (sweep.heading, metric_title(TIMEOUTS))
    return Chart("risk", f"Timeouts over {sweep.setting}", sentence, figure, columns, rows, wide=True)


def drain_chart(sweep: Sweep, *, zone: Sequence[int], turns: Sequence[Turn]) -> Chart:
    """Return the drain time, the best values shaded, with a line where each rule turns.

    ``zone`` holds the places of the best values, at least one.
    """
    title = metric_title(DRAIN)
    scale = scale_of(max(estimate.value for _, estimate in sweep.known(DRAIN)), "s")
    figure = _metric_curve(sweep, DRAIN, name=title.lower(), unit=scale.unit, factor=scale.factor)
    lines = labelled([_turn_line(sweep, number, turn) for number, turn in enumerate(turns, 1)])
    shades = [sweep.shaded(first, last, "green/18") for first, last in stretches(zone)]
    figure["layout"] |= {**lines, "shapes": [*shades, *lines["shapes"]]}
    sentence = " ".join((_zone_text(sweep, zone), *(_turn_text(sweep, *item) for item in enumerate(turns, 1))))
    columns = (sweep.heading, title)
    return Chart("drain", f"{title} over {sweep.setting}", sentence, figure, columns, sweep.rows([DRAIN]), wide=True)


def stretches(places: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first and last place of each unbroken stretch of ``places``, which rise."""
    unbroken: list[tuple[int, int]] = []
    for place in places:
        if unbroken and place == unbroken[-1][1] + 1:
            unbroken[-1] = (unbroken[-1][0], place)
        else:
            unbroken.append((place, place))
    return unbroken


def _percentiles(sweep: Sweep, objective: float | None, shown: Sequence[str]) -> Figure:
    largest = max((estimate.value for name in shown for _, estimate in sweep.known(name)), default=0.0)
    scale = scale_of(max(largest, objective or 0.0), "s")
    labels = sweep.places
    data: list[Figure] = []
    for name, (legend, color, dash) in PERCENTILES.items():
        values, low, high = sides([item.metrics.get(name) for item in sweep.values], scale.factor)
        look: Figure = {"visible": name in shown, "meta": name}
        data += band(labels, low, high, name=legend, color=color, **look)
        look |= {"mode": "lines+markers", "marker": {"size": 8, "color": f"@{color}"}, "line": {"dash": dash}}
        data.append(line(labels, values, name=legend, color=color, unit=scale.unit, legendgroup=legend, **look))
    marks = labelled([objective_line(objective, scale)] if objective is not None else [])
    for first, last in stretches([place for place, item in enumerate(sweep.values) if item.problem]):
        marks["shapes"].append(sweep.shaded(first, last, "vermillion/12"))
        middle = (sweep.edges[first] + sweep.edges[last + 1]) / 2
        text = _problem_text(sweep.values[first : last + 1])
        marks["annotations"].append(note(text, "vermillion", x=middle, xref="x", y=0.98, yref="paper", yanchor="top"))
    return {
        "data": data,
        "layout": {"xaxis": sweep.axis, "yaxis": axis("latency", scale.unit, rangemode="tozero"), **marks},
    }


def _metric_curve(sweep: Sweep, metric: str, *, name: str, unit: str, factor: float = 1.0) -> Figure:
    """One metric with its 95 % interval, as ``name`` in ``unit``."""
    labels = sweep.places
    values, low, high = sides([item.metrics.get(metric) for item in sweep.values], factor)
    curve = line(labels, values, name=name, color="blue", unit=unit, **_MARKED)
    layout = {"xaxis": sweep.axis, "yaxis": axis(name, unit, rangemode="tozero")}
    return {"data": [*band(labels, low, high, name=name, color="blue"), curve], "layout": layout}


def _curve_sentence(sweep: Sweep) -> str:
    rated = sweep.known("latency.p95")
    if not rated:
        return "No value of the setting has a steady latency."
    low, high = min(rated, key=lambda item: item[1].value), max(rated, key=lambda item: item[1].value)
    if low[0] == high[0]:
        return f"p95 is {estimate_text(low[1])} at {sweep.setting} {low[0]}."
    first, last = sorted((low, high), key=rated.index)
    word = "falls" if last is low else "grows"
    return f"p95 {word} from {estimate_text(first[1])} at {first[0]} to {estimate_text(last[1])} at {last[0]}."


def _problem_text(values: Sequence[Swept]) -> str:
    """Say why there is no latency, and how fast messages pile up."""
    reasons = " or ".join(dict.fromkeys(item.problem for item in values))
    growths = [item.growth for item in values if item.growth > 0]
    ends = dict.fromkeys(significant(float(f"{rate:.2g}")) for rate in (max(growths), min(growths))) if growths else {}
    return f"▲ {reasons}" + (f"<br>+{' to '.join(ends)} messages/s" if ends else "")


def _turn_line(sweep: Sweep, number: int, turn: Turn) -> tuple[Figure, Figure]:
    text, side = (f"rule {number} →", "left") if turn.onwards else (f"← rule {number}", "right")
    step = sweep.steps[turn.at]
    return upright(sweep.drawn_at(step), text=text, color="purple", xanchor=side, x=step)


def _zone_text(sweep: Sweep, zone: Sequence[int]) -> str:
    best = min((sweep.values[place] for place in zone), key=lambda item: item.metrics[DRAIN].value)
    ends = [(sweep.values[first].label, sweep.values[last].label) for first, last in stretches(zone)]
    places = " and ".join(first if first == last else f"{first} to {last}" for first, last in ends)
    return f"Best (shaded): {sweep.setting} {places}, with {estimate_quantity(best.metrics[DRAIN])} at {best.label}."


def _turn_text(sweep: Sweep, number: int, turn: Turn) -> str:
    label = sweep.values[turn.at].label
    reach = f"from {label} on" if turn.onwards else f"up to {label}"
    return f"Rule {number}, kept {reach}: {lowered(turn.title)}."
