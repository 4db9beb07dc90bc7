"""Charts over the values of a swept setting: latency percentiles, throughput, timeouts, the drain time of a surge."""

from collections.abc import Sequence
from dataclasses import dataclass

from frontend.charts.chart import Chart
from frontend.charts.parts import axis, measured, objective_line, upright
from frontend.charts.swept import Sweep, stretches
from frontend.charts.theme import Figure
from frontend.wording.numbers import lowered, metric_title
from simulations.analysis.estimates.quantities import Scale, estimate_quantity, estimate_text, scale_of

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
    figure = metric_figure(sweep, "throughput", name="throughput", scale=Scale(1.0, "messages/s"))
    title, columns = f"Throughput over {sweep.setting}", (sweep.heading, "Throughput")
    return Chart("curve", title, f"{sentence}.", figure, columns, sweep.rows(["throughput"]), wide=True)


def risk_chart(sweep: Sweep) -> Chart:
    """Return the messages that time out before a thread takes them."""
    known = sweep.known(TIMEOUTS)
    free = [label for label, estimate in known if estimate.value == 0]
    worst, most = max(known, key=lambda item: item[1].value)
    lead = f"No message times out in the queue at {sweep.setting} {', '.join(free)}; at" if free else "At"
    sentence = f"{lead} {worst} {estimate_text(most)} do in each run."
    figure = metric_figure(sweep, TIMEOUTS, name="queue timeouts per run", scale=Scale(1.0, "messages"))
    columns, rows = (sweep.heading, metric_title(TIMEOUTS)), sweep.rows([TIMEOUTS])
    return Chart("risk", f"Timeouts over {sweep.setting}", sentence, figure, columns, rows, wide=True)


def drain_chart(sweep: Sweep, *, zone: Sequence[int], turns: Sequence[Turn]) -> Chart:
    """Return the drain time, the best values shaded, with a line where each rule turns.

    ``zone`` holds the places of the best values, at least one.
    """
    title = metric_title(DRAIN)
    scale = scale_of(max(estimate.value for _, estimate in sweep.known(DRAIN)), "s")
    lines = [_turn_line(sweep, number, turn) for number, turn in enumerate(turns, 1)]
    figure = metric_figure(sweep, DRAIN, name=title.lower(), scale=scale, lines=lines)
    figure["layout"]["shapes"] += [sweep.shaded(first, last, "green/18") for first, last in stretches(zone)]
    sentence = " ".join((_zone_text(sweep, zone), *(_turn_text(sweep, *item) for item in enumerate(turns, 1))))
    columns = (sweep.heading, title)
    return Chart("drain", f"{title} over {sweep.setting}", sentence, figure, columns, sweep.rows([DRAIN]), wide=True)


def _percentiles(sweep: Sweep, objective: float | None, shown: Sequence[str]) -> Figure:
    largest = max((estimate.value for name in shown for _, estimate in sweep.known(name)), default=0.0)
    scale = scale_of(max(largest, objective or 0.0), "s")
    data: list[Figure] = []
    for name, (legend, color, dash) in PERCENTILES.items():
        look: Figure = {"color": color, "dash": dash, "visible": name in shown, "meta": name}
        estimates = [item.metrics.get(name) for item in sweep.values]
        data += measured(sweep.places, estimates, scale, name=legend, **look)
    marks = sweep.marked([objective_line(objective, scale)] if objective is not None else [])
    layout = {"xaxis": sweep.axis, "yaxis": axis("latency", scale.unit, rangemode="tozero"), **marks}
    return {"data": data, "layout": layout}


def metric_figure(
    sweep: Sweep, metric: str, *, name: str, scale: Scale, lines: Sequence[tuple[Figure, Figure]] = ()
) -> Figure:
    """Return one metric with its 95 % interval, as ``name``, and labelled ``lines``."""
    curve = measured(sweep.places, [item.metrics.get(metric) for item in sweep.values], scale, name=name)
    layout = {"xaxis": sweep.axis, "yaxis": axis(name, scale.unit, rangemode="tozero"), **sweep.marked(lines)}
    return {"data": curve, "layout": layout}


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


def _turn_line(sweep: Sweep, number: int, turn: Turn) -> tuple[Figure, Figure]:
    text, side = (f"rule {number} →", "left") if turn.onwards else (f"← rule {number}", "right")
    at = sweep.numbers[turn.at] if sweep.numbers else turn.at
    return upright(at, text=text, color="purple", xanchor=side, x=sweep.steps[turn.at])


def _zone_text(sweep: Sweep, zone: Sequence[int]) -> str:
    best = min((sweep.values[place] for place in zone), key=lambda item: item.metrics[DRAIN].value)
    ends = [(sweep.values[first].label, sweep.values[last].label) for first, last in stretches(zone)]
    places = " and ".join(first if first == last else f"{first} to {last}" for first, last in ends)
    return f"Best (shaded): {sweep.setting} {places}, with {estimate_quantity(best.metrics[DRAIN])} at {best.label}."


def _turn_text(sweep: Sweep, number: int, turn: Turn) -> str:
    label = sweep.values[turn.at].label
    reach = f"from {label} on" if turn.onwards else f"up to {label}"
    return f"Rule {number}, kept {reach}: {lowered(turn.title)}."
