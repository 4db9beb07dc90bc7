"""Charts as a page shows them: figure, written sentence and data table together."""

from collections.abc import Iterator, Mapping, Sequence

from frontend.charts import curves, figures
from frontend.charts.chart import Chart, table_rows
from frontend.charts.curves import Swept
from frontend.charts.parts import Numbers
from frontend.charts.throttle import Thresholds, throttle_timeline
from frontend.wording import estimate_quantity, metric_title, quantity
from simulations.analysis.summary import Estimate, PointSummary


def curve_chart(
    swept: Sequence[Swept], *, setting: str, unit: str, objective: float | None, shown: Sequence[str]
) -> Chart:
    """Percentiles over the swept setting."""
    figure = curves.percentile_curve(swept, setting=setting, unit=unit, objective=objective, shown=shown)
    names = [name for name in curves.PERCENTILES if any(name in item.metrics for item in swept)]
    rows = tuple((item.label, *(_cell(item, name) for name in names)) for item in swept)
    return Chart(
        "curve",
        f"Latency over {setting}",
        _curve_sentence(swept, setting),
        figure,
        (f"{setting} [{unit}]", *(metric_title(name) for name in names)),
        rows,
        wide=True,
        log=True,
        choices=tuple((name, look[0], name in shown) for name, look in curves.PERCENTILES.items() if name in names),
    )


def throughput_chart(swept: Sequence[Swept], *, setting: str, unit: str) -> Chart:
    """Throughput over the swept setting, for queues that are always full."""
    rows = tuple((item.label, _cell(item, "throughput")) for item in swept)
    rated = [(item.label, item.metrics["throughput"]) for item in swept if "throughput" in item.metrics]
    sentence = "; ".join(f"{label}: {estimate_quantity(estimate)}" for label, estimate in rated)
    figure = curves.throughput_curve(swept, setting=setting, unit=unit)
    title = f"Throughput over {setting}"
    return Chart("curve", title, f"{sentence}.", figure, (f"{setting} [{unit}]", "Throughput"), rows, wide=True)


def point_charts(
    summary: PointSummary,
    *,
    queue: str,
    path: Mapping[str, Numbers],
    thresholds: Thresholds,
    objective: float | None = None,
    saturated: bool = False,
) -> Iterator[Chart]:
    """Charts of one queue at one point: C1 and C3 where latency means something, C2 always. ``path`` is its course."""
    timeline, curve = summary.timeline.get(queue, {}), summary.tail.get(queue, {})
    metrics = summary.queues.get(queue, {})
    stable = summary.status != "unstable" and not saturated
    if stable and timeline.get("band_time"):
        yield latency_chart(timeline, objective=objective)
    if stable and curve.get("latency"):
        yield tail_chart(curve, metrics, objective=objective)
    if path.get("time"):
        yield throttle_chart(path, thresholds)


def latency_chart(timeline: Mapping[str, Numbers], *, objective: float | None) -> Chart:
    """C1."""
    values = [value for value in timeline["p95"] if value is not None]
    low, high = (quantity(size, "s") for size in (min(values, default=0.0), max(values, default=0.0)))
    columns = ("Time", "p50", "p95", "p95 low", "p95 high", "p99")
    names = ("p50", "p95", "p95_low", "p95_high", "p99")
    rows = table_rows(timeline["band_time"], [timeline[name] for name in names], units=("s",) * 5)
    sentence = f"Over the run p95 lies between {low} and {high}."
    figure = figures.latency_over_time(timeline, objective=objective)
    return Chart("latency", "Latency over time", sentence, figure, columns, rows, log=True)


def throttle_chart(path: Mapping[str, Numbers], thresholds: Thresholds) -> Chart:
    """C2."""
    names = ("backlog", "prepared", "running", "blocked", "idle_blocked")
    columns = ("Time", "On the destination", "Prepared", "Running", "Gates blocked", "Idle while blocked")
    units = ("messages", "messages", "messages", "instances", "threads")
    rows = table_rows(path["time"], [path[name] for name in names], units=units)
    figure = throttle_timeline(path, thresholds=thresholds)
    return Chart(
        "throttle", "Throttle timeline", _throttle_sentence(path, thresholds), figure, columns, rows, wide=True
    )


def tail_chart(curve: Mapping[str, Numbers], metrics: Mapping[str, Estimate], *, objective: float | None) -> Chart:
    """C3."""
    figure = figures.tail(curve, objective=objective, marks=metrics)
    rows = table_rows(curve["latency"], [curve[name] for name in ("survival", "low", "high")], units=("1", "1", "1"))
    parts = [
        f"{share} take longer than {estimate_quantity(metrics[name])}"
        for name, share in (("latency.p99", "1 % of the messages"), ("latency.p999", "0.1 %"))
        if name in metrics
    ]
    sentence = f"{', '.join(parts)}." if parts else "The share of messages slower than a given latency."
    return Chart("tail", "Tail of the latency", sentence, figure, ("Latency", "Share slower", "Low", "High"), rows)


def _curve_sentence(swept: Sequence[Swept], setting: str) -> str:
    rated = [(item.label, item.metrics["latency.p95"]) for item in swept if "latency.p95" in item.metrics]
    if not rated:
        return "No value of the setting has a steady latency."
    low, high = min(rated, key=lambda item: item[1].value), max(rated, key=lambda item: item[1].value)
    if low[0] == high[0]:
        return f"p95 is {estimate_quantity(low[1])} at {setting} {low[0]}."
    places = [item.label for item in swept]
    first, last = sorted((low, high), key=lambda item: places.index(item[0]))
    word = "falls" if last is low else "grows"
    return f"p95 {word} from {estimate_quantity(first[1])} at {first[0]} to {estimate_quantity(last[1])} at {last[0]}."


def _throttle_sentence(path: Mapping[str, Numbers], thresholds: Thresholds) -> str:
    closed = [value for value in path["blocked"] if value is not None]
    share = sum(1 for value in closed if value) / max(len(closed), 1)
    idle = [value for value in path["idle_blocked"] if value is not None]
    if thresholds.high is None:
        return "Messages on the destination, prepared and running."
    mean = sum(idle) / max(len(idle), 1)
    blocked = f"The throttle was blocked {100 * share:.0f} % of the time shown"
    return (
        f"{blocked}; {mean:.1f} threads idled behind it on average."
        if mean >= 0.05
        else f"{blocked}; no thread idled behind it."
    )


def _cell(item: Swept, name: str) -> str:
    estimate = item.metrics.get(name)
    return str(estimate_quantity(estimate)) if estimate else item.problem or "–"
