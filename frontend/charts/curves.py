"""Charts over the values of a swept setting: latency percentiles, throughput, timeouts, the drain time of a surge."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from frontend.charts.chart import Chart
from frontend.charts.parts import axis, estimated, labelled, note, objective_line, shade, upright
from frontend.charts.theme import Figure
from frontend.wording.numbers import lowered, metric_title, titled
from simulations.analysis.estimates.quantities import Scale, estimate_quantity, estimate_text, scale_of
from simulations.analysis.estimates.summary import Estimate

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
class Swept:
    """One value of the swept setting with its metrics; ``problem`` says why there are no percentiles."""

    label: str
    metrics: Mapping[str, Estimate]
    problem: str = ""

    def text(self, name: str) -> str:
        """Return the metric as a table shows it; where there is none, the reason or a dash."""
        estimate = self.metrics.get(name)
        return estimate_text(estimate) if estimate else self.problem or "–"


@dataclass(frozen=True)
class Sweep:
    """A swept setting: the vendor's name, its unit, and its values in their order."""

    setting: str
    unit: str
    values: Sequence[Swept]

    @property
    def heading(self) -> str:
        """The heading of the column of values."""
        return titled(self.setting, self.unit)

    @property
    def axis(self) -> Figure:
        """An axis with one place for each value."""
        order = {"categoryorder": "array", "categoryarray": [item.label for item in self.values]}
        return axis(self.setting, self.unit, type="category", **order, range=[-0.3, len(self.values) - 0.7])

    def known(self, metric: str) -> list[tuple[str, Estimate]]:
        """Return label and estimate of the values that have the metric."""
        return [(item.label, item.metrics[metric]) for item in self.values if metric in item.metrics]

    def rows(self, metrics: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """Return the rows of a table: each value with its metrics."""
        return tuple((item.label, *(item.text(name) for name in metrics)) for item in self.values)


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
    figure = _metric_curve(sweep, "throughput", name="throughput", scale=Scale(1.0, "messages/s"))
    title, columns = f"Throughput over {sweep.setting}", (sweep.heading, "Throughput")
    return Chart("curve", title, f"{sentence}.", figure, columns, sweep.rows(["throughput"]), wide=True)


def risk_chart(sweep: Sweep) -> Chart:
    """Return the messages that time out before a thread takes them."""
    known = sweep.known(TIMEOUTS)
    free = [label for label, estimate in known if estimate.value == 0]
    worst, most = max(known, key=lambda item: item[1].value)
    lead = f"No message times out in the queue at {sweep.setting} {', '.join(free)}; at" if free else "At"
    sentence = f"{lead} {worst} {estimate_text(most)} do in each run."
    figure = _metric_curve(sweep, TIMEOUTS, name="queue timeouts per run", scale=Scale(1.0, "messages"))
    rows = tuple((label, estimate_text(estimate)) for label, estimate in known)
    columns = (sweep.heading, metric_title(TIMEOUTS))
    return Chart("risk", f"Timeouts over {sweep.setting}", sentence, figure, columns, rows, wide=True)


def drain_chart(sweep: Sweep, *, zone: Sequence[int], turns: Sequence[Turn]) -> Chart:
    """Return the drain time, the best values shaded, with a line where each rule turns.

    ``zone`` holds the places of the best values, at least one.
    """
    title = metric_title(DRAIN)
    scale = scale_of(max(estimate.value for _, estimate in sweep.known(DRAIN)), "s")
    figure = _metric_curve(sweep, DRAIN, name=title.lower(), scale=scale)
    lines = labelled([_turn_line(number, turn) for number, turn in enumerate(turns, 1)])
    shades = [shade(first - 0.25, last + 0.25, "green/18") for first, last in stretches(zone)]
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
    labels = [item.label for item in sweep.values]
    data: list[Figure] = []
    for name, (legend, color, dash) in PERCENTILES.items():
        estimates = [item.metrics.get(name) for item in sweep.values]
        shared: Figure = {"visible": name in shown, "meta": name, "legendgroup": legend}
        data += estimated(labels, estimates, scale, name=legend, color=color, **shared)
        data[-1]["line"]["dash"] = dash
    marks = labelled([objective_line(objective, scale)] if objective is not None else [])
    marks["annotations"] += [
        note(f"▲ {item.problem}", "vermillion", x=index, xref="x", y=0.98, yref="paper", yanchor="top")
        for index, item in enumerate(sweep.values)
        if item.problem
    ]
    return {
        "data": data,
        "layout": {"xaxis": sweep.axis, "yaxis": axis("latency", scale.unit, rangemode="tozero"), **marks},
    }


def _metric_curve(sweep: Sweep, metric: str, *, name: str, scale: Scale) -> Figure:
    """One metric with its 95 % interval, as ``name``."""
    estimates = [item.metrics.get(metric) for item in sweep.values]
    layout = {"xaxis": sweep.axis, "yaxis": axis(name, scale.unit, rangemode="tozero")}
    return {"data": estimated([item.label for item in sweep.values], estimates, scale, name=name), "layout": layout}


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


def _turn_line(number: int, turn: Turn) -> tuple[Figure, Figure]:
    text, side = (f"rule {number} →", "left") if turn.onwards else (f"← rule {number}", "right")
    return upright(turn.at, text=text, color="purple", xanchor=side)


def _zone_text(sweep: Sweep, zone: Sequence[int]) -> str:
    best = min((sweep.values[place] for place in zone), key=lambda item: item.metrics[DRAIN].value)
    ends = [(sweep.values[first].label, sweep.values[last].label) for first, last in stretches(zone)]
    places = " and ".join(first if first == last else f"{first} to {last}" for first, last in ends)
    return f"Best (shaded): {sweep.setting} {places}, with {estimate_quantity(best.metrics[DRAIN])} at {best.label}."


def _turn_text(sweep: Sweep, number: int, turn: Turn) -> str:
    label = sweep.values[turn.at].label
    reach = f"from {label} on" if turn.onwards else f"up to {label}"
    return f"Rule {number}, kept {reach}: {lowered(turn.title)}."
